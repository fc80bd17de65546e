/**
 * Automatic updates of the nomenclature, by the rules of the attribute table (contract sections 19 and
 * 20).
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { DAY_MS, MINUTE_MS } from '../../src/clock.ts';
import { Nomenclature } from '../../src/nomenclature/service.ts';
import { NomenclatureStore } from '../../src/nomenclature/store.ts';
import { SYSTEM } from '../../src/session/model.ts';
import { type TestApp, openApp } from '../support/app.ts';
import { type TestOrigin, openOrigin, zipped } from '../support/origin.ts';
import { type Line, NOMENCLATURE, nomenclatureFile } from './support.ts';

let server: TestApp;
let origin: TestOrigin;
beforeEach(async () => {
  origin = await openOrigin('http');
  server = await openApp({ settings: { 'ncm.origem': origin.url, 'atributos.horario': 'nunca' } });
});
afterEach(async () => {
  await server.close();
  await origin[Symbol.asyncDispose]();
});

const lines = (count: number): Line[] =>
  Array.from({ length: count }, (_, index) => [`0901.${String(index).padStart(2, '0')}.00`, 'Café']);
const fetchNow = () => server.app.core.nomenclatureOrigin.runOnce();
const ncms = async (): Promise<number> =>
  (await (await server.as('demo')).call('GET', NOMENCLATURE)).json.loaded.ncms;
/** Returns a hundred NCMs, so that the lines need several writes. */
const each100 = (code: string, text: string): Line[] =>
  Array.from({ length: 100 }, (_, at) => [`${code.slice(0, 8)}${String(at).padStart(2, '0')}`, text]);
const json = (all: readonly Line[]): Buffer => Buffer.from(JSON.stringify(nomenclatureFile(all)));
/** Returns the finding of `catp doctor`, which the page shows too. */
const doctor = async (): Promise<{ level: string; message: string } | undefined> =>
  (await (await server.as('admin')).call('GET', '/appliance/api/doctor')).json.find(
    ({ check }: { readonly check: string }) => check === 'nomenclature',
  );
const pass = (ms: number): void => server.clock.moveTo(server.clock.now() + ms);
const notices = async (): Promise<string> =>
  (await server.anybody.call('GET', '/readyz')).json.notices.join();

test('a new file replaces the previous one; the same content in another layout changes nothing', async () => {
  const file = nomenclatureFile(lines(20));
  origin.serves(JSON.stringify(file));
  expect(await fetchNow()).toMatchObject({ outcome: 'new' });
  origin.serves(`\u{FEFF}${JSON.stringify(file, undefined, 2)}`);
  expect(await fetchNow()).toMatchObject({ outcome: 'same' });
  origin.serves(await zipped('Tabela_NCM.json', JSON.stringify(file)));
  expect(await fetchNow()).toMatchObject({ outcome: 'same' });
  origin.serves(JSON.stringify(nomenclatureFile(lines(21))));
  expect(await fetchNow()).toMatchObject({ outcome: 'new' });
  expect(await ncms()).toBe(21);
});

test('a file that lost more than 10 % of the NCMs is held and reported', async () => {
  origin.serves(JSON.stringify(nomenclatureFile(lines(20))));
  await fetchNow();
  origin.serves(JSON.stringify(nomenclatureFile(lines(17))));
  const { outcome, message } = await fetchNow();
  expect([outcome, await ncms()]).toEqual(['keptBack', 20]);
  expect(message).toContain('retida: perdeu 3 de 20 NCMs');
  expect(await notices()).toContain(message);
  origin.serves(JSON.stringify(nomenclatureFile(lines(18))));
  expect(await fetchNow()).toMatchObject({ outcome: 'new' });
  expect([await ncms(), await notices()]).toEqual([18, expect.not.stringContaining('retida')]);
});

test('replaced NCMs count as lost too', async () => {
  origin.serves(JSON.stringify(nomenclatureFile(lines(20))));
  await fetchNow();
  const others: Line[] = [
    ...lines(17),
    ...(['01', '02', '03'] as const).map((n): Line => [`0902.${n}.00`, 'Chá']),
  ];
  origin.serves(JSON.stringify(nomenclatureFile(others)));
  expect((await fetchNow()).message).toContain('perdeu 3 de 20 NCMs');
});

test('a held file is reported until a person has loaded it', async () => {
  origin.serves(JSON.stringify(nomenclatureFile(lines(20))));
  await fetchNow();
  const cut = nomenclatureFile(lines(3));
  origin.serves(JSON.stringify(cut));
  await fetchNow();
  const admin = await server.as('admin');
  const asks = async (): Promise<boolean> =>
    (await admin.call('GET', NOMENCLATURE)).json.origin.last.asksForSomebody;
  expect([await asks(), await notices(), await doctor()]).toEqual([
    ...[true, expect.stringContaining('retida')],
    expect.objectContaining({ level: 'warning', message: expect.stringContaining('retida') }),
  ]);
  pass(MINUTE_MS);
  expect((await admin.call('POST', NOMENCLATURE, cut)).status).toBe(200);
  expect([await asks(), await notices(), await doctor()]).toEqual([
    ...[false, expect.not.stringContaining('retida')],
    expect.objectContaining({ level: 'ok' }),
  ]);
});

