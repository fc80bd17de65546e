/**
 * A newer catp on the folder of an older one (contract section 16, "Upgrades"): a backup first, for a
 * crash at any point.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../../src/backup/restore.ts';
import { manifestOf } from '../../src/backup/unpack.ts';
import { TestClock } from '../../src/clock.ts';
import { migrate } from '../../src/db/migrate.ts';
import { MIGRATIONS } from '../../src/db/migrations.ts';
import { openForReading, openForWriting } from '../../src/db/open.ts';
import { type Sandbox, openSandbox } from './support.ts';

const COMPANY = '12345678';
const PRODUCTS = 4000;
const NEWEST = MIGRATIONS.at(-1)?.number ?? 0;

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
  sandbox.init('dados');
  const data = ['--data', 'dados'];
  expect(sandbox.run(['company', 'add', COMPANY, '--nome', 'X', ...data]).code).toBe(0);
  const items = Array.from({ length: PRODUCTS }, (_, index) => ({
    seq: index + 1,
    cpfCnpjRaiz: COMPANY,
    denominacao: `Peça ${index}`,
    descricao: 'x'.repeat(500),
    modalidade: 'IMPORTACAO',
    ncm: '39269090',
  }));
  writeFileSync(place('produtos.json'), JSON.stringify(items));
  expect(sandbox.run(['import', 'produto', 'produtos.json', ...data]).code).toBe(0);
  makeOlder();
});
afterEach(() => sandbox.close());

const place = (...names: string[]): string => join(sandbox.folder, ...names);
const backups = (): string[] =>
  existsSync(place('dados', 'backups'))
    ? readdirSync(place('dados', 'backups')).filter((name) => name.endsWith('.zip'))
    : [];

/** The newest migration of the build that was delivered on 23/11 (c3ad120). */
const OLDER = 4;

