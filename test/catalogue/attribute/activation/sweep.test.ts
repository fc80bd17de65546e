/** Deactivation by the system: grouped into events exactly, also across slices, crashes and processes. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VISIT } from '../../../../src/catalogue/product/active-store.ts';
import { PRODUCTS_PER_EVENT } from '../../../../src/catalogue/attribute/activation/sweep.ts';
import { readSettings } from '../../../../src/settings/config.ts';
import { openCore } from '../../../../src/assembly/core.ts';
import { openFolder } from '../../../../src/db/folder.ts';
import { type Client, type TestApp, openApp } from '../../../support/app.ts';
import { keepEvents } from '../../../support/subscribed.ts';
import {
  COMPANY,
  OTHER_COMPANY,
  TABLES,
  activate,
  deactivations,
  include,
  includeMany,
  load,
  product,
  situations,
  tableFile,
  until,
} from '../support.ts';

const COFFEE = '09012100';
const BICYCLE = '87120010';

/** Table that requires an attribute which no product of these tests has, and admits the bicycles. */
const STRICT = tableFile('2', {
  '0901.21.00': [{ codigo: 'ATT_1' }],
  '8712.00.10': [{ codigo: 'ATT_1', obrigatorio: false }],
});

/** Returns a stopwatch that limits every slice and every transaction to one product. */
function oneProductStopwatch(): () => number {
  let now = 0;
  return () => (now += 1000);
}

let server: TestApp;
let admin: Client;
let demo: Client;

async function open(options: Parameters<typeof openApp>[0] = {}): Promise<void> {
  server = await openApp(options);
  admin = await server.as('admin');
  demo = await server.as('demo');
}

afterEach(() => server.close());

describe('the events of a sweep', () => {
  beforeEach(() => open());

  test('are published once per company and NCM, with the codes in order', async () => {
    for (const ncm of [BICYCLE, COFFEE, COFFEE]) await include(demo, product(ncm));
    await include(demo, product(COFFEE), OTHER_COMPANY);
    expect(await activate(admin, await load(admin, tableFile('3', {})))).toEqual({
      deactivated: 4,
      events: 3,
    });
    expect(deactivations(server)).toEqual([
      [COMPANY, COFFEE, [2, 3]],
      [COMPANY, BICYCLE, [1]],
      [OTHER_COMPANY, COFFEE, [1]],
    ]);
  });

  test('do not contain valid products', async () => {
    await include(demo, product(COFFEE));
    await include(demo, product(COFFEE, 'ATT_1'));
    await include(demo, product(BICYCLE));
    expect(await activate(admin, await load(admin, STRICT))).toEqual({ deactivated: 1, events: 1 });
    expect(await situations(demo)).toEqual({ 1: 'DESATIVADO', 2: 'ATIVADO', 3: 'ATIVADO' });
  });

  test.each([
    [PRODUCTS_PER_EVENT, [PRODUCTS_PER_EVENT]],
    [PRODUCTS_PER_EVENT + 1, [PRODUCTS_PER_EVENT, 1]],
  ])('of %d products of one NCM contain %j products each', async (count, sizes) => {
    await includeMany(demo, count, product(COFFEE));
    expect(await activate(admin, await load(admin, STRICT), undefined, count)).toEqual({
      deactivated: count,
      events: sizes.length,
    });
    expect(deactivations(server).map(([, , codes]) => codes.length)).toEqual(sizes);
    expect(new Set(deactivations(server).flatMap(([, , codes]) => codes)).size).toBe(count);
  });

  test('come with a change event for each product if there is a subscription to it', async () => {
    await keepEvents(server, 'catp-prod-alterado');
    await include(demo, product(COFFEE));
    await activate(admin, await load(admin, STRICT));
    const texts = server.app.core.db
      .prepare<[], string>(`SELECT conteudo FROM event WHERE evento = 'catp-prod-alterado' ORDER BY id`)
      .pluck()
      .all();
    expect(JSON.parse(texts.at(-1) ?? '')).toMatchObject({ codigo: 1, operacao: 'DESATIVACAO_SISTEMA' });
  });
});

