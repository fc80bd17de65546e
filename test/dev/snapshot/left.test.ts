/** Snapshots of other versions, and snapshots that a kill interrupted (contract section 15). */
import { afterEach, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../../../src/db/migrate.ts';
import { MIGRATIONS } from '../../../src/db/migrations.ts';
import { type Db, openForReading, openForWriting } from '../../../src/db/open.ts';
import { type Client, type TestApp, openApp } from '../../support/app.ts';

const BASE = '/appliance/api/snapshots';
const RESET = '/appliance/api/reset';
const LIST = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';

let server: TestApp | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function open() {
  const opened = (server = await openApp());
  return { opened, admin: await opened.as('admin'), demo: await opened.as('demo') };
}

const include = (client: Client, denominacao: string) =>
  client.call('POST', '/catp/api/ext/produto/12345678', {
    denominacao,
    modalidade: 'AMBOS',
    ncm: '73181500',
  });

const names = async (client: Client): Promise<string[]> =>
  (await client.call('GET', LIST)).json.map(({ denominacao }: { denominacao: string }) => denominacao);

describe('a snapshot of another version', () => {
  test('if older is migrated for the restore, and stays unchanged itself', async () => {
    const { opened, admin } = await open();
    await admin.call('POST', `${BASE}/antigo`);
    const file = join(opened.folder, 'snapshots/antigo@1/catp.sqlite');
    rmSync(file);
    const older = openForWriting(file);
    migrate(older, MIGRATIONS.slice(0, -1), opened.clock);
    older.close();
    expect((await admin.call('POST', `${BASE}/antigo/restore`)).status).toBe(204);
    const numbersOf = (db: Db) =>
      db.prepare<[], number>('SELECT number FROM migration ORDER BY number').pluck().all();
    expect(numbersOf(opened.app.core.db)).toEqual(MIGRATIONS.map(({ number }) => number));
    const snapshot = openForReading(file);
    expect(numbersOf(snapshot)).toHaveLength(MIGRATIONS.length - 1);
    snapshot.close();
  });

  test('if newer is refused, and nothing changes', async () => {
    const { opened, admin, demo } = await open();
    await include(demo, 'Antes');
    await admin.call('POST', `${BASE}/novo`);
    const newer = openForWriting(join(opened.folder, 'snapshots/novo@1/catp.sqlite'));
    newer.exec("INSERT INTO migration VALUES (999, 'later', 'x', 0, '9.0.0')");
    newer.close();
    await include(demo, 'Depois');
    const reply = await admin.call('POST', `${BASE}/novo/restore`);
    expect([reply.status, reply.json.message]).toEqual([422, expect.stringContaining('9.0.0')]);
    expect(await names(demo)).toEqual(['Antes', 'Depois']);
  });
});

describe('the rest of a killed operation', () => {
  test('is not listed, and is removed with the next one that is stored', async () => {
    const { opened, admin } = await open();
    const shelf = join(opened.folder, 'snapshots');
    await admin.call('POST', `${BASE}/um`);
    mkdirSync(join(shelf, '.meio-feito'));
    expect((await admin.call('GET', BASE)).json).toHaveLength(1);
    await admin.call('POST', `${BASE}/dois`);
    expect(readdirSync(shelf).toSorted()).toEqual(['dois@1', 'um@1']);
  });

  test('of a replacement is the later state, and a removal deletes both', async () => {
    const { opened, admin, demo } = await open();
    const shelf = join(opened.folder, 'snapshots');
    await admin.call('POST', `${BASE}/um`);
    cpSync(join(shelf, 'um@1'), join(opened.folder, 'aside'), { recursive: true });
    await include(demo, 'Segundo');
    await admin.call('POST', `${BASE}/um`);
    // The process was killed after the new snapshot had its name, and before the removal of the old one.
    renameSync(join(opened.folder, 'aside'), join(shelf, 'um@1'));
    expect((await admin.call('GET', BASE)).json).toHaveLength(1);
    await admin.call('POST', RESET);
    await admin.call('POST', `${BASE}/um/restore`);
    expect(await names(demo)).toEqual(['Segundo']);
    expect((await admin.call('DELETE', `${BASE}/um`)).status).toBe(204);
    expect(readdirSync(shelf)).toEqual([]);
  });
});
