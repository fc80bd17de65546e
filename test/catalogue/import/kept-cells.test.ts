/** Counts of the rows of running imports, and of those of an older version. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { CELLS_QUERIES, CellsStore } from '../../../src/catalogue/import/cells-store.ts';
import { KeptCells } from '../../../src/catalogue/import/kept-cells.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { MIGRATIONS } from '../../../src/db/migrations.ts';
import { TestClock } from '../../../src/clock.ts';
import { scratchForEachTest } from '../../db/support.ts';
import { COMPANY, type TestImports, openImports } from './support.ts';

const scratch = scratchForEachTest();
let imports: TestImports;

beforeEach(async () => {
  imports = await openImports();
});

afterEach(() => imports.close());

const open = (maxBytes: number) =>
  new KeptCells(new CellsStore(imports.core.db), imports.upload.folder, imports.core.writer, maxBytes);

/** Inserts the job of a sheet whose file has `bytes` bytes. */
function jobOf(id: number, state: string, bytes: number): void {
  imports.core.db.exec(
    `INSERT INTO import_job (id, documento, perfil, tipo, modo, simular, file_name, stored_file, sha256, state, company, kind, created_at)
     VALUES (${id}, '1', 'IMPEXP', 'produto', 'lote', 0, 'a.csv', 'file-${id}', 'y', '${state}', '${COMPANY}', 'planilha', 1)`,
  );
  writeFileSync(imports.upload.folder.pathOf(`file-${id}`), 'x'.repeat(bytes));
}

test('rows are refused when those of running and pending imports leave no room', async () => {
  const cells = open(1000);
  jobOf(1, 'running', 600);
  await imports.core.writer.write((tx) => {
    const cellsOfImport = cells.begin(COMPANY);
    cellsOfImport.add('x'.repeat(600));
    cellsOfImport.keep(1, tx.now);
    void cellsOfImport.end(true);
  });
  const firstImport = cells.begin(COMPANY);
  firstImport.add(new Uint8Array(300));
  const secondImport = cells.begin(COMPANY);
  secondImport.add('é'.repeat(50));
  expect(() => secondImport.add('x')).toThrow('600 bytes');
  await secondImport.end(false);
  firstImport.add('x'.repeat(100));
  expect(() => firstImport.add('x')).toThrow('1.000 bytes');
  await firstImport.end(false);
  expect(() => cells.begin('11222333').add('x'.repeat(1000))).not.toThrow();
});

test('the rows of an older version are measured at the start, and count', async () => {
  const store = new CellsStore(imports.core.db);
  for (const id of [1, 2]) {
    jobOf(id, 'done', 400);
    imports.core.db.exec(`INSERT INTO import_cells (job_id, company) VALUES (${id}, '${COMPANY}')`);
  }
  await open(800).start();
  expect(store.listUnmeasured()).toEqual([]);
  expect(store.listKept(COMPANY).map(({ bytes }) => bytes)).toEqual([400, 400]);
  await open(799).start();
  expect([store.isDropped(1), store.isDropped(2), imports.files()]).toEqual([true, false, ['file-2']]);
});

test('the migration converts the imports of sheets that keep their rows', () => {
  const { db } = scratch();
  const clock = new TestClock(42);
  const number = MIGRATIONS.findIndex(({ name }) => name === 'import_cells');
  migrate(db, MIGRATIONS.slice(0, number), clock);
  for (const [kind, forgotten] of [
    ['planilha', 0],
    ['correcao', 2],
    ['arquivo', 0],
  ])
    db.exec(`INSERT INTO import_job (documento, perfil, tipo, modo, simular, file_name, stored_file, sha256, state, company, kind, forgotten, created_at)
      VALUES ('1', 'IMPEXP', 'produto', 'lote', 0, 'a', 'x', 'y', 'done', '${COMPANY}', '${kind}', ${forgotten}, 1)`);
  migrate(db, MIGRATIONS.slice(0, number + 1), clock);
  expect(new CellsStore(db).listUnmeasured()).toEqual([{ id: 1, storedFile: 'x' }]);
});

test.each(Object.entries(CELLS_QUERIES))('the query %s is served by an index', (_name, sql) => {
  const parameters = Array.from(sql.matchAll(/\?/g), () => 1);
  const plan = imports.core.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as {
    detail: string;
  }[];
  expect(plan[0]?.detail).toMatch(/c USING (COVERING )?INDEX import_cells_/);
});
