/** Long reads have bounded waits, and hold no resource permanently (contract section 16, Limits). */
import { afterEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { MINUTE_MS, SECOND_MS } from '../../src/clock.ts';
import { openForWriting } from '../../src/db/open.ts';
import type { Logger } from '../../src/log/log.ts';
import type { SettingName } from '../../src/settings/settings.ts';
import { fillProducts } from '../catalogue/listing/fill.ts';
import { type TestApp, openApp } from '../support/app.ts';
import { HandTime } from '../support/real-time.ts';

const LIST = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';
const OTHER_LIST = '/catp/api/ext/produto?cpfCnpjRaiz=11222333';
const EXPORT = '/catp/api/ext/produto/exportar/12345678/true';
/** Some MiB: more than the buffers between a reader and the Worker hold. */
const PRODUCTS = 20_000;

let server: TestApp;
afterEach(() => server.close());

interface Opened {
  readonly time: HandTime;
  readonly warnings: string[];
  /** Returns answers whose body is unread. */
  readonly ask: (path: string, who?: Who) => Promise<Response>;
}

type Who = 'demo' | 'demo2' | 'estranho' | 'publico';

async function open(settings: Partial<Record<SettingName, string>>, products = PRODUCTS): Promise<Opened> {
  const time = new HandTime();
  const warnings: string[] = [];
  const silent = (): void => undefined;
  const warning = (message: string): void => void warnings.push(message);
  // The server calls these four of the log's methods.
  const log = {
    debug: silent,
    info: silent,
    error: silent,
    warning,
    isEnabledFor: () => false,
  } as unknown as Logger;
  server = await openApp({
    settings: { ambiente: 'producao', ...settings },
    parts: { realTime: time, log, open: { synchronous: 'NORMAL' } },
  });
  fillProducts(server.app.core.db, products);
  const sessions = new Map<Who, Record<string, string>>();
  for (const who of ['demo', 'demo2', 'estranho', 'publico'] as const) {
    const key = { 'client-id': who, 'client-secret': who, 'role-type': 'IMPEXP' };
    const signedIn = await server.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, key);
    sessions.set(who, {
      authorization: signedIn.headers.get('set-token') ?? '',
      'x-csrf-token': signedIn.headers.get('x-csrf-token') ?? '',
    });
  }
  const ask = async (path: string, who: Who = 'demo') =>
    server.app.fetch(new Request(`http://catp.test${path}`, { headers: sessions.get(who) ?? {} }));
  return { time, warnings, ask };
}

/** Returns true if a checkpoint can copy the whole write-ahead log and restart it. */
async function isLogFree(): Promise<boolean> {
  await server.app.core.writer.write(() => server.app.core.db.exec(`UPDATE company SET nome = nome || '.'`));
  const db = openForWriting(join(server.folder, 'catp.sqlite'));
  db.pragma('busy_timeout = 0');
  const [result] = db.pragma('wal_checkpoint(RESTART)') as { readonly busy: number }[];
  db.close();
  return result?.busy === 0;
}

const readerOf = (answer: Response): ReadableStreamDefaultReader<Uint8Array> => {
  if (answer.body === null) throw new Error('The answer has no body.');
  return answer.body.getReader();
};

describe('a reader', () => {
  test('of a list who stalls is cut off with a line in the log, and the write-ahead log can be checkpointed again', async () => {
    const { time, warnings, ask } = await open({ 'servidor.listasParada': '2m' });
    const reader = readerOf(await ask(LIST));
    await reader.read();
    expect(await isLogFree()).toBe(false);

    time.pass(2 * MINUTE_MS - 1);
    expect(warnings).toEqual([]);
    time.pass(1);
    expect(warnings).toEqual([expect.stringContaining('foi cortada')]);

    await expect(drained(reader)).rejects.toThrow('cut off');

    // The Worker gets the cancellation as a message, at the latest in the next turn. An answer to a later
    // message shows that it was processed.
    await new Promise((resolve) => setImmediate(resolve));
    await (await ask(ONE_BY_A_WORKER)).text();
    expect(await isLogFree()).toBe(true);
  });

  test('of an export who stalls is cut off too', async () => {
    const { time, warnings, ask } = await open({ 'servidor.listasParada': '2m' }, 5 * PRODUCTS);
    const reader = readerOf(await ask(EXPORT));
    await reader.read();
    // The compression ahead of the reader takes some turns of the event loop.
    while (warnings.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      time.pass(2 * MINUTE_MS);
    }
    expect(warnings).toEqual([expect.stringContaining('foi cortada')]);
    await expect(drained(reader)).rejects.toThrow('cut off');
  });

  test('who is slow, but continues, is never cut off', async () => {
    const { time, warnings, ask } = await open({ 'servidor.listasParada': '2m' });
    const answer = await ask(LIST);
    const reader = readerOf(answer);
    let text = '';
    const decoder = new TextDecoder();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += decoder.decode(next.value, { stream: true });
      time.pass(2 * MINUTE_MS - 1);
    }
    expect((JSON.parse(text) as object[]).length).toBe(PRODUCTS);
    expect(warnings).toEqual([]);
  });
});

