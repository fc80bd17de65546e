/** Import results of an older version, under the newest schema. */
import { expect, test } from 'bun:test';
import { ImportStore } from '../../../src/catalogue/import/store.ts';
import { TestClock } from '../../../src/clock.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { MIGRATIONS } from '../../../src/db/migrations.ts';
import { scratchForEachTest } from '../../db/support.ts';

const scratch = scratchForEachTest();

/** Last schema version whose results have no changes. */
const BEFORE_CHANGES = 5;

test('are kept when a migration adds their changes', () => {
  const { db } = scratch();
  const clock = new TestClock(42);
  migrate(db, MIGRATIONS.slice(0, BEFORE_CHANGES), clock);
  db.exec(`INSERT INTO import_job (documento, perfil, tipo, modo, simular, file_name, stored_file, sha256, state, created_at)
    VALUES ('1', 'IMPEXP', 'produto', 'lote', 0, 'a.json', 'x', 'y', 'done', 1)`);
  db.exec(`INSERT INTO import_file VALUES (1, 0, 'a.json')`);
  db.exec(`INSERT INTO import_result VALUES (1, 0, 7, '3', '1', 'newVersion', 'Caixa', 0, 5, NULL, NULL)`);
  migrate(db, MIGRATIONS, clock);
  const store = new ImportStore(db);
  expect(store.find(1)).toMatchObject({ state: 'done', deactivated: 0 });
  expect(store.findInstructions(1)).toBe(null);
  expect(store.listResults(1, undefined, -1, 10)).toMatchObject([
    {
      index: 0,
      seq: 7,
      codigo: '3',
      outcome: 'newVersion',
      name: 'Caixa',
      file: 'a.json',
      line: 5,
      changes: [],
    },
  ]);
});

/** Last schema version whose imports have no kind. */
const BEFORE_KINDS = 29;

test('get their kind, the import that they undo, and the companies of a file with several', () => {
  const { db } = scratch();
  const clock = new TestClock(42);
  migrate(db, MIGRATIONS.slice(0, BEFORE_KINDS), clock);
  const orders = [null, '{"sheet":{}}', '{"cpfCnpjRaiz":"1"}', '{"undo":3}', '{"fetch":1,"phase":0}'];
  for (const pedido of orders)
    db.prepare(
      `INSERT INTO import_job (documento, perfil, tipo, modo, simular, file_name, stored_file, sha256, state, created_at, pedido)
       VALUES ('1', 'IMPEXP', 'produto', 'lote', 0, 'a.json', 'x', 'y', 'done', 1, ?)`,
    ).run(pedido);
  for (const [at, key] of ['12345678/1', '12345678/2', '87654321/1'].entries())
    db.prepare(
      `INSERT INTO import_result (job_id, idx, outcome, member, line, did) VALUES (1, ?, 'created', 0, 1, ?)`,
    ).run(at, JSON.stringify([{ kind: 'produto', key, was: null, is: '1' }]));
  migrate(db, MIGRATIONS, clock);
  const store = new ImportStore(db);
  expect([1, 2, 3, 4, 5].map((id) => store.find(id)?.kind)).toEqual([
    'arquivo',
    'planilha',
    'alteracao',
    'desfazer',
    'remoto',
  ]);
  expect([1, 2, 3, 4, 5].map((id) => store.find(id)?.changesMany)).toEqual([
    false,
    false,
    true,
    false,
    false,
  ]);
  expect(store.find(4)).toMatchObject({ source: 3, root: 4 });
  expect(store.find(1)?.companies.toSorted()).toEqual(['12345678', '87654321']);
  expect(store.find(2)?.companies).toEqual([]);
});
