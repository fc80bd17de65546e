/** A folder whose nomenclature a version with another table of lines loaded. */
import { afterEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestClock } from '../../src/clock.ts';
import { migrate } from '../../src/db/migrate.ts';
import { MIGRATIONS } from '../../src/db/migrations.ts';
import { openForWriting } from '../../src/db/open.ts';
import { seedDevelopment } from '../../src/demo/seed.ts';
import { START, type TestApp, openApp } from '../support/app.ts';
import { DOWNLOAD, NOMENCLATURE, nomenclatureFile } from './support.ts';

const BEFORE = MIGRATIONS.findIndex(({ name }) => name === 'nomenclature_row');
const FILE = JSON.stringify(
  nomenclatureFile([
    ['8712.00.10', 'Bicicletas', '01/04/2022', '14/01/2026'],
    ['8712.00.10', 'Ciclos', '15/01/2026'],
    ['87', 'Veículos'],
  ]),
);

let server: TestApp | undefined;
afterEach(() => server?.close());

test('has its descriptions and its loading time at the first start; another file replaces it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'catp-nomenclature-'));
  const db = openForWriting(join(folder, 'catp.sqlite'));
  migrate(db, MIGRATIONS.slice(0, BEFORE), new TestClock(START));
  db.prepare(
    `INSERT INTO nomenclature (sha256, updated, act, "rows", ncms, loaded_at, file, content)
     VALUES ('x', 'Vigente', 'Ato', 3, 1, ?, ?, ?)`,
  ).run(START - 1000, Bun.gzipSync(FILE), Bun.gzipSync('[]'));
  migrate(db, MIGRATIONS, new TestClock(START));
  db.close();
  server = await openApp({ folder, settings: { ambiente: 'producao' } });
  await seedDevelopment(server.app.core, { empty: true });
  const admin = await server.as('admin');
  expect((await admin.call('GET', NOMENCLATURE)).json.loaded).toEqual({
    rows: 3,
    ncms: 1,
    updated: 'Vigente',
    act: 'Ato',
    loadedAt: '2026-01-15T08:59:59.000-03:00',
  });
  const descriptions = async (): Promise<string[]> =>
    (await admin.call('GET', '/appliance/api/ncm?text=veiculos')).json.map(
      ({ descricao }: { descricao: string }) => descricao,
    );
  expect(await descriptions()).toEqual(['Ciclos']);
  expect((await admin.call('GET', DOWNLOAD)).text).toBe(FILE);
  const other = nomenclatureFile([['8712.00.10', 'Veículos de duas rodas']]);
  expect((await admin.call('POST', NOMENCLATURE, other)).status).toBe(200);
  expect(await descriptions()).toEqual(['Veículos de duas rodas']);
  const rowCount = server.app.core.db.prepare('SELECT count(*) FROM nomenclature_row').pluck().get();
  expect(rowCount).toBe(1);
  rmSync(folder, { recursive: true, force: true });
});