describe('an interrupted sweep', () => {
  const EXPECTED = [
    [COMPANY, COFFEE, [1, 2, 3, 4, 5]],
    [OTHER_COMPANY, COFFEE, [1, 2]],
  ] satisfies ReturnType<typeof deactivations>;

  const countDeactivated = (app: TestApp): number =>
    app.app.core.db
      .prepare<[], number>(`SELECT count(*) FROM product WHERE situacao = 'DESATIVADO'`)
      .pluck()
      .get() ?? 0;

  /** Starts to deactivate seven products, one by one, and stops the test after the third. */
  async function beginSweep(): Promise<{ answer: ReturnType<Client['call']> }> {
    await open({ parts: { stopwatch: oneProductStopwatch() } });
    await includeMany(demo, 5, product(COFFEE));
    await includeMany(demo, 2, product(COFFEE), OTHER_COMPANY);
    const id = await load(admin, STRICT);
    const answer = admin.call('POST', `${TABLES}/${id}/activate`);
    await until(() => countDeactivated(server) === 3);
    return { answer };
  }

  test('answers 503 after a stop and continues at the next start, with one event for each group', async () => {
    const { answer } = await beginSweep();
    await server.close({ keepFolder: true });
    expect((await answer).status).toBe(503);
    await open({ folder: server.folder });
    await server.app.core.catalogue.attribute.service.runOnce(); // waits for the run that the start began
    expect(countDeactivated(server)).toBe(7);
    expect(deactivations(server)).toEqual(EXPECTED);
    expect(await server.app.core.catalogue.attribute.service.runOnce()).toEqual({
      deactivated: 0,
      events: 0,
      isFinished: true,
    });
  });

  test('continues at the next start after a crash, with one event for each group', async () => {
    const { answer } = await beginSweep();
    const crashFolder = mkdtempSync(join(tmpdir(), 'catp-crash-'));
    expect(countDeactivated(server)).toBe(3);
    cpSync(server.folder, crashFolder, { recursive: true }); // the files that a crash would leave at this moment
    await answer;
    expect(deactivations(server)).toEqual(EXPECTED);
    await server.close();
    await open({ folder: crashFolder });
    await server.app.core.catalogue.attribute.service.runOnce();
    expect(deactivations(server)).toEqual(EXPECTED);
  });

  test('publishes what it deactivated when another activation replaces it, which then sweeps the rest', async () => {
    await beginSweep();
    await server.close({ keepFolder: true });
    const { folder } = server;
    const core = openCore({
      folder: openFolder(folder),
      settings: readSettings({ environment: {}, commandLine: [] }),
      clock: server.clock,
      stopwatch: oneProductStopwatch(),
    });
    const { service } = core.catalogue.attribute;
    const [table] = service.list();
    await service.activate(table?.id ?? 0, undefined, 'teste', { user: 'teste' });
    await core.close();
    await open({ folder });
    // Both sweeps publish an event for the interrupted group, each product once.
    const events = deactivations(server);
    expect(events.map(([company]) => company)).toEqual([COMPANY, COMPANY, OTHER_COMPANY]);
    expect(events.flatMap(([, , codes]) => codes)).toEqual([1, 2, 3, 4, 5, 1, 2]);
  });

  test('publishes each group once even if two processes continue it', async () => {
    await beginSweep();
    await server.close({ keepFolder: true });
    const { folder, clock } = server;
    const settings = readSettings({ environment: {}, commandLine: [] });
    const cores = [1, 2].map(() =>
      openCore({ folder: openFolder(folder), settings, clock, stopwatch: oneProductStopwatch() }),
    );
    await Promise.all(cores.map((core) => core.catalogue.attribute.service.runOnce()));
    for (const core of cores) await core.close();
    await open({ folder });
    expect(deactivations(server)).toEqual(EXPECTED);
  });
});

describe('during a sweep', () => {
  test('a product that its owner corrects or deactivates is skipped', async () => {
    await open({ parts: { stopwatch: oneProductStopwatch() } });
    await includeMany(demo, 4, product(COFFEE));
    const id = await load(admin, STRICT);
    const answer = admin.call('POST', `${TABLES}/${id}/activate`);
    await until(() => server.app.core.db.prepare('SELECT 1 FROM attribute_sweep').get() !== undefined);
    const path = `/catp/api/ext/produto/${COMPANY}/4`;
    expect((await demo.call('PUT', path, product(COFFEE, 'ATT_1'))).status).toBe(200);
    expect((await answer).json).toEqual({ deactivated: 3, events: 1 });
    expect((await situations(demo))[4]).toBe('ATIVADO');
    expect(deactivations(server)).toEqual([[COMPANY, COFFEE, [1, 2, 3]]]);
  });
});

test('products are visited in the order of the index, from the end of the last page on', async () => {
  await open();
  const planOf = (sql: string, ...values: unknown[]): string[] =>
    server.app.core.db
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...values)
      .map(({ detail }) => detail);
  const rest = planOf(VISIT.rest, '', '', '', 0, 1);
  const next = planOf(VISIT.next, '', '', 1);
  const byNcm = 'SEARCH product USING COVERING INDEX product_by_ncm';
  expect(rest).toContain(`${byNcm} (company_id=? AND ncm=? AND rowid>?)`);
  expect(next).toContain(`${byNcm} ((company_id,ncm)>(?,?))`);
  const active = planOf(VISIT.active, '[]', 1);
  expect(active).toContain('SEARCH p USING INDEX product_by_ncm (company_id=? AND ncm=?)');
  for (const plan of [rest, next, active])
    expect(plan.filter((detail) => /TEMP B-TREE|^SCAN (?!q$|n VIRTUAL TABLE)/.test(detail))).toEqual([]);
});
