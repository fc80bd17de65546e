/** GET /appliance/api/settings, doctor, backups; POST backups, backups/drill. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../src/settings/settings.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';

/** Backups are made by a Worker. */
let server: TestApp;
let admin: Client;
beforeEach(async () => {
  server = await openApp({ settings: { 'backup.manter': '2', perfil: 'portal', 'limite.nome': '99' } });
  admin = await server.as('admin');
});
afterEach(() => server.close());

const BASE = '/appliance/api';

async function done(method: string, path: string) {
  const reply = await admin.call(method, `${BASE}${path}`);
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  return reply.json;
}

test('only an administrator sees the instance', async () => {
  const demo = await server.as('demo');
  for (const [method, path] of [
    ['GET', '/settings'],
    ['GET', '/doctor'],
    ['GET', '/backups'],
    ['POST', '/backups'],
    ['POST', '/backups/drill'],
  ] as const) {
    expect((await server.anybody.call(method, `${BASE}${path}`)).status).toBe(401);
    expect((await demo.call(method, `${BASE}${path}`)).status).toBe(403);
  }
  expect(readdirSync(join(server.folder, 'backups'))).toEqual([]);
});

describe('settings', () => {
  test('are complete, each in its written form, and marked when a user has set it', async () => {
    const settings = (await done('GET', '/settings')) as {
      name: string;
      value: string;
      isDefault: boolean;
    }[];
    expect(settings.map(({ name }) => name)).toEqual(Object.keys(SETTINGS));
    const of = (name: string) => settings.find((one) => one.name === name);
    expect(of('backup.manter')).toMatchObject({ value: '2', isDefault: false });
    expect(of('limite.nome')).toMatchObject({ value: '99', isDefault: false });
    // The profile sets this value, so it is a default.
    expect(of('limite.denominacao')).toMatchObject({ value: '120', isDefault: true });
    expect(of('servidor.listasEspera')).toMatchObject({ value: '10s', isDefault: true });
  });
});

describe('the findings of the doctor', () => {
  test('are those of the command, without the receivers', async () => {
    const findings = (await done('GET', '/doctor')) as { check: string; level: string }[];
    expect(findings.map(({ check }) => check)).toEqual([
      ...['integrity', 'foreign-keys', 'schema', 'writer', 'durability', 'permissions', 'folders', 'disk'],
      'clock',
      ...['tls', 'attribute-table', 'backup', 'drill', 'audit', 'settings'],
    ]);
    const levelOf = (name: string) => findings.find(({ check }) => check === name)?.level;
    expect([levelOf('integrity'), levelOf('foreign-keys'), levelOf('durability')]).toEqual([
      'ok',
      'ok',
      'ok',
    ]);
    expect([levelOf('attribute-table'), levelOf('backup')]).toEqual(['notice', 'warning']);
    expect(Object.keys(findings[0] ?? {})).toEqual(['check', 'level', 'message', 'remedy']);
  });

  test('include a record whose reference has no target', async () => {
    const { db } = server.app.core;
    db.pragma('foreign_keys = OFF');
    db.exec(
      "INSERT INTO access_key (client_id, documento, secret_hash, created_at) VALUES ('x', 'y', 'z', 1)",
    );
    db.pragma('foreign_keys = ON');
    expect((await done('GET', '/doctor'))[1]).toMatchObject({ check: 'foreign-keys', level: 'error' });
  });
});

describe('backups', () => {
  test('are empty before the first, and a test of none is refused', async () => {
    const folder = join(server.folder, 'backups');
    expect(await done('GET', '/backups')).toEqual({ folder, last: null, drill: null, files: [] });
    const reply = await admin.call('POST', `${BASE}/backups/drill`);
    expect([reply.status, reply.json.code]).toEqual([404, 'APPL-ER0404']);
    expect(reply.json.message).toContain('faça uma primeiro');
  });

  test('are created on request, tested, and kept up to the number of the setting', async () => {
    const backup = await done('POST', '/backups');
    expect(backup).toEqual({
      file: 'catp-20260115T090000.zip',
      at: '2026-01-15T09:00:00.000-03:00',
      bytes: expect.any(Number),
    });
    const drill = await done('POST', '/backups/drill');
    expect(drill).toEqual({
      at: '2026-01-15T09:00:00.000-03:00',
      file: backup.file,
      ok: true,
      message: null,
    });
    await done('POST', '/backups');
    const last = await done('POST', '/backups');
    const list = await done('GET', '/backups');
    expect([list.last, list.drill]).toEqual([last, drill]);
    const names = ['catp-20260115T090000-3.zip', 'catp-20260115T090000-2.zip'];
    expect(list.files.map(({ file }: { file: string }) => file)).toEqual(names);
    expect(readdirSync(list.folder).toSorted()).toEqual(names.toSorted());
  });

  test('that are unusable are reported as a result', async () => {
    const { file } = await done('POST', '/backups');
    truncateSync(join(server.folder, 'backups', file), 100);
    const drill = await done('POST', '/backups/drill');
    expect(drill).toMatchObject({ file, ok: false, message: expect.stringContaining(file) });
    expect((await done('GET', '/backups')).drill).toEqual(drill);
  });

  test('that cannot be made are refused with the reason', async () => {
    rmSync(join(server.folder, 'backups'), { recursive: true });
    await Bun.write(join(server.folder, 'backups'), 'a file in the place of the folder');
    const reply = await admin.call('POST', `${BASE}/backups`);
    expect([reply.status, reply.json.code]).toEqual([503, 'APPL-ER0503']);
    expect(reply.json.message).toContain(join(server.folder, 'backups'));
    rmSync(join(server.folder, 'backups'));
  });
});
