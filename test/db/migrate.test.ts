/** Forward-only migrations with a stored checksum. */
import { describe, expect, test } from 'bun:test';
import { Glob } from 'bun';
import { TestClock } from '../../src/clock.ts';
import { type Migration, migrate } from '../../src/db/migrate.ts';
import { MIGRATIONS } from '../../src/db/migrations.ts';
import type { Db } from '../../src/db/open.ts';
import { OperatorError } from '../../src/errors.ts';
import { ROOT } from '../support/sources.ts';
import { scratchForEachTest } from './support.ts';

const scratch = scratchForEachTest();
const clock = new TestClock(42);

const FIRST: Migration = { number: 1, name: 'first', sql: 'CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT' };
const SECOND: Migration = { number: 2, name: 'second', sql: 'ALTER TABLE a ADD COLUMN text TEXT' };

const applied = (db: Db): unknown[] =>
  db.prepare('SELECT number, name, applied_at FROM migration ORDER BY number').raw().all();
const schemaOf = (db: Db): unknown[] =>
  db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();

describe('a history of other migrations than ours', () => {
  test('with a changed migration is refused, and nothing changes', () => {
    const { db } = scratch();
    migrate(db, [FIRST], clock);
    const before = schemaOf(db);
    const changed = [{ ...FIRST, sql: `${FIRST.sql} ` }, SECOND];
    expect(() => migrate(db, changed, clock)).toThrow(OperatorError);
    expect(() => migrate(db, changed, clock)).toThrow('difere da deste executável');
    expect(schemaOf(db)).toEqual(before);
  });

  test('with an unknown migration comes from a newer version', () => {
    const { db } = scratch();
    migrate(db, [FIRST, SECOND], clock, '1.2.0');
    const before = schemaOf(db);
    expect(() => migrate(db, [FIRST], clock, '1.1.0')).toThrow(
      'O banco de dados foi usado pelo catp 1.2.0: este executável (1.1.0) não conhece a migração 2 second. Use o catp 1.2.0 ou um mais novo, ou restaure uma cópia de segurança.',
    );
    expect(schemaOf(db)).toEqual(before);
  });

  test('of a version that did not record its number is refused too', () => {
    const { db } = scratch();
    migrate(db, [FIRST, SECOND], clock);
    db.exec('ALTER TABLE migration DROP COLUMN applied_by');
    expect(() => migrate(db, [FIRST], clock)).toThrow('por uma versão mais nova do catp');
  });
});

