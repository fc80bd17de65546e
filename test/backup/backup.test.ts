/** Backups next to a server (contract section 16): their content, schedule and reports. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupsIn, keepNewest } from '../../src/backup/files.ts';
import { check } from '../../src/backup/restore.ts';
import { VERSION } from '../../src/version.ts';
import { MIGRATIONS } from '../../src/db/migrations.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';
import { DAY_MS, HOUR_MS, TestClock } from '../../src/clock.ts';
import { momentText } from '../../src/validation/calendar.ts';
import { type Scratch, manifestOf, membersOf, openScratch, sha256 } from './support.ts';

interface Ready {
  readonly backup: {
    readonly last: { readonly at: string; readonly file: string; readonly bytes: number } | null;
    readonly drill: {
      readonly at: string;
      readonly file: string;
      readonly ok: boolean;
      readonly message: string | null;
    } | null;
  };
  readonly notices: readonly string[];
}

const PRODUCTS = '/catp/api/ext/produto/12345678';
const PRODUCT = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '39269090' };

let server: TestApp;
let demo: Client;
let scratch: Scratch;
beforeEach(async () => {
  server = await openApp();
  demo = await server.as('demo');
  scratch = openScratch();
});
afterEach(async () => {
  await server.close();
  scratch.close();
});

const own = (): string => join(server.folder, 'backups');
const backups = () => server.app.core.backups;

async function include(changes: object = {}): Promise<number> {
  const { status, json } = await demo.call('POST', PRODUCTS, { ...PRODUCT, ...changes });
  expect(status).toBe(200);
  return (json as { codigo: number }).codigo;
}

describe('a backup', () => {
  test('has the database and a correct manifest of it, and no keys', async () => {
    const codigo = await include();
    expect((await demo.call('PUT', `${PRODUCTS}/${codigo}`, PRODUCT)).status).toBe(200);
    const operator = { nome: 'Acme', logradouro: 'Rua 1', nomeCidade: 'Bonn' };
    expect((await demo.call('POST', '/catp/api/ext/operador-estrangeiro/12345678/DE', operator)).status).toBe(
      200,
    );
    const link = { codigoProduto: codigo, conhecido: false, codigoPais: 'DE' };
    expect((await demo.call('POST', '/catp/api/ext/fabricante/12345678', link)).status).toBe(200);
    const hook = { evento: 'x', endpoint: 'https://erp.exemplo/a' };
    expect((await demo.call('POST', '/portal/api/ext/webhook', hook)).status).toBe(200);

    const backup = await backups().make();
    expect(backup.path).toBe(join(own(), 'catp-20260115T090000.zip'));
    const members = membersOf(backup.path);
    expect(Object.keys(members).toSorted()).toEqual(['catp.sqlite', 'manifest.json']);
    expect(manifestOf(members)).toEqual({
      createdAt: momentText(START),
      version: VERSION,
      audit: { seq: expect.any(Number), hash: expect.stringMatching(/^[\da-f]{64}$/) },
      schema: MIGRATIONS.at(-1)?.number ?? 0,
      counts: {
        products: 1,
        productVersions: 2,
        foreignOperators: 1,
        manufacturerLinks: 1,
        subscriptions: 1,
        users: server.app.core.session.accounts.listUsers().length,
      },
      sha256: { 'catp.sqlite': sha256(members['catp.sqlite'] ?? new Uint8Array()) },
    });
  });

  test('is readable by its owner only, and nothing else remains next to it', async () => {
    const backup = await backups().make();
    expect([statSync(backup.path).mode & 0o777, statSync(own()).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(own())).toEqual([backup.file]);
  });

  test('has the keys only when they are requested', async () => {
    const keys = join(server.folder, 'catp.key');
    const { path } = await backups().make({ keys, to: scratch.path });
    const members = membersOf(path);
    expect(Buffer.from(members['catp.key'] ?? '')).toEqual(readFileSync(keys));
    expect(manifestOf(members).sha256['catp.key']).toBe(sha256(readFileSync(keys)));
  });

  test('of the same second as another gets another name', async () => {
    const names = await Promise.all([1, 2, 3].map(async () => (await backups().make()).file));
    expect(names).toEqual([
      ...['catp-20260115T090000.zip', 'catp-20260115T090000-2.zip', 'catp-20260115T090000-3.zip'],
    ]);
    expect(backupsIn(own())).toEqual(names.toReversed());
  });

  test('under load ends, and has everything that was acknowledged before it began', async () => {
    let goesOn = true;
    let acknowledged = 0;
    const writers = Array.from({ length: 8 }, async () => {
      while (goesOn) {
        await include();
        acknowledged += 1;
      }
    });
    for (let round = 0; round < 3; round += 1) {
      const before = acknowledged;
      const backup = await backups().make();
      expect(backup.counts.products).toBeGreaterThanOrEqual(before);
      expect((await check({ file: backup.path, restShare: 0 })).counts).toEqual(backup.counts);
    }
    goesOn = false;
    await Promise.all(writers);
  });

  test('that cannot be written is refused with a remedy, and leaves nothing', async () => {
    const place = scratch.file('no-caminho', '');
    await expect(backups().make({ to: place })).rejects.toThrow(/não foi feita \(.*\)\. Verifique a pasta/);
    expect(server.app.core.backups.state().last).toBeNull();
  });

  test('that is interrupted by the stop leaves nothing', async () => {
    const making = backups().make({ to: scratch.path });
    backups().stop();
    await expect(making).rejects.toThrow(/encerrado|interrompida/);
    expect(readdirSync(scratch.path)).toEqual([]);
  });

  test('so does an interrupted drill', async () => {
    const { file } = await backups().make();
    const trying = backups().drill();
    setTimeout(() => backups().stop(), 20);
    await trying.catch(() => undefined);
    expect(readdirSync(own())).toEqual([file]);
  });

  test('removes the files of an interrupted one, and nothing of one that runs', async () => {
    const dead = Bun.spawnSync(['true']).pid;
    for (const name of [`.copia-${dead}-abc`, `.copia-${process.pid}-abc`])
      mkdirSync(join(scratch.path, name));
    const { file } = await backups().make({ to: scratch.path });
    expect(readdirSync(scratch.path).toSorted()).toEqual([`.copia-${process.pid}-abc`, file]);
  });
});

describe('of old backups', () => {
  const names = ['catp-20260101T023000.zip', 'catp-20260101T023000-2.zip', 'catp-20260101T023000-10.zip'];

  test('the newest stay, in the order of their creation; other files are not touched', () => {
    for (const name of [...names, 'catp-20260102T023000.zip', 'notas.zip', 'catp-x.zip'])
      scratch.file(name, '');
    expect(keepNewest(scratch.path, 2).toSorted()).toEqual(
      ['catp-20260101T023000.zip', 'catp-20260101T023000-2.zip'].toSorted(),
    );
    expect(readdirSync(scratch.path).toSorted()).toEqual(
      [...['catp-20260101T023000-10.zip', 'catp-20260102T023000.zip', 'catp-x.zip', 'notas.zip']].toSorted(),
    );
    expect(keepNewest(scratch.path, 2)).toEqual([]);
    expect(keepNewest(join(scratch.path, 'falta'), 2)).toEqual([]);
  });
});

describe('the copy of an upgrade', () => {
  beforeEach(async () => {
    await server.close();
    server = await openApp({ settings: { 'backup.manter': '1' }, clock: new TestClock(START) });
  });

  const copyOf = (moment: number): string => {
    const second = momentText(moment).slice(0, 19).replaceAll(/[-:]/g, '');
    const name = `catp-${second}-de-1.0.0-para-1.1.0.zip`;
    writeFileSync(join(own(), name), '');
    return name;
  };
  const isKeptAt = async (name: string, moment: number): Promise<boolean> => {
    server.clock.moveTo(moment);
    await backups().runOnce();
    return backupsIn(own()).includes(name);
  };

  test('stays until ten days after the migration, however long before it was made', async () => {
    const name = copyOf(START - 5 * DAY_MS); // an interrupted migration, repeated at START
    expect(await isKeptAt(name, START + 1000)).toBe(true);
    expect(await isKeptAt(name, START + 10 * DAY_MS)).toBe(true);
    expect(await isKeptAt(name, START + 10 * DAY_MS + 1000)).toBe(false);
  });

  test('without a migration after it stays for ten days', async () => {
    const name = copyOf(START + HOUR_MS);
    expect(await isKeptAt(name, START + HOUR_MS + 10 * DAY_MS)).toBe(true);
    expect(await isKeptAt(name, START + HOUR_MS + 10 * DAY_MS + 1000)).toBe(false);
  });
});

describe('on schedule', () => {
  let admin: Client;
  const NIGHT = { 'backup.horario': '02:30', 'backup.manter': '2' } as const;
  beforeEach(async () => {
    await server.close();
    server = await openApp({ settings: NIGHT, clock: new TestClock(START) });
    admin = await server.as('admin');
  });

  const advance = async (period: string): Promise<void> => {
    const { status } = await (
      await server.as('admin')
    ).call('POST', '/appliance/api/clock', { advance: period });
    expect(status).toBe(200);
  };
  const ready = async () => (await admin.call('GET', '/readyz')).json as Ready;

  test('a backup is made each night at its hour, a drill runs half an hour later, and both are reported', async () => {
    expect((await ready()).backup).toEqual({ last: null, drill: null });
    expect((await admin.call('GET', '/metrics')).text).toContain('catp_backup_timestamp_seconds 0\n');
    await advance('PT17H29M'); // 02:29 in Brasília
    expect((await ready()).backup.last).toBeNull();
    await advance('PT1M');
    const file = 'catp-20260116T023000.zip';
    const { last, drill } = (await ready()).backup;
    expect([last, drill]).toEqual([
      { at: '2026-01-16T02:30:00.000-03:00', file, bytes: expect.any(Number) },
      null,
    ]);
    await advance('PT30M');
    expect((await ready()).backup.drill).toEqual({
      at: '2026-01-16T03:00:00.000-03:00',
      file,
      ok: true,
      message: null,
    });
    const metrics = (await admin.call('GET', '/metrics')).text;
    expect(metrics).toContain(`catp_backup_timestamp_seconds ${Date.parse('2026-01-16T05:30:00Z') / 1000}\n`);
    expect(metrics).toContain(`catp_backup_bytes ${last?.bytes}\n`);
    expect(metrics).toContain(
      `catp_restore_drill_timestamp_seconds ${Date.parse('2026-01-16T06:00:00Z') / 1000}\n`,
    );
    expect(metrics).toContain('catp_restore_drill_ok 1\n');
    await advance('P1D');
    await advance('P1D');
    expect(backupsIn(own())).toEqual(['catp-20260118T023000.zip', 'catp-20260117T023000.zip']);
  });

  test('a backup that cannot be restored is reported: by the drill, on /readyz and in the metrics', async () => {
    const { path, file } = await backups().make();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, bytes.length / 2));
    await expect(backups().drill()).rejects.toThrow(`${file} não pode ser restaurado`);
    const state = await ready();
    const { ok, message } = state.backup.drill ?? {};
    expect([state.backup.drill?.file, ok, message]).toEqual([
      file,
      false,
      expect.stringContaining('restaurado'),
    ]);
    expect(message).not.toContain(server.folder);
    expect(state.notices.join()).toContain(`O teste de restauração de ${file} falhou`);
    expect((await admin.call('GET', '/metrics')).text).toContain('catp_restore_drill_ok 0\n');
    expect(readdirSync(own())).toEqual([file]);
  });

  test('no older one is removed while the newest cannot be restored, until a drill succeeds', async () => {
    const { path } = await backups().make();
    writeFileSync(path, '');
    await expect(backups().drill()).rejects.toThrow('não pode ser restaurado');
    for (const _night of [1, 2]) expect((await backups().runOnce()).removed).toEqual([]);
    expect(backupsIn(own())).toHaveLength(3); // the drill keeps a third one; otherwise two are kept
    await backups().drill();
    expect((await backups().runOnce()).removed).toHaveLength(2);
    expect(backupsIn(own())).toHaveLength(2);
  });

  test('a start runs the work that was missed while the machine was off, and no other', async () => {
    const restarted = async (at: number): Promise<readonly string[]> => {
      await server.close({ keepFolder: true });
      server = await openApp({ folder: server.folder, settings: NIGHT, clock: new TestClock(at) });
      await backups()
        .drill()
        .catch(() => undefined); // waits for the running backup
      return backupsIn(own());
    };
    expect(await restarted(START + 25 * HOUR_MS)).toEqual([]);
    const late = START + 25 * HOUR_MS + 1;
    const [file, ...others] = await restarted(late);
    expect([others, backups().state()]).toMatchObject([
      [],
      { last: { at: late, file }, drill: { file, ok: true } },
    ]);
    expect(await restarted(late + 25 * HOUR_MS)).toEqual([file ?? '']);
    expect(await restarted(late + 25 * HOUR_MS + 1)).toHaveLength(2);
    const { folder } = server;
    await server.close({ keepFolder: true });
    rmSync(folder, { recursive: true, force: true });
    server = await openApp();
  });

  test('without a backup the drill reports that, with the remedy', async () => {
    await expect(backups().drill()).rejects.toThrow('Não há cópia de segurança em');
  });

  test('both results survive a restart', async () => {
    await backups().make();
    await backups().drill();
    const before = (await ready()).backup;
    await server.close({ keepFolder: true });
    const { folder } = server;
    server = await openApp({ folder });
    expect((await server.anybody.call('GET', '/readyz')).json.backup).toEqual(before);
    rmSync(folder, { recursive: true, force: true });
    server = await openApp();
  });
});
