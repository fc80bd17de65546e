/** A newer catp on the folder of an older one (contract section 16, "Upgrades"): a copy first, whatever dies on the way. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../../src/backup/restore.ts';
import { TestClock } from '../../src/clock.ts';
import { migrate } from '../../src/db/migrate.ts';
import { MIGRATIONS } from '../../src/db/migrations.ts';
import { openForReading, openForWriting } from '../../src/db/open.ts';
import { type Alone, openAlone } from './support.ts';

const COMPANY = '12345678';
const PRODUCTS = 4000;
const NEWEST = MIGRATIONS.at(-1)?.number ?? 0;

let alone: Alone;
beforeEach(async () => {
  alone = await openAlone();
  alone.init('dados');
  const data = ['--data', 'dados'];
  expect(alone.run(['company', 'add', COMPANY, '--nome', 'X', ...data]).code).toBe(0);
  const items = Array.from({ length: PRODUCTS }, (_, index) => ({
    ...{ seq: index + 1, cpfCnpjRaiz: COMPANY, denominacao: `Peça ${index}`, descricao: 'x'.repeat(500) },
    ...{ modalidade: 'IMPORTACAO', ncm: '39269090' },
  }));
  writeFileSync(place('produtos.json'), JSON.stringify(items));
  expect(alone.run(['import', 'produto', 'produtos.json', ...data]).code).toBe(0);
  makeOlder();
});
afterEach(() => alone.close());

const place = (...names: string[]): string => join(alone.folder, ...names);
const backups = (): string[] =>
  existsSync(place('dados', 'backups'))
    ? readdirSync(place('dados', 'backups')).filter((name) => name.endsWith('.zip'))
    : [];

/** The same data under the schema before the newest migration, as the version before it has left its folders. */
function makeOlder(): void {
  const older = openForWriting(place('older.sqlite'));
  migrate(older, MIGRATIONS.slice(0, -1), new TestClock(0));
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
  older.close();
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
    const one = (sql: string): unknown => db.prepare(sql).pluck().get();
    return {
      schema: Number(one('SELECT max(number) FROM migration')),
      products: Number(one('SELECT count(*) FROM product')),
      integrity: String(db.pragma('integrity_check', { simple: true })),
    };
  } finally {
    db.close();
  }
}

const database = (): string => place('dados', 'catp.sqlite');

/** What doctor says of it. */
const lastIs = (file = ''): RegExp =>
  new RegExp(`^bom {5}backup: A última cópia de segurança é de .*\\(${file}\\)`, 'm');

describe('the folder of an older version', () => {
  test('is copied before the server migrates it; the copy is of the older schema, and whole', async () => {
    const before = stateOf(database());
    expect(before.schema).toBeLessThan(NEWEST);
    const server = await alone.start('serve', '--port', '0', '--data', 'dados');
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(await server.allStderr()).toContain('antes de atualizá-lo foi feita a cópia de segurança');
    expect(stateOf(database())).toEqual({ ...before, schema: NEWEST });
    const [file = '', ...others] = backups();
    expect(others).toEqual([]);
    expect(alone.run(['doctor', '--data', 'dados']).stdout).toMatch(lastIs(file));
    const copied = await check({ file: place('dados', 'backups', file), restShare: 0 });
    expect(copied.counts).toMatchObject({ products: PRODUCTS });
    expect(alone.run(['restore', `dados/backups/${file}`, '--to', 'antes']).code).toBe(0);
    expect(stateOf(place('antes', 'catp.sqlite'))).toEqual(before);

    // Nothing is copied where nothing is migrated.
    const again = await alone.start('serve', '--port', '0', '--data', 'dados');
    expect(await again.stop()).toBe(0);
    expect(backups()).toEqual([file]);
  });

  test('is copied before a command migrates it, which says so', () => {
    const { code, stderr } = alone.run(['user', 'list', '--data', 'dados']);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('foi feita a cópia de segurança dados/backups/catp-'),
    ]);
    expect([stateOf(database()).schema, backups().length]).toEqual([NEWEST, 1]);
    expect(alone.run(['doctor', '--data', 'dados']).stdout).toMatch(lastIs(backups()[0]));
  });

  test('is not migrated when no copy can be made', () => {
    const before = stateOf(database());
    writeFileSync(place('no-caminho'), '');
    for (const words of [
      ['serve', '--port', '0'],
      ['user', 'list'],
    ]) {
      const { code, stderr } = alone.run([...words, '--data', 'dados', '--set', 'backup.pasta=no-caminho']);
      expect([words, code, stderr]).toEqual([words, 1, expect.stringContaining('não foi feita')]);
    }
    expect(stateOf(database())).toEqual(before);
  });

  test('survives kill -9 at any moment of it: whole, and with a whole copy once it is migrated', async () => {
    const before = stateOf(database());
    let kills = 0;
    for (let ms = 0; ms < 400; ms += 20) {
      const server = Bun.spawn([alone.executable, 'serve', '--port', '0', '--data', 'dados'], {
        ...{ cwd: alone.folder, env: {}, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
      });
      await Bun.sleep(ms);
      server.kill('SIGKILL');
      await server.exited;
      kills += 1;
      const state = stateOf(database());
      expect({ ms, ...state }).toEqual({ ms, ...before, schema: state.schema });
      for (const file of backups())
        expect((await check({ file: place('dados', 'backups', file), restShare: 0 })).counts.products).toBe(
          PRODUCTS,
        );
      if (state.schema === before.schema) continue;
      expect(backups().length).toBeGreaterThan(0);
      makeOlder();
    }
    expect(kills).toBe(20);
    const server = await alone.start('serve', '--port', '0', '--data', 'dados');
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(stateOf(database())).toEqual({ ...before, schema: NEWEST });
    expect(readdirSync(place('dados', 'backups')).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