describe('migrations', () => {
  test('give stored problems the name with which their message begins', () => {
    const { db } = scratch();
    const [label] = MIGRATIONS.filter(({ name }) => name === 'problem_label');
    db.exec('CREATE TABLE import_result (problems TEXT)');
    const problems = [
      { path: '/ncm', message: 'ncm: recebido "1".' },
      { path: '/atributos/0/valor', message: 'valor: falta.' },
      { path: '/codigosInterno/1', message: 'codigosInterno: repetido.' },
      { path: '', message: 'Já existe.' },
      { path: '/ncm', message: 'ncm é outra coisa.' },
    ];
    db.prepare('INSERT INTO import_result VALUES (?), (NULL)').run(JSON.stringify(problems));
    db.exec(label?.sql ?? '');
    const [[text], empty] = db.prepare('SELECT problems FROM import_result').raw().all() as [
      [string],
      unknown,
    ];
    const labels = (JSON.parse(text) as { label?: string }[]).map((one) => one.label);
    expect(labels).toEqual(['ncm', 'valor', 'codigosInterno', undefined, undefined]);
    expect(empty).toEqual([null]);
  });

  test('of people keep authors and contents unchanged', () => {
    const { db } = scratch();
    const numberOf = (name: string): number => MIGRATIONS.findIndex((one) => one.name === name);
    migrate(db, MIGRATIONS.slice(0, numberOf('user_email')), clock);
    db.exec(`INSERT INTO user (documento, nome, tipo, administrador) VALUES ('1', 'Ana', 'PRIV', 0), ('2', 'Bia', 'PRIV', 1);
      INSERT INTO company (cpf_cnpj_raiz, nome) VALUES ('12345678', 'Exemplo');
      INSERT INTO representation (documento, cpf_cnpj_raiz, perfil, papel) VALUES ('1', '12345678', 'IMPEXP', 'leitura')`);
    migrate(db, MIGRATIONS.slice(0, numberOf('group_right_given')), clock);
    db.exec(`INSERT INTO access_group (name, todas, papel) VALUES ('analistas', 1, 'leitura');
      INSERT INTO group_right (documento, group_id, cpf_cnpj_raiz) VALUES ('1', 1, '12345678')`);
    migrate(db, MIGRATIONS, clock);
    // Without an address, a choice or a password, nobody gets a new message or a new way to sign in.
    expect(
      db.prepare('SELECT documento, nome, email, avisos FROM user ORDER BY documento').raw().all(),
    ).toEqual([
      ['1', 'Ana', null, '{}'],
      ['2', 'Bia', null, '{}'],
    ]);
    const count = (table: string): unknown => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    expect(['password', 'invitation', 'identity', 'proposal', 'email', 'email_daily'].map(count)).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
    expect(db.prepare('SELECT papel FROM representation').pluck().all()).toEqual(['leitura']);
    // The lifetime of a right from a group starts with the migration.
    expect(db.prepare('SELECT given_at > 0 FROM group_right').pluck().all()).toEqual([1]);
    db.exec("DELETE FROM user WHERE documento = '1'");
    expect(count('group_right')).toBe(0);
  });

  test('that rewrite a rule keep it: each of its values is accepted, and another one is refused', () => {
    const { db } = scratch();
    const before = MIGRATIONS.findIndex(({ name }) => name === 'lighter_inserts');
    migrate(db, MIGRATIONS.slice(0, before), clock);
    db.pragma('foreign_keys = OFF'); // the result needs no import
    db.exec(`INSERT INTO import_result (job_id, idx, outcome, member, line) VALUES (1, 0, 'created', 0, 1);
      INSERT INTO company (id, cpf_cnpj_raiz, nome) VALUES (1, '12345678', 'Exemplo');
      INSERT INTO product (id, company_id, registered_at, changed_at, family, rectification, starts_on, made_at, made_by,
        situacao, denominacao_folded, denominacao) VALUES (1, 1, 1, 1, 1, 0, '2026-01-15', 1, 'sistema', 'ATIVADO', 'a', 'A');
      INSERT INTO user (documento, nome, tipo, administrador) VALUES ('1', 'Ana', 'PRIV', 0);
      INSERT INTO subscription (documento, evento, endpoint, registered_at) VALUES ('1', 'x', 'https://a', 1);
      INSERT INTO event (evento, destinatario_tipo, destinatario_id, conteudo, published_at) VALUES ('x', 'CPF', '1', '{}', 1);
      INSERT INTO delivery (event_id, subscription_id, state, next_attempt_at) VALUES (1, 1, 'pending', 1)`);
    migrate(db, MIGRATIONS, clock);
    expect(db.prepare('SELECT situacao, denominacao FROM product').raw().all()).toEqual([['ATIVADO', 'A']]);
    expect(db.prepare('SELECT company_id, situacao, count FROM product_count').raw().all()).toEqual([
      [1, 'ATIVADO', 1],
    ]);
    const rules = [
      ['product', 'situacao', ['ATIVADO', 'DESATIVADO', 'RASCUNHO']],
      ['event', 'destinatario_tipo', ['CPF', 'CNPJ', 'ORGAO']],
      ['delivery', 'state', ['pending', 'delivered', 'failed', 'cancelled']],
      ['import_result', 'outcome', ['created', 'newVersion', 'deactivated', 'unchanged', 'failed']],
    ] as const;
    for (const [table, column, values] of rules) {
      const change = db.prepare(`UPDATE ${table} SET ${column} = ?`);
      for (const value of values) expect(change.run(value).changes).toBe(1);
      for (const value of ['', values[0].toUpperCase() + ' ', 'outro'])
        expect(() => change.run(value)).toThrow('CHECK constraint failed');
    }
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    // Other SQL cannot rewrite the schema.
    db.pragma('writable_schema = ON');
    expect(() => db.exec("DELETE FROM sqlite_schema WHERE name = 'product'")).toThrow('may not be modified');
  });

  test('record the version that applied them, also after others that did not', () => {
    const { db } = scratch();
    migrate(db, [FIRST], clock);
    db.exec('ALTER TABLE migration DROP COLUMN applied_by');
    migrate(db, [FIRST, SECOND], clock, '1.2.0');
    expect(db.prepare('SELECT number, applied_by FROM migration ORDER BY number').raw().all()).toEqual([
      [1, null],
      [2, '1.2.0'],
    ]);
  });

  test('that are pending are one transaction: if one fails, the database is unchanged', () => {
    const { db } = scratch();
    const before = schemaOf(db);
    const broken: Migration = { number: 3, name: 'broken', sql: 'INSERT INTO missing VALUES (1)' };
    expect(() => migrate(db, [FIRST, SECOND, broken], clock)).toThrow('missing');
    expect(schemaOf(db)).toEqual(before);
    migrate(db, [FIRST, SECOND], clock);
    expect(applied(db)).toEqual([
      [1, 'first', 42],
      [2, 'second', 42],
    ]);
  });

  test('are applied once', () => {
    const { db } = scratch();
    migrate(db, [FIRST], clock);
    db.exec('INSERT INTO a VALUES (7)');
    migrate(db, [FIRST, SECOND], clock);
    migrate(db, [FIRST, SECOND], clock);
    expect(db.prepare('SELECT id, text FROM a').raw().all()).toEqual([[7, null]]);
  });

  test('of ours are numbered without a gap, and every file is among them', async () => {
    const files = [...new Glob('*.sql').scanSync({ cwd: `${ROOT}/migrations` })].sort();
    expect(MIGRATIONS.map(({ number, name }) => `${String(number).padStart(4, '0')}_${name}.sql`)).toEqual(
      files,
    );
    expect(MIGRATIONS.map(({ number }) => number)).toEqual(files.map((_, index) => index + 1));
    for (const [index, { sql }] of MIGRATIONS.entries())
      expect(sql).toBe(await Bun.file(`${ROOT}/migrations/${files[index]}`).text());
  });

  test('of ours create only STRICT tables, and valid foreign keys', () => {
    const { db } = scratch();
    migrate(db, MIGRATIONS, clock);
    const loose = db.prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0 AND name NOT LIKE 'sqlite_%'",
    );
    expect(loose.pluck().all()).toEqual([]);
    expect(db.pragma('foreign_key_check')).toEqual([]);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  });
});

