/** A client that leaves stops its read in the middle of a query. The Worker goes on with the reads of others. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type AnyReadRequest, textsOf } from '../../src/assembly/reading/texts.ts';
import { ReadScheduler } from '../../src/reading/read-scheduler.ts';
import { ANNOUNCING } from '../catalogue/attribute/deadline/support.ts';
import { COMPANY, activate, load, tableFile } from '../catalogue/attribute/support.ts';
import { fillProducts } from '../catalogue/listing/fill.ts';
import { type TestApp, openApp } from '../support/app.ts';

/** More than the reads below examine before the first turn of another read. */
const PRODUCTS = 12_000;
/** Turns after which a read is stopped: in each of the first ones it may be in the middle of a query. */
const TURNS = 12;

let server: TestApp;
beforeAll(async () => {
  server = await openApp();
  const admin = await server.as('admin');
  fillProducts(server.app.core.db, PRODUCTS);
  server.app.core.db.exec(
    "UPDATE product SET situacao = 'DESATIVADO', deactivated_by = 'sistema', deactivated_at = 1 WHERE id % 2 = 0",
  );
  await activate(admin, await load(admin, tableFile('1', ANNOUNCING)));
});
afterAll(() => server.close());

const page = (by: string) => ({ order: { by, isDescending: false }, limit: 10 });
const READS = [
  { kind: 'deadlines', filter: { today: '2026-01-15', companies: [COMPANY] }, page: page('on') },
  { kind: 'productPage', filter: { cpfCnpjRaiz: COMPANY, descricao: 'nenhum' }, page: page('changedAt') },
  { kind: 'summary', cpfCnpjRaiz: COMPANY },
] as unknown as readonly AnyReadRequest[];

test.each(READS.map((request) => [request.kind, request] as const))('%s', async (_kind, request) => {
  const { database } = server.app.core.folder;
  const ends: string[] = [];
  const all = Promise.withResolvers<void>();
  const scheduler = new ReadScheduler<AnyReadRequest>(textsOf, ({ id, type }) => {
    if (type === 'chunk') scheduler.receive({ type: 'credit', id });
    else if (ends.push(type) > 0 && id === TURNS) all.resolve();
  });
  const start = (id: number): void => scheduler.receive({ type: 'start', id, database, request, credit: 1 });
  for (let turns = 0; turns < TURNS; turns += 1) {
    start(turns);
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    scheduler.receive({ type: 'stop', id: turns });
  }
  start(TURNS);
  await all.promise;
  expect(new Set(ends)).toEqual(new Set(['end']));
});