/** Replaces the folder with one of an older version that has the same data. */
function makeOlder(): void {
  const older = openForWriting(place('older.sqlite'));
  migrate(older, MIGRATIONS.slice(0, OLDER), new TestClock(0), '0.9.0');
  older.pragma('foreign_keys = OFF');
  older.prepare('ATTACH ? AS newer').run(place('dados', 'catp.sqlite'));
  const texts = (sql: string, ...parameters: string[]): string[] =>
    older
      .prepare<string[], string>(sql)
      .pluck()
      .all(...parameters);
  const inBoth = `SELECT name FROM main.sqlite_schema JOIN newer.sqlite_schema USING (type, name)
    WHERE type = 'table' AND name NOT IN ('migration', 'sqlite_sequence')`;
  for (const table of texts(inBoth)) {
    const columns = texts(
      `SELECT name FROM pragma_table_info(?, 'main') JOIN pragma_table_info(?, 'newer') USING (name)`,
      ...[table, table],
    ).join();
    older.exec(`DELETE FROM main.${table}`);
    older.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM newer.${table}`);
  }
  older.exec("DELETE FROM folder_mark WHERE name = 'writer'");
  older.close();
  rmSync(place('dados', 'catp.writer'), { force: true });
  for (const end of ['', '-wal', '-shm']) rmSync(place('dados', `catp.sqlite${end}`), { force: true });
  renameSync(place('older.sqlite'), place('dados', 'catp.sqlite'));
}

function stateOf(file: string): {
  readonly schema: number;
  readonly products: number;
  readonly integrity: string;
} {
  const db = openForReading(file);
  try {
    const valueOf = (sql: string): unknown => db.prepare(sql).pluck().get();
    return {
      schema: Number(valueOf('SELECT max(number) FROM migration')),
      products: Number(valueOf('SELECT count(*) FROM product')),
      integrity: String(db.pragma('integrity_check', { simple: true })),
    };
  } finally {
    db.close();
  }
}

const version = (): string => sandbox.run(['--version']).stdout.trim();

const auditOf = (data: string): Record<string, unknown>[] =>
  sandbox
    .run(['audit', 'export', '--data', data])
    .stdout.trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const database = (): string => place('dados', 'catp.sqlite');

/** Matches the line of doctor about the last backup. */
const lastIs = (file = ''): RegExp =>
  new RegExp(`^bom {5}backup: A última cópia de segurança é de .*\\(${file.replaceAll('+', '\\+')}\\)`, 'm');

describe('the folder of an older version', () => {
  test('is backed up before the server migrates it; the backup has the older schema, and is complete', async () => {
    const before = stateOf(database());
    expect(before.schema).toBeLessThan(NEWEST);
    const server = await sandbox.start('serve', '--port', '0', '--data', 'dados');
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(await server.allStderr()).toMatch(
      /atualizado da versão 0\.9\.0 para a \S+ do catp; a cópia de segurança de antes é/,
    );
    expect(stateOf(database())).toEqual({ ...before, schema: NEWEST });
    const [file = '', ...otherBackups] = backups();
    expect(otherBackups).toEqual([]);
    expect(sandbox.run(['doctor', '--data', 'dados']).stdout).toMatch(lastIs(file));
    expect(file).toMatch(
      new RegExp(`^catp-\\d{8}T\\d{6}-de-0\\.9\\.0-para-${version().replaceAll('+', '\\+')}\\.zip$`),
    );
    const { upgrade, schema } = await manifestOf(place('dados', 'backups', file));
    expect({ upgrade, schema }).toEqual({
      upgrade: { from: '0.9.0', to: version(), schema: NEWEST },
      schema: OLDER,
    });
    const copied = await check({ file: place('dados', 'backups', file), restShare: 0 });
    expect(copied.counts).toMatchObject({ products: PRODUCTS });
    const copies = auditOf('dados').filter(({ action }) => action === 'COPIA');
    expect(copies).toMatchObject([{ subject: `backup ${file}`, channel: 'system' }]);
    expect(sandbox.run(['restore', `dados/backups/${file}`, '--to', 'antes']).code).toBe(0);
    expect(stateOf(place('antes', 'catp.sqlite'))).toEqual(before);

    // A start without a migration creates no backup.
    const restarted = await sandbox.start('serve', '--port', '0', '--data', 'dados');
    expect(await restarted.stop()).toBe(0);
    expect(backups()).toEqual([file]);
  });

  test('is refused by every other command, in one line that names both ways, and is not changed', () => {
    const before = readFileSync(database());
    const files = readdirSync(place('dados'));
    for (const words of [
      ['user', 'list'],
      ['audit', 'verify'],
      ['company', 'add', '11444777', '--nome', 'Y'],
      ['backup'],
      ['job', 'run', 'retencao'],
      ['export', 'produto', '--empresa', COMPANY],
      ['takeover'],
    ]) {
      const { code, stdout, stderr } = sandbox.run([...words, '--data', 'dados']);
      expect([words, code, stdout]).toEqual([words, 1, '']);
      expect(stderr).toMatch(
        /^catp: A pasta de dados dados é de uma versão anterior .*catp serve --data dados.*catp migrate --data dados;[^\n]*\n$/,
      );
    }
    expect(readFileSync(database()).equals(before)).toBe(true);
    // `takeover` may have created the lock.
    expect(readdirSync(place('dados')).filter((name) => name !== 'catp.lock')).toEqual(
      files.filter((name) => name !== 'catp.lock'),
    );
  });

  test('doctor prints "não se sabe" for the checks that it cannot run', () => {
    const { code, stdout } = sandbox.run(['doctor', '--json', '--data', 'dados']);
    expect(code).toBe(0);
    const findings = JSON.parse(stdout) as { check: string; level: string; message: string }[];
    for (const check of ['audit', 'attribute-table', 'backup', 'drill', 'clock'])
      expect(findings.find((finding) => finding.check === check)).toMatchObject({
        level: 'notice',
        message: expect.stringContaining('Não se sabe'),
      });
    expect(findings.find(({ check }) => check === 'schema')).toMatchObject({
      level: 'notice',
      remedy: expect.stringMatching(/catp serve.*catp migrate --data dados/),
    });
  });

  test('is upgraded once by catp migrate, also without its keys', async () => {
    const before = stateOf(database());
    renameSync(place('dados', 'catp.key'), place('catp.key'));
    const { code, stdout } = sandbox.run(['migrate', '--data', 'dados']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('atualizado da versão 0.9.0 para a')]);
    renameSync(place('catp.key'), place('dados', 'catp.key'));
    expect([stateOf(database()), backups().length]).toEqual([{ ...before, schema: NEWEST }, 1]);
    expect(sandbox.run(['migrate', '--data', 'dados']).stdout).toContain('já é desta versão');
    expect(sandbox.run(['doctor', '--data', 'dados']).stdout).toMatch(lastIs(backups()[0]));
    expect(existsSync(place('dados', 'catp.writer'))).toBe(true);
    expect(backups().length).toBe(1);
  });

  test('has one backup for one upgrade, and another one after writes of the older version', async () => {
    expect(sandbox.run(['migrate', '--data', 'dados']).code).toBe(0);
    makeOlder(); // simulates a process that was killed after the backup
    expect(sandbox.run(['migrate', '--data', 'dados']).code).toBe(0);
    expect(backups().length).toBe(1);
    makeOlder();
    const db = openForWriting(database());
    db.exec('DELETE FROM product WHERE id = (SELECT min(id) FROM product)');
    db.close();
    expect(sandbox.run(['migrate', '--data', 'dados']).code).toBe(0);
    expect(backups().length).toBe(2);
  });

  test('is not migrated when no backup can be made', () => {
    const before = stateOf(database());
    writeFileSync(place('no-caminho'), '');
    for (const words of [['serve', '--port', '0'], ['migrate']]) {
      const { code, stderr } = sandbox.run([...words, '--data', 'dados', '--set', 'backup.pasta=no-caminho']);
      expect([words, code, stderr]).toEqual([words, 1, expect.stringContaining('não foi feita')]);
      expect(stderr).not.toContain('--to');
    }
    expect(stateOf(database())).toEqual(before);
  });

  test('is complete after kill -9 at any moment, and has a complete backup once it is migrated', async () => {
    const before = stateOf(database());
    // A killed server may have written to its audit trail: each upgrade begins with the same folder.
    cpSync(place('dados'), place('antes'), { recursive: true });
    let kills = 0;
    for (let ms = 0; ms < 400; ms += 20) {
      const server = Bun.spawn([sandbox.executable, 'serve', '--port', '0', '--data', 'dados'], {
        cwd: sandbox.folder,
        env: {},
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: 'ignore',
      });
      await Bun.sleep(ms);
      server.kill('SIGKILL');
      await server.exited;
      kills += 1;
      const state = stateOf(database());
      // The folder is unchanged or upgraded; no other state exists.
      expect([before.schema, NEWEST]).toContain(state.schema);
      expect({ ms, ...state }).toEqual({ ms, ...before, schema: state.schema });
      expect(backups().length).toBeLessThanOrEqual(1);
      for (const file of backups())
        expect((await check({ file: place('dados', 'backups', file), restShare: 0 })).counts.products).toBe(
          PRODUCTS,
        );
      if (state.schema === before.schema) continue;
      expect(backups().length).toBe(1);
      renameSync(place('dados', 'backups'), place('antes', 'backups'));
      rmSync(place('dados'), { recursive: true });
      cpSync(place('antes'), place('dados'), { recursive: true });
      rmSync(place('antes', 'backups'), { recursive: true });
    }
    expect(kills).toBe(20);
    const server = await sandbox.start('serve', '--port', '0', '--data', 'dados');
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(stateOf(database())).toEqual({ ...before, schema: NEWEST });
    expect(readdirSync(place('dados', 'backups')).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
