/**
 * Repeated behaviour of clients that the public service refuses (contract section 21): each rule on both
 * sides.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Client } from '../../support/app.ts';
import { CONFORMITY, DEMO, LIST, PRODUCT, PRODUCTS, type Watched, openWatched } from './support.ts';

let watched: Watched;
beforeEach(async () => {
  watched = await openWatched({ over: 'http' }); // over HTTP a body has a length, and a cut answer is recorded
  await watched.countFindings();
});
afterEach(() => watched.close());

const failing = (fault: string): Record<string, string> => ({ 'x-simular-falha': fault });
const SNAPSHOT = '/appliance/api/snapshots/antes';
const signIn = () => watched.server.as('demo');

describe('autenticacao-60s', () => {
  test('within a minute of the last counted one; not a minute later, nor of another user', async () => {
    await signIn();
    watched.server.clock.moveTo(watched.server.clock.now() + 60_000);
    await signIn();
    await watched.server.as('demo2');
    expect(await watched.countFindings()).toEqual({});
    await signIn();
    watched.server.clock.moveTo(watched.server.clock.now() + 59_999);
    await signIn();
    expect(await watched.findings()).toMatchObject([
      { rule: 'autenticacao-60s', count: 1, users: [DEMO], until: null },
    ]);
  });

  test('the restore of a snapshot starts it again', async () => {
    await signIn();
    await watched.admin.call('POST', SNAPSHOT);
    await watched.admin.call('POST', `${SNAPSHOT}/restore`);
    await signIn();
    expect(await watched.findings()).toEqual([]);
    await signIn();
    expect(await watched.countFindings()).toEqual({ 'autenticacao-60s': 1 });
  });

  test('a refused one does not count, nor one of an administrator', async () => {
    await signIn();
    await watched.server.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, {
      'client-id': 'demo',
      'client-secret': 'errado',
      'role-type': 'IMPEXP',
    });
    await watched.server.as('admin');
    await watched.server.as('admin');
    expect(await watched.countFindings()).toEqual({});
  });
});

test('limite-horario: from the 1001st access of an operation on, until the end of the hour', async () => {
  const ask = async (client: Client, times: number) => {
    for (let remaining = times; remaining > 0; remaining -= 1) await client.call('GET', LIST);
  };
  await ask(watched.demo, 1000);
  await ask(await watched.server.as('demo2'), 1);
  await watched.demo.call('GET', `${PRODUCTS}/1/1`);
  expect(await watched.findings()).toEqual([]);
  await ask(watched.demo, 2);
  const [finding] = await watched.findings();
  expect(finding).toMatchObject({ rule: 'limite-horario', count: 2, users: [DEMO] });
  expect(finding?.until).toBe('2026-01-15T10:00:00.000-03:00');
  watched.server.clock.moveTo(watched.server.clock.now() + 3_600_000);
  // The sessions have ended, too.
  await ask(await signIn(), 1);
  const admin = await watched.server.as('admin');
  expect((await admin.call('GET', CONFORMITY)).json.findings).toMatchObject([
    { rule: 'limite-horario', count: 2 },
  ]);
});

describe('repeticao', () => {
  const include = (headers = {}) => watched.demo.call('POST', PRODUCTS, PRODUCT, headers);

  for (const fault of ['lost-answer', 'drop', 'truncate=10', 'delay=1', 'status=503', 'garbage'])
    test(`the same include after ${fault}, without a check in between`, async () => {
      await include(failing(fault)).catch(() => undefined); // a cut answer cannot be read
      expect(await watched.findings()).toEqual([]);
      expect((await include()).status).toBe(200);
      expect((await watched.countFindings())['repeticao']).toBe(1);
    });

  test('not in a restored snapshot', async () => {
    await watched.admin.call('POST', SNAPSHOT);
    await include(failing('status=503'));
    await watched.admin.call('POST', `${SNAPSHOT}/restore`);
    expect((await include()).status).toBe(200);
    expect(await watched.findings()).toEqual([]);
  });

  test('not after a check, nor after a readable answer, nor another include', async () => {
    await include(failing('status=503'));
    await watched.demo.call('GET', LIST);
    await include();
    await include(failing('status=429'));
    await include();
    await include(failing('status=503'));
    await watched.demo.call('POST', PRODUCTS, { ...PRODUCT, denominacao: 'Outra' });
    expect((await watched.countFindings())['repeticao']).toBeUndefined();
  });

  test('a failed check does not count, nor one of other records, nor that of another user', async () => {
    await include(failing('status=503'));
    await watched.demo.call('GET', LIST, undefined, failing('status=503'));
    await watched.demo.call('GET', '/catp/api/ext/operador-estrangeiro?cpfCnpjRaiz=12345678');
    await (await watched.server.as('demo2')).call('GET', LIST);
    await include();
    expect((await watched.countFindings())['repeticao']).toBe(1);
  });

  test('each time, until there is an answer', async () => {
    for (let remaining = 3; remaining > 0; remaining -= 1) await include(failing('status=503'));
    expect(await watched.countFindings()).toEqual({ repeticao: 2 });
  });
});

describe('csrf', () => {
  /** A client that sends its first token forever. */
  async function repeatFirstToken(times: number, all = false): Promise<void> {
    const reply = await watched.server.anybody.call(
      'POST',
      '/portal/api/autenticar/chave-acesso',
      undefined,
      {
        'client-id': 'demo2',
        'client-secret': 'demo2',
        'role-type': 'IMPEXP',
      },
    );
    const headers = {
      authorization: reply.headers.get('set-token') ?? '',
      'x-csrf-token': reply.headers.get('x-csrf-token') ?? '',
    };
    const ask = (more = {}) => watched.server.anybody.call('GET', LIST, undefined, { ...headers, ...more });
    // All requests arrive before the first answer.
    if (all) await Promise.all(Array.from({ length: times }, () => ask(failing('delay=500'))));
    else for (let remaining = times; remaining > 0; remaining -= 1) await ask();
  }

  test('ten requests with the token of the sign-in, once a session; not nine', async () => {
    await repeatFirstToken(9);
    expect((await watched.findings()).map(({ rule }) => rule)).not.toContain('csrf');
    await watched.countFindings();
    await repeatFirstToken(25);
    const [finding] = (await watched.findings()).filter(({ rule }) => rule === 'csrf');
    expect(finding).toMatchObject({ count: 1, users: ['00000000272'] });
    expect(finding?.requests.length).toBe(10);
  });

  test('not a client that uses the renewed one, nor ten requests before any answer', async () => {
    for (let remaining = 20; remaining > 0; remaining -= 1) await watched.demo.call('GET', LIST);
    await repeatFirstToken(10, true);
    expect(await watched.countFindings()).toEqual({});
  });
});