/** Inserts a row whose values only have to satisfy NOT NULL, so that the next migration finds one. */
function rowFor(db: Db, table: string): void {
  const columns = db
    .prepare<[string], Column>('SELECT name, type, pk, "notnull" AS required FROM pragma_table_info(?)')
    .all(table);
  const requiredColumns = columns.filter(
    ({ required, pk, type }) => required === 1 || (pk > 0 && type !== 'INTEGER'),
  );
  const names = requiredColumns.map(({ name }) => `"${name}"`).join();
  const values = requiredColumns.map(({ type }) =>
    type === 'INTEGER' ? 1 : type === 'BLOB' ? Buffer.from('x') : 'x',
  );
  const insert =
    names === '' ? 'DEFAULT VALUES' : `(${names}) VALUES (${requiredColumns.map(() => '?').join()})`;
  // A trigger may already have inserted the row.
  db.prepare(`INSERT OR IGNORE INTO "${table}" ${insert}`).run(...values);
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
  readonly required: number;
}

const tablesOf = (db: Db): string[] =>
  db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migration' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    .pluck()
    .all();

const countOf = (db: Db, table: string): number =>
  db.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get() ?? -1;

/** Tables whose rows a migration removes intentionally: nothing in them distinguishes guesses from choices. */
const FORGOTTEN: ReadonlyMap<string, string> = new Map([['sheet_choice', 'sheet_choice']]);

describe('on data of the previous version', () => {
  for (const [index, { name }] of [...MIGRATIONS.entries()].slice(1))
    test(`${name} keeps every row`, () => {
      const { db } = scratch();
      migrate(db, MIGRATIONS.slice(0, index), clock);
      // The rows only have to exist: migrations do not depend on their references or domains.
      db.pragma('foreign_keys = OFF');
      db.pragma('ignore_check_constraints = ON');
      const tables = tablesOf(db);
      for (const table of tables) rowFor(db, table);
      // An earlier migration may have inserted a row.
      const before = new Map(tables.map((table) => [table, countOf(db, table)]));
      migrate(db, MIGRATIONS.slice(0, index + 1), clock);
      const existingTables = tables.filter((table) => tablesOf(db).includes(table));
      expect(existingTables.length).toBeGreaterThan(0);
      for (const table of existingTables) {
        const rows = FORGOTTEN.get(name) === table ? 0 : (before.get(table) ?? 0);
        expect([table, countOf(db, table)]).toEqual([table, rows]);
      }
    });
});