test('a missing update is reported after atributos.idade days, and so is each failure', async () => {
  expect((await doctor())?.level).toBe('notice');
  origin.serves(JSON.stringify(nomenclatureFile(lines(20))));
  await fetchNow();
  pass(7 * DAY_MS);
  expect([await notices(), (await doctor())?.level]).toEqual([expect.not.stringContaining('busca'), 'ok']);
  pass(1);
  const old = 'Há 7 dias nenhuma busca da nomenclatura dá certo.';
  expect([await notices(), await doctor()]).toEqual([
    expect.stringContaining(old),
    expect.objectContaining({ level: 'warning', message: old }),
  ]);
  origin.answer = (_, response) => void response.writeHead(500).end();
  await expect(fetchNow()).rejects.toThrow('500');
  // This instance has no time of the day for the fetch.
  expect(await notices()).toContain('respondeu 500');
  expect(await notices()).not.toContain('a cada hora');
});

test('a fetch by a clock that was ahead is ignored: the age counts from the loading', async () => {
  await server.app.core.nomenclature.load(json(lines(20)), SYSTEM, { user: SYSTEM });
  origin.serves(JSON.stringify(nomenclatureFile(lines(20))));
  pass(365 * DAY_MS);
  expect(await fetchNow()).toMatchObject({ outcome: 'same' });
  pass(-357 * DAY_MS);
  expect(await notices()).toContain('Há 8 dias nenhuma busca da nomenclatura dá certo.');
});

test('a file that a person loads meanwhile is loaded after it, and stays', async () => {
  const admin = await server.as('admin');
  await server.app.core.nomenclature.load(json(lines(20)), SYSTEM, { user: SYSTEM });
  origin.serves(JSON.stringify(nomenclatureFile(lines(19))));
  const fetching = fetchNow();
  const [fetch, reply] = await Promise.all([
    fetching,
    admin.call('POST', NOMENCLATURE, nomenclatureFile(lines(5))),
  ]);
  // Either may come first: an upload is never kept back, and the fetch has not lost too many of five.
  expect([fetch.outcome, reply.status]).toEqual(['new', 200]);
  expect([5, 19]).toContain(await ncms());
  const head = (await admin.call('GET', '/classif/api/publico/nomenclatura/download/json')).json;
  expect(head.Nomenclaturas).toHaveLength(await ncms());
  expect((await admin.call('GET', '/appliance/api/ncm?text=0901&limit=100')).json).toHaveLength(await ncms());
});

test('two concurrent loads get separate lines; the later one is refused', async () => {
  const { db, writer, reads, clock, nomenclature } = server.app.core;
  const command = new Nomenclature(new NomenclatureStore(db), writer, reads, clock);
  const many = (count: number): Buffer => json(lines(count).flatMap(([code, text]) => each100(code, text)));
  const holder = { user: SYSTEM };
  for (const files of [
    [many(40), many(39)],
    [many(3), many(60)],
    [many(60), many(2)],
  ] as const) {
    const [first, second] = files;
    const ended = await Promise.allSettled([
      nomenclature.load(first, SYSTEM, holder),
      command.load(second, SYSTEM, holder),
    ]);
    const refusals = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refusals.length).toBeLessThan(2);
    for (const refusal of refusals) expect(refusal).toMatchObject({ kind: 'unavailable' });
    const { rows } = nomenclature.current() ?? { rows: 0 };
    const content = await nomenclature.file();
    expect(files.some((file) => file.equals(content))).toBe(true);
    expect(nomenclature.codes('09')).toHaveLength(rows);
  }
});

test('in a folder of an earlier version, before its lines are read, the same file is recognised and has descriptions', async () => {
  origin.serves(JSON.stringify(nomenclatureFile(lines(20))));
  await fetchNow();
  server.app.core.db.exec('DELETE FROM nomenclature_row');
  origin.serves(JSON.stringify(nomenclatureFile(lines(20)), undefined, 1));
  const [, result] = await Promise.all([server.app.core.nomenclature.prepare(), fetchNow()]);
  expect(result.outcome).toBe('same');
  const admin = await server.as('admin');
  expect((await admin.call('GET', '/appliance/api/ncm?text=cafe&limit=100')).json).toHaveLength(20);
});

test('an invalid file is reported with its fault, and the file in use stays', async () => {
  origin.serves(JSON.stringify(nomenclatureFile(lines(20))));
  await fetchNow();
  origin.serves('{"Nomenclaturas": []}');
  await expect(fetchNow()).rejects.toThrow('A nomenclatura foi buscada e recusada');
  expect([await ncms(), await notices()]).toEqual([20, expect.stringContaining('recusada')]);
});
