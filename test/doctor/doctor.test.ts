/** Each check of `catp doctor`, in its good and in its bad state, on real files (contract section 16). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { putDrill, putLast } from '../../src/backup/marks.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, TestClock } from '../../src/clock.ts';
import { readSettings } from '../../src/config.ts';
import { FolderMarks } from '../../src/db/folder-mark.ts';
import { pathsOf } from '../../src/db/folder.ts';
import { type Db, openForReading } from '../../src/db/open.ts';
import { examine } from '../../src/doctor/examine.ts';
import { type Finding, exitCodeOf } from '../../src/doctor/model.ts';
import type { Disk } from '../../src/doctor/patient.ts';
import { START, openApp } from '../support/app.ts';
import { openReceiver } from '../support/receiver.ts';
import { issue } from '../support/tls.ts';
import { TestCa } from '../tls/authority.ts';
import { createAuthority } from '../../src/receiver/ca.ts';

const GIB = 1024 * 1024 * 1024;
const HEALTHY: Disk = { freeBytes: 50 * GIB, isVolatile: false };

/** A folder of a server that was stopped; each test has a copy. */
let made: string;
let folder: string;
beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'catp-doctor-'));
  const server = await openApp({ demo: true });
  const demo = await server.as('demo');
  await demo.call('POST', '/portal/api/ext/webhook', {
    evento: 'x',
    endpoint: 'https://erp.exemplo/segredo?chave=1',
  });
  await server.close({ keepFolder: true });
  cpSync(server.folder, made, { recursive: true });
  rmSync(server.folder, { recursive: true });
});
afterAll(() => rmSync(made, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catp-doctor-'));
  cpSync(made, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const place = (name: string): string => join(folder, name);

interface Situation {
  readonly settings?: Readonly<Record<string, string>>;
  readonly settingProblems?: readonly string[];
  readonly now?: number;
  readonly disk?: Disk;
  readonly receivers?: boolean;
}

async function findings(situation: Situation = {}): Promise<readonly Finding[]> {
  const {
    settings = {},
    settingProblems = [],
    now = START + HOUR_MS,
    disk = HEALTHY,
    receivers = false,
  } = situation;
  let db: Db | { readonly message: string };
  try {
    db = openForReading(place('catp.sqlite'));
    db.pragma('schema_version');
  } catch (problem) {
    db = { message: (problem as Error).message };
  }
  try {
    return await examine(
      {
        folder: pathsOf(folder),
        settings: readSettings({ environment: {}, commandLine: Object.entries(settings) }),
        ...{ settingProblems, db, clock: new TestClock(now), diskOf: () => disk },
      },
      { receivers },
    );
  } finally {
    if (!('message' in db)) db.close();
  }
}

/** What one check says; a finding has a remedy unless it is good. */
async function verdictOf(
  check: string,
  situation?: Situation,
): Promise<readonly [level: string, text: string]> {
  const all = await findings(situation);
  for (const { level, message, remedy } of all) {
    expect(message).toMatch(/^\S.{9,}[.…]$/s);
    expect(remedy === null).toBe(level === 'ok');
  }
  const found = all.find((one) => one.check === check);
  if (found === undefined) return ['none', ''];
  return [found.level, `${found.message} ${found.remedy ?? ''}`];
}

function inDatabase(work: (db: Database.Database) => void): void {
  const db = new Database(place('catp.sqlite'));
  db.pragma('foreign_keys = OFF');
  work(db);
  db.close();
}

describe('a healthy instance', () => {
  test('is good in everything, once it has a backup that was tried', async () => {
    inDatabase((db) => {
      const marks = new FolderMarks(db);
      putLast(marks, { at: START, file: 'catp-1.zip', bytes: 1 });
      putDrill(marks, { at: START, file: 'catp-1.zip', ok: true, message: null });
    });
    const all = await findings();
    expect(all.map(({ check, level }) => [check, level])).toEqual(
      [
        'integrity',
        'foreign-keys',
        'schema',
        'durability',
        'permissions',
        'disk',
        'clock',
        'tls',
        'attribute-table',
      ]
        .concat('backup', 'drill', 'settings')
        .map((check) => [check, 'ok']),
    );
    expect(exitCodeOf(all)).toBe(0);
  });

  test('is looked at without a change of any file', async () => {
    const before = ['catp.sqlite', 'catp.key'].map((name) => readFileSync(place(name)));
    await findings();
    expect(['catp.sqlite', 'catp.key'].map((name) => readFileSync(place(name)))).toEqual(before);
  });
});

test('the exit code is that of the worst finding', () => {
  const at = (level: Finding['level']): Finding => ({ check: 'x', level, message: '', remedy: null });
  expect(
    [[], ['ok'], ['ok', 'notice'], ['notice', 'warning'], ['warning', 'error', 'ok']].map((levels) =>
      exitCodeOf((levels as Finding['level'][]).map(at)),
    ),
  ).toEqual([0, 0, 0, 1, 2]);
});

describe('integrity', () => {
  test('a damaged page, a file that is no database, none at all', async () => {
    const file = readFileSync(place('catp.sqlite'));
    const damaged = Buffer.from(file);
    damaged.fill(0xff, file.length - 4096 * 20, file.length - 4096 * 4);
    writeFileSync(place('catp.sqlite'), damaged);
    const [level, text] = await verdictOf('integrity');
    expect([level, text]).toEqual(['error', expect.stringContaining('catp restore')]);
    writeFileSync(place('catp.sqlite'), 'isto não é um banco de dados; '.repeat(400));
    expect((await verdictOf('integrity'))[0]).toBe('error');
    expect((await verdictOf('schema'))[0]).toBe('none');
    rmSync(place('catp.sqlite'));
    expect((await verdictOf('integrity'))[0]).toBe('error');
  });
});

describe('foreign-keys', () => {
  test('rows without what they refer to', async () => {
    inDatabase((db) => db.exec('DELETE FROM company'));
    expect(await verdictOf('foreign-keys')).toEqual(['error', expect.stringContaining('product')]);
  });
});

describe('schema', () => {
  test('older is a notice, newer an error that names the version, and so is another text', async () => {
    const last = 'number = (SELECT max(number) FROM migration)';
    inDatabase((db) => db.exec(`UPDATE migration SET checksum = 'x' WHERE ${last}`));
    expect(await verdictOf('schema')).toEqual(['error', expect.stringContaining('difere')]);
    inDatabase((db) => db.exec(`DELETE FROM migration WHERE ${last}`));
    expect(await verdictOf('schema')).toEqual(['notice', expect.stringContaining('versão anterior')]);
    copyFileSync(join(made, 'catp.sqlite'), place('catp.sqlite'));
    inDatabase((db) =>
      db.exec(
        "INSERT INTO migration (number, name, checksum, applied_at, applied_by) VALUES (999, 'future', 'x', 1, '9.8.7')",
      ),
    );
    expect(await verdictOf('schema')).toEqual(['error', expect.stringContaining('catp 9.8.7')]);
  });
});

describe('durability', () => {
  test('a folder in memory, and a database that another program has put into another mode', async () => {
    expect(await verdictOf('durability', { disk: { ...HEALTHY, isVolatile: true } })).toEqual([
      'error',
      expect.stringContaining('em memória'),
    ]);
    inDatabase((db) => db.pragma('journal_mode = DELETE'));
    expect(await verdictOf('durability')).toEqual(['warning', expect.stringContaining('delete')]);
  });
});

describe('permissions', () => {
  test('a folder that others may read: a warning; keys that they may read, or none: an error', async () => {
    chmodSync(place('catp.key'), 0o600);
    chmodSync(folder, 0o755);
    expect(await verdictOf('permissions')).toEqual([
      'warning',
      expect.stringContaining(`chmod -R go= '${folder}'`),
    ]);
    chmodSync(place('catp.key'), 0o640);
    expect(await verdictOf('permissions')).toEqual(['error', expect.stringContaining('ler as chaves')]);
    chmodSync(folder, 0o700);
    expect((await verdictOf('permissions'))[0]).toBe('ok');
    writeFileSync(place('catp.key'), 'curto');
    expect(await verdictOf('permissions')).toEqual(['error', expect.stringContaining('está danificado')]);
    rmSync(place('catp.key'));
    expect(await verdictOf('permissions')).toEqual([
      'error',
      expect.stringContaining('catp init --new-keys'),
    ]);
  });
});

describe('disk', () => {
  const MIB = 1024 * 1024;
  const free = (freeBytes: number): Situation => ({ disk: { freeBytes, isVolatile: false } });

  test('a gibibyte is wanted, twice the database at least; below 100 MiB it is an error', async () => {
    const at = async (bytes: number): Promise<string> => (await verdictOf('disk', free(bytes)))[0];
    expect([await at(GIB), await at(GIB - 1), await at(100 * MIB), await at(100 * MIB - 1)]).toEqual([
      ...['ok', 'warning', 'warning', 'error'],
    ]);
    expect(statSync(place('catp.sqlite')).size).toBeLessThan(GIB / 2);
  });
});

describe('clock', () => {
  test('behind what was written, or never set', async () => {
    expect((await verdictOf('clock', { now: START - 5 * MINUTE_MS }))[0]).toBe('ok');
    expect(await verdictOf('clock', { now: START - 5 * MINUTE_MS - 1 })).toEqual([
      'error',
      expect.stringContaining('NTP'),
    ]);
    expect(await verdictOf('clock', { now: 0 })).toEqual([
      'error',
      expect.stringContaining('nunca foi acertado'),
    ]);
  });
});

describe('tls', () => {
  const day = async (days: number): Promise<Situation> => {
    const { cert, key } = await issue();
    writeFileSync(place('cert.pem'), cert);
    writeFileSync(place('key.pem'), key);
    const { X509Certificate } = await import('node:crypto');
    const until = new X509Certificate(cert).validToDate.getTime();
    return {
      settings: { 'tls.porta': '0', 'tls.certificado': place('cert.pem'), 'tls.chave': place('key.pem') },
      now: until + days * DAY_MS,
    };
  };

  test('in its time, soon over, over, not yet', async () => {
    expect((await verdictOf('tls', await day(-30)))[0]).toBe('ok');
    expect(await verdictOf('tls', await day(-29.5))).toEqual([
      'warning',
      expect.stringContaining('vence em 29 dias'),
    ]);
    expect(await verdictOf('tls', await day(0.1))).toEqual(['error', expect.stringContaining('venceu em')]);
    expect(await verdictOf('tls', { ...(await day(0)), now: Date.parse('2000-01-01T00:00:00Z') })).toEqual([
      'error',
      expect.stringContaining('só vale a partir de'),
    ]);
  });

  test('lists of revoked certificates that are older than their next one', async () => {
    const authority = await TestCa.create('Autoridade');
    writeFileSync(place('ca.pem'), authority.pem);
    writeFileSync(place('lcr.der'), new Uint8Array((await authority.revocations([])).rawData));
    const settings = { 'tls.clientes': place('ca.pem'), 'tls.revogados': place('lcr.der') };
    expect((await verdictOf('tls', { settings, now: Date.now() }))[0]).toBe('ok');
    expect(await verdictOf('tls', { settings, now: Date.now() + 1000 * DAY_MS })).toEqual([
      'warning',
      expect.stringContaining('tls.revogados'),
    ]);
  });

  test('files that the server would not start with', async () => {
    const { settings } = await day(-100);
    rmSync(place('key.pem'));
    expect(await verdictOf('tls', { settings: settings ?? {} })).toEqual([
      'error',
      expect.stringContaining('tls.chave'),
    ]);
  });
});

describe('attribute-table', () => {
  test('none is a notice', async () => {
    inDatabase((db) => db.exec('DELETE FROM attribute_activation'));
    expect(await verdictOf('attribute-table')).toEqual([
      'notice',
      expect.stringContaining('catp attributes load'),
    ]);
  });
});

describe('backup and drill', () => {
  const mark = (work: (marks: FolderMarks) => void): void => inDatabase((db) => work(new FolderMarks(db)));
  const now = START + 10 * DAY_MS;

  test('none, and older than two days, are warnings', async () => {
    expect(await verdictOf('backup')).toEqual(['warning', expect.stringContaining('catp backup')]);
    expect(await verdictOf('drill')).toEqual(['warning', expect.stringContaining('teste-de-restauracao')]);
    for (const [at, level] of [
      [now - 2 * DAY_MS, 'ok'],
      [now - 2 * DAY_MS - 1, 'warning'],
    ] as const) {
      mark((marks) => {
        putLast(marks, { at, file: 'catp-1.zip', bytes: 1 });
        putDrill(marks, { at, file: 'catp-1.zip', ok: true, message: null });
      });
      expect([(await verdictOf('backup', { now }))[0], (await verdictOf('drill', { now }))[0]]).toEqual([
        level,
        level,
      ]);
    }
  });

  test('a drill that failed is an error, and says why', async () => {
    mark((marks) => putDrill(marks, { at: now, file: 'catp-1.zip', ok: false, message: 'Zip corrompido.' }));
    expect(await verdictOf('drill', { now })).toEqual(['error', expect.stringContaining('Zip corrompido.')]);
  });
});

describe('settings', () => {
  const level = async (settings: Record<string, string>): Promise<string> =>
    (await verdictOf('settings', { settings }))[0];

  test('beyond the loopback without TLS or a proxy, any origin, and what is invalid', async () => {
    for (const host of ['127.0.0.1', '127.0.0.2', '::1', 'localhost'])
      expect([host, await level({ host })]).toEqual([host, 'ok']);
    for (const host of ['0.0.0.0', '10.0.0.5', '::', '127.exemplo'])
      expect([host, await level({ host })]).toEqual([host, 'warning']);
    expect(await level({ host: '0.0.0.0', 'tls.porta': '8443' })).toBe('ok');
    expect(await level({ host: '0.0.0.0', 'proxy.confiavel': '10.0.0.1' })).toBe('ok');
    expect(await level({ 'cors.origens': '*' })).toBe('warning');
    expect(await level({ 'cors.origens': 'https://erp.exemplo' })).toBe('ok');
    expect(await verdictOf('settings', { settingProblems: ['porta: recebido x.'] })).toEqual([
      'error',
      expect.stringContaining('porta: recebido x.'),
    ]);
  });
});

describe('receivers', () => {
  test('are looked at only where it is asked for', async () => {
    expect((await verdictOf('receivers'))[0]).toBe('none');
  });

  test('a real one that answers, with nothing sent to it; one that does not, one that nobody trusts', async () => {
    await using receiver = await openReceiver();
    writeFileSync(place('ca.pem'), receiver.ca);
    writeFileSync(place('outra.pem'), (await createAuthority(Date.now())).pem);
    const settings = {
      'entrega.mapa': `erp.exemplo:443=127.0.0.1:${receiver.port}`,
      'entrega.ca': place('ca.pem'),
    };
    const good = await verdictOf('receivers', { receivers: true, settings });
    expect(good).toEqual(['ok', expect.stringContaining('Os 1 receptores')]);
    expect(receiver.requests).toEqual([]);

    const untrusted = { ...settings, 'entrega.ca': place('outra.pem') };
    const [level, text] = await verdictOf('receivers', { receivers: true, settings: untrusted });
    expect([level, text]).toEqual([
      'warning',
      expect.stringContaining('erp.exemplo: O certificado do destinatário'),
    ]);
    // What stands behind the host may be a secret.
    expect(text).not.toContain('segredo');
    const closed = { ...settings, 'entrega.mapa': 'erp.exemplo:443=127.0.0.1:1' };
    expect(await verdictOf('receivers', { receivers: true, settings: closed })).toEqual([
      'warning',
      expect.stringContaining('A conexão com o destinatário falhou'),
    ]);
  });

  test('none at all is no fault', async () => {
    inDatabase((db) => db.exec('DELETE FROM delivery_failure; DELETE FROM subscription'));
    expect((await verdictOf('receivers', { receivers: true }))[0]).toBe('ok');
  });
});
