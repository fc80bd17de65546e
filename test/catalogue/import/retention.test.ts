/** Uploads and imports are deleted after their retention (setting `importacao.dias`). */
import { afterEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, TestClock } from '../../../src/clock.ts';
import { DELETED_AT_ONCE } from '../../../src/db/delete-in-slices.ts';
import { DomainError } from '../../../src/errors.ts';
import { START, type TestApp, openApp } from '../../support/app.ts';
import { products } from './support.ts';

const PATH = '/appliance/api/imports';

let server: TestApp;
afterEach(() => server.close());

function form(items: unknown): FormData {
  const data = new FormData();
  data.set('file', new Blob([JSON.stringify(items)]), 'produtos.json');
  data.set('tipo', 'produto');
  return data;
}

async function importItems(items: unknown): Promise<number> {
  const demo = await server.as('demo');
  const { id } = (await demo.call('POST', PATH, form(items))).json as { id: number };
  for (;;) {
    const { json } = await demo.call('GET', `${PATH}/${id}`);
    if (json.state === 'done') return id;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

const rows = (): unknown =>
  server.app.core.db
    .prepare('SELECT (SELECT count(*) FROM import_job), (SELECT count(*) FROM import_result)')
    .raw()
    .get();

async function advanceTo(instant: number): Promise<void> {
  const admin = await server.as('admin');
  const reply = await admin.call('POST', '/appliance/api/clock', { set: new Date(instant).toISOString() });
  expect(reply.status).toBe(200);
}

/** Records the number of rows that each transaction changes. */
function changesOfEach(): number[] {
  const { db, writer } = server.app.core;
  const total = db.prepare<[], number>('SELECT total_changes()').pluck();
  const changes: number[] = [];
  const write = writer.write.bind(writer);
  writer.write = (work) =>
    write((tx) => {
      const before = total.get() ?? 0;
      const result = work(tx);
      changes.push((total.get() ?? 0) - before);
      return result;
    });
  return changes;
}

describe('an import', () => {
  test('is deleted with its results 90 days after its end, in small transactions, and not before', async () => {
    server = await openApp({ clock: new TestClock(START) });
    const count = 2 * DELETED_AT_ONCE + 1;
    const id = await importItems(products(count));
    const changes = changesOfEach();

    // The operation for the clock would run the hourly jobs, so the test moves the clock directly.
    server.clock.moveTo(START + 90 * DAY_MS);
    await server.app.core.imports.retention.runOnce();
    expect(rows()).toEqual([1, count]);
    server.clock.moveTo(START + 90 * DAY_MS + DAY_MS);
    await server.app.core.imports.retention.runOnce();
    expect(rows()).toEqual([0, 0]);
    expect(Math.max(...changes)).toBeLessThanOrEqual(DELETED_AT_ONCE + 1);
    expect((await (await server.as('demo')).call('GET', `${PATH}/${id}`)).status).toBe(404);
  });

  test('is kept for importacao.dias', async () => {
    server = await openApp({ settings: { 'importacao.dias': '2' } });
    await importItems(products(1));
    await advanceTo(START + 2 * DAY_MS);
    expect(rows()).toEqual([1, 1]);
    await advanceTo(START + 3 * DAY_MS);
    expect(rows()).toEqual([0, 0]);
  });

  test('that is running is kept at any age', async () => {
    server = await openApp();
    const { db } = server.app.core;
    db.exec(`INSERT INTO import_job (documento, perfil, tipo, modo, simular, file_name, stored_file, sha256, state, created_at)
      VALUES ('00000000191', 'IMPEXP', 'produto', 'lote', 0, 'a', 'a', '', 'running', 0)`);
    await server.app.core.imports.retention.runOnce();
    expect(rows()).toEqual([1, 0]);
  });
});

describe('an upload', () => {
  test('whose job cannot be written leaves no file', async () => {
    server = await openApp();
    const demo = await server.as('demo');
    const { writer } = server.app.core;
    const write = writer.write.bind(writer);
    writer.write = () => Promise.reject(new DomainError('unavailable', 'O disco está cheio.'));
    expect((await demo.call('POST', PATH, form(products(1)))).status).toBe(503);
    writer.write = write;
    expect(readdirSync(join(server.folder, 'imports'))).toEqual([]);
  });
});
