/** The stored history of fetched tables (contract section 19): the changes of each, without the file. */
import { afterEach, describe, expect, test } from 'bun:test';
import { TestClock } from '../../../../src/clock.ts';
import { migrate } from '../../../../src/db/migrate.ts';
import { MIGRATIONS } from '../../../../src/db/migrations.ts';
import { TableBodyStore } from '../../../../src/catalogue/attribute/table/body-store.ts';
import { TableChangeStore } from '../../../../src/catalogue/attribute/table/change-store.ts';
import { AttributeTableStore } from '../../../../src/catalogue/attribute/table/store.ts';
import { type Client, type TestApp, openApp } from '../../../support/app.ts';
import { type TestOrigin, openOrigin } from '../../../support/origin.ts';
import { publicTable } from '../../../support/public-table.ts';
import { scratchForEachTest } from '../../../db/support.ts';
import { TABLES, type TestPair, activate, load, tableFile } from '../support.ts';

const VERSIONS = '/cadatributos/api/ext/atributo-ncm/historico-versoes';
const scratch = scratchForEachTest();

let server: TestApp;
let isOpen = false;
let origin: TestOrigin | undefined;
let admin: Client;
let demo: Client;

afterEach(async () => {
  if (isOpen) await server.close();
  isOpen = false;
  await origin?.[Symbol.asyncDispose]();
  origin = undefined;
});

async function open(): Promise<void> {
  origin = await openOrigin('http');
  server = await openApp({
    settings: {
      'atributos.origem': origin.url,
      'atributos.horario': 'nunca',
      'atributos.ativar': 'sozinha',
    },
  });
  isOpen = true;
  [admin, demo] = [await server.as('admin'), await server.as('demo')];
}

async function fetchTable(table: object) {
  origin?.serves(JSON.stringify(table));
  return server.app.core.catalogue.attribute.origin.runOnce();
}
/** Runs the nightly job. */
const archiveTables = () => server.app.core.jobs.find(({ name }) => name === 'tabelas-antigas')?.runOnce();
const count = (table: string, id: number): number =>
  server.app.core.db
    .prepare<[number], number>(`SELECT count(*) FROM ${table} WHERE table_id = ?`)
    .pluck()
    .get(id) ?? -1;

/** Builds a table of twelve NCMs; one of them, another in each version, has an additional attribute. */
const version = (number: number): object =>
  tableFile(
    String(number),
    Object.fromEntries(
      Array.from({ length: 12 }, (_, index): [string, TestPair[]] => [
        `0901.${String(index).padStart(2, '0')}.00`,
        [{ codigo: 'ATT_1' }, ...(index === number ? [{ codigo: `ATT_2`, obrigatorio: false }] : [])],
      ]),
    ),
  );