async function drained(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

/** A list of one product. A Worker always reads a list of a past day. */
const ONE_BY_A_WORKER = `${LIST}&codigo=1&dataReferencia=2026-01-15`;

describe('a reader who has taken nothing for 20 seconds', () => {
  const SETTINGS = { 'servidor.listas': '4', 'servidor.listasEspera': '1m' };

  test('yields its slot to a waiting reader, from then on and not before', async () => {
    const { time, warnings, ask } = await open(SETTINGS);
    const reader = readerOf(await ask(LIST));
    await reader.read();
    const armed = time.armed(MINUTE_MS);
    const waiting = ask(ONE_BY_A_WORKER);
    await armed;
    time.pass(20 * SECOND_MS - 1);
    expect(warnings).toEqual([]);
    time.pass(1);
    expect(await (await waiting).json()).toHaveLength(1);
    expect(warnings).toEqual([expect.stringContaining('foi cortada')]);
    await expect(drained(reader)).rejects.toThrow('cut off');
  });

  test('keeps its slot while nobody waits, or only readers whose own share is full, and yields it to the first other one', async () => {
    const { time, warnings, ask } = await open(SETTINGS);
    const reader = readerOf(await ask(LIST));
    await reader.read();
    time.pass(30 * SECOND_MS);
    const other = readerOf(await ask(LIST, 'demo2'));
    const armed = time.armed(MINUTE_MS);
    const waiting = ask(ONE_BY_A_WORKER, 'demo2');
    await armed;
    expect(warnings).toEqual([]);
    await other.cancel();
    expect((await waiting).status).toBe(200);
    expect(await (await ask(ONE_BY_A_WORKER)).json()).toHaveLength(1);
    expect(warnings).toHaveLength(1);
  });
});

describe('servidor.listas', () => {
  /** Sends one more read, which waits and is refused. Returns the message. */
  async function refused({ time, ask }: Opened, path: string, who?: Who): Promise<string> {
    const armed = time.armed(SECOND_MS);
    const waiting = ask(path, who);
    await armed;
    time.pass(SECOND_MS);
    const answer = await waiting;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    const { message, code } = (await answer.json()) as { message: string; code: string };
    expect(code).toBe('CATP-ER0503');
    return message;
  }

  test('limits the long reads; one more waits, and is refused with 503 and Retry-After', async () => {
    const opened = await open({ 'servidor.listas': '2', 'servidor.listasEspera': '1s' });
    const readers = [readerOf(await opened.ask(LIST)), readerOf(await opened.ask(LIST, 'publico'))];
    expect(await refused(opened, OTHER_LIST, 'estranho')).toContain(
      'o máximo desta instância (servidor.listas)',
    );
    for (const reader of readers) await reader.cancel();
  });

  test('gives a user a quarter of the slots and a company half of them; all others continue', async () => {
    const opened = await open({ 'servidor.listas': '8', 'servidor.listasEspera': '1s' });
    const { ask } = opened;
    const third = { documento: '00000000353', cpfCnpjRaiz: '12345678', perfil: 'IMPEXP' } as const;
    await server.app.core.session.accounts.putRepresentation(third);
    const readers = [readerOf(await ask(LIST)), readerOf(await ask(EXPORT))];
    expect(await refused(opened, LIST)).toContain('um quarto de servidor.listas');
    // The share belongs to the user, for any company.
    expect(await refused(opened, LIST.replace('12345678', '87654321'))).toContain('um quarto');
    for (const path of [LIST, EXPORT]) readers.push(readerOf(await ask(path, 'demo2')));
    expect(await refused(opened, LIST, 'estranho')).toContain('a parte da empresa 12345678 (metade');
    expect((await ask(OTHER_LIST, 'estranho')).status).toBe(204);
    expect((await (await ask(ONE_BY_A_WORKER, 'publico')).text()).length).toBeGreaterThan(2);
    await readers[3]?.cancel();
    expect((await ask(`${LIST}&codigo=77`, 'estranho')).status).toBe(200);
  });

  test('gives the slot of a read that ends, or whose reader disconnects, to the waiting one', async () => {
    const { ask } = await open({ 'servidor.listas': '1' });
    const first = readerOf(await ask(LIST));
    const second = ask(ONE_BY_A_WORKER);
    await drained(first);
    expect((await second).status).toBe(200);
    await (await second).text();

    const leaving = readerOf(await ask(EXPORT));
    const next = ask(`${LIST}&codigo=2`);
    await leaving.cancel();
    expect(await (await next).json()).toHaveLength(1);
  });

  test('counts a read that is refused or empty only as long as it lasts', async () => {
    const { ask } = await open({ 'servidor.listas': '1' }, 1);
    for (let n = 0; n < 3; n += 1) expect((await ask(`${LIST}&codigo=77`)).status).toBe(204);
    expect((await ask(ONE_BY_A_WORKER)).status).toBe(200);
  });
});