describe('fetched tables', () => {
  test('the difference is kept, rows and file are deleted, and questions about the past get the same answers', async () => {
    await open();
    for (const number of [1, 2, 3, 4, 5, 6]) await fetchTable(version(number));
    const before = (await demo.call('GET', VERSIONS)).json;
    const history = (await demo.call('GET', `${TABLES}/history`)).json;
    const changes = (await demo.call('GET', `${TABLES}/3/changes`)).json;
    expect(changes).toEqual({
      ncms: {
        added: [],
        removed: [],
        changed: [
          { ncm: '09010200', added: [], removed: ['ATT_2'], changed: [] },
          { ncm: '09010300', added: ['ATT_2'], removed: [], changed: [] },
        ],
      },
      attributes: { added: [], removed: [], changed: [] },
    });
    expect(history[3]).toMatchObject({
      id: 3,
      versao: '3',
      since: { id: 2, versao: '2' },
      inForceOn: '2026-01-15',
      ncms: { added: 0, removed: 0, changed: 2 },
    });
    expect(before).toHaveLength(6);

    expect(await archiveTables()).toEqual({ storedChanges: 6, removedTables: 3 });
    expect([1, 2, 3, 4].map((id) => count('attribute_table_ncm', id))).toEqual([0, 0, 0, 12]);
    expect([3, 4].map((id) => count('attribute_table_file', id))).toEqual([0, 1]);
    expect([3, 4].map((id) => count('attribute_table_detail', id))).toEqual([0, 2]);
    expect((await demo.call('GET', VERSIONS)).json).toEqual(before);
    expect((await demo.call('GET', `${TABLES}/history`)).json).toEqual(history);
    expect((await demo.call('GET', `${TABLES}/3/changes`)).json).toEqual(changes);
    expect(await archiveTables()).toEqual({ storedChanges: 0, removedTables: 0 });

    // A request for a past day gets the next whole table.
    const ofDay = await demo.call('GET', '/cadatributos/api/ext/atributo-ncm/09010100?data=2026-01-15');
    expect(ofDay.json).toMatchObject({ versao: '6', codigoNcm: '0901.01.00' });

    // A table without rows cannot be put in force; the refusal explains how to load it again.
    const listedVersions = (await demo.call('GET', TABLES)).json.map(
      ({ versao }: { versao: string }) => versao,
    );
    expect(listedVersions).toEqual(['4', '5', '6']);
    for (const refused of [
      await admin.call('POST', `${TABLES}/3/activate`, {}),
      await demo.call('GET', `${TABLES}/3/impact`),
    ]) {
      expect(refused.status).toBe(404);
      expect(refused.json.message).toContain('carregue o arquivo dela de novo');
    }
  });

  test('one without rows is restored from its file, also from other bytes', async () => {
    await open();
    for (const number of [1, 2, 3, 4, 5, 6]) await fetchTable(version(number));
    await archiveTables();
    const text = JSON.stringify(version(2), undefined, 2);
    const loaded = await admin.call('POST', TABLES, text, { 'content-type': 'application/json' });
    expect([loaded.status, loaded.json]).toEqual([200, { id: 2, versao: '2', ncms: 12, attributes: 2 }]);
    await activate(admin, 2);
    const ncm = await demo.call('GET', '/cadatributos/api/ext/atributo-ncm/09010200');
    expect(ncm.json.listaAtributos).toHaveLength(2);
    const zip = await server.anybody.call('GET', '/cadatributos/api/atributo-ncm/download/json');
    const again = await openApp();
    try {
      const adminAgain = await again.as('admin');
      const reply = await adminAgain.call('POST', TABLES, zip.bytes, { 'content-type': 'application/zip' });
      expect(reply.json).toMatchObject({ versao: '2', ncms: 12 });
    } finally {
      await again.close();
    }
    // A person loaded this table, so the job keeps it.
    await activate(admin, 6);
    for (const number of [7, 8, 9, 10]) await fetchTable(version(number));
    await archiveTables();
    expect(count('attribute_table_ncm', 2)).toBe(12);
    expect(count('attribute_table_ncm', 4)).toBe(0);
  });

  test('a table stays whole if a person loaded it, or if it is in force, replaced or scheduled', async () => {
    await open();
    await load(admin, version(1));
    await fetchTable(version(2));
    await fetchTable(version(3));
    await activate(admin, 2);
    for (const number of [4, 5, 6, 7]) {
      await fetchTable(version(number));
      await activate(admin, 2);
    }
    await activate(admin, 3, '2026-02-01');
    await archiveTables();
    const whole = [1, 2, 3, 4, 5, 6, 7].filter((id) => count('attribute_table_ncm', id) > 0);
    expect(whole).toEqual([1, 2, 3, 5, 6, 7]);
  });
});

test('the history requires signing in, and an unknown table has none', async () => {
  await open();
  for (const path of ['history', '1/changes'])
    expect((await server.anybody.call('GET', `${TABLES}/${path}`)).status).toBe(401);
  expect((await demo.call('GET', `${TABLES}/history`)).json).toEqual([]);
  expect((await demo.call('GET', `${TABLES}/1/changes`)).status).toBe(404);
});

test('a year of tables of the public size with small changes takes less than 5 MiB', async () => {
  const { db } = scratch();
  migrate(db, MIGRATIONS, new TestClock(42));
  const tables = new AttributeTableStore(db);
  const changes = new TableChangeStore(db);
  const codes = Array.from({ length: 1300 }, (_, index) => `ATT_${10_000 + index}`);
  const ncms = Array.from({ length: 10_500 }, (_, index) =>
    String(1_012_100 + index * 9_001).padStart(8, '0'),
  );
  const codeOf = (number: number): string => codes[(number * 7919) % codes.length] ?? '';
  const YEAR = 122;
  for (let number = 0; number < YEAR; number += 1) {
    const head = { versao: String(number), sha256: '', ncms: 10_500, attributes: 1300, boundaries: [] };
    const id = tables.insert({ ...head, jsonBytes: 0, jsonCrc32: 0, deflatedBytes: 0 });
    tables.markLoaded(id, number, true);
    // Five times the observed changes: two new descriptions for each of 56 NCMs, new pairs for 200 NCMs.
    const changedNcms = Array.from({ length: 312 }, (_, index) => ({
      ncm: ncms[(number * 1237 + index * 31) % ncms.length] ?? '',
      added: index % 3 === 0 ? [codeOf(number + index)] : [],
      removed: index % 5 === 0 ? [codeOf(number * 3 + index)] : [],
      changed: [codeOf(number * 5 + index), codeOf(number)],
    }));
    const attributes = {
      added: [codeOf(number)],
      removed: [],
      changed: [codeOf(number + 1), codeOf(number + 2)],
    };
    changes.put(id, id - 1, {
      ncms: { added: ncms.slice(0, 5), removed: [], changed: changedNcms },
      attributes,
    });
  }
  // The first table adds every NCM.
  changes.put(1, 0, {
    ncms: { added: ncms, removed: [], changed: [] },
    attributes: { added: codes, removed: [], changed: [] },
  });
  const bytes = db
    .prepare<[], number>(`SELECT sum(pgsize) FROM dbstat WHERE name LIKE '%attribute_table%'`)
    .pluck()
    .get();
  expect(bytes).toBeGreaterThan(YEAR * 1000);
  expect(bytes).toBeLessThan(5 * 1024 * 1024);
});

test('the oldest tables beyond 400 are deleted', () => {
  const { db } = scratch();
  migrate(db, MIGRATIONS, new TestClock(42));
  const tables = new AttributeTableStore(db);
  const changes = new TableChangeStore(db);
  const noChanges = { added: [], removed: [], changed: [] };
  for (let number = 1; number <= 401; number += 1) {
    const head = { versao: String(number), sha256: '', ncms: 0, attributes: 0, boundaries: [] };
    tables.markLoaded(tables.insert({ ...head, jsonBytes: 0, jsonCrc32: 0, deflatedBytes: 0 }), 0, true);
    changes.put(number, number - 1, { ncms: noChanges, attributes: noChanges });
  }
  changes.deleteOld();
  expect([1, 2].map((id) => changes.find(id, id - 1) !== undefined)).toEqual([false, true]);
});

test('tables of an earlier version stay whole, like those that a person loaded', () => {
  const { db } = scratch();
  const clock = new TestClock(42);
  const before = MIGRATIONS.findIndex(({ name }) => name === 'attribute_origin');
  migrate(db, MIGRATIONS.slice(0, before), clock);
  db.exec(`INSERT INTO attribute_table (versao, sha256, ncms, attributes, json_bytes, json_crc32, deflated_bytes,
    boundaries, state, loaded_at) VALUES ('7', 'x', 1, 1, 1, 1, 1, '[]', 'loaded', 42)`);
  db.exec(
    `INSERT INTO attribute_activation (table_id, on_day, requested_at, requested_by) VALUES (1, '1970-01-01', 42, 'x')`,
  );
  migrate(db, MIGRATIONS, clock);
  expect(new AttributeTableStore(db).find(1)).toMatchObject({
    versao: '7',
    fetchedAt: null,
    keptBack: null,
    isWhole: true,
  });
  expect(new TableBodyStore(db).listOld('2026-01-01', 10)).toEqual([]);
});

test('changes that an earlier version stored are computed again to the last level while both tables are whole', () => {
  const { db } = scratch();
  const clock = new TestClock(42);
  const before = MIGRATIONS.findIndex(({ name }) => name === 'attribute_alterations');
  migrate(db, MIGRATIONS.slice(0, before), clock);
  for (const body of ['gone', 'whole', 'whole'])
    db.exec(`INSERT INTO attribute_table (versao, sha256, ncms, attributes, json_bytes, json_crc32, deflated_bytes,
      boundaries, state, loaded_at, body) VALUES (hex(randomblob(4)), 'x', 1, 1, 1, 1, 1, '[]', 'loaded', 42, '${body}')`);
  db.exec(`INSERT INTO attribute_table_change (table_id, since_id, counts, changes)
    VALUES (1, 0, '{}', x'00'), (2, 1, '{}', x'00'), (3, 2, '{}', x'00')`);
  migrate(db, MIGRATIONS, clock);
  const tableIds = db.prepare<[], number>('SELECT table_id FROM attribute_table_change ORDER BY 1').pluck();
  expect(tableIds.all()).toEqual([1, 2]);
});

test('the changes of two tables of the public size are computed, and few', async () => {
  await open();
  const first = JSON.parse(publicTable({ versao: '1' }));
  const second = structuredClone({ ...first, versao: '2' });
  for (let index = 0; index < 40; index += 1) second.listaNcm[index * 200].listaAtributos.pop();
  await fetchTable(first);
  await fetchTable(second);
  const [newest] = (await demo.call('GET', `${TABLES}/history`)).json;
  expect(newest).toMatchObject({ versao: '2', ncms: { added: 0, removed: 0, changed: 40 } });
});
