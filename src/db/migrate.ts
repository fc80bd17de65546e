/** Forward-only migrations, each in one transaction, each remembered with the checksum of its text. */
import type { Clock } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import { VERSION } from '../version.ts';
import { lockFolder } from './lock.ts';
import type { Db } from './open.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  /** The version of catp that applied it; `null`: one that did not say. */
  readonly appliedBy: string | null;
}

const MIGRATION_TABLE = `
CREATE TABLE IF NOT EXISTS migration (
  number     INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  checksum   TEXT NOT NULL,
  applied_at INTEGER NOT NULL,
  applied_by TEXT
) STRICT`;

/** What to migrate, and as which version: tests hand in their own. */
export interface Schema {
  readonly migrations: readonly Migration[];
  readonly version?: string;
}

/**
 * Brings the database to the newest schema; only for the process that holds the folder's lock (contract section 16,
 * "Upgrades"). Throws, changing nothing, when its history is not a beginning of ours.
 */
export function migrate(
  db: Db,
  migrations: readonly Migration[],
  clock: Clock,
  version: string = VERSION,
): void {
  const pending = pendingMigrations(db, { migrations, version });
  if (pending.length === 0) return;
  db.transaction(() => {
    db.exec(MIGRATION_TABLE);
    if (!hasColumn(db, 'applied_by')) db.exec('ALTER TABLE migration ADD COLUMN applied_by TEXT');
  }).immediate();
  for (const migration of pending) apply(db, migration, clock, version);
}

/**
 * For a command, which may stand beside a server: brings an older database to the newest schema when nobody holds the
 * folder, and refuses when somebody does.
 */
export function migrateUnlessHeld(db: Db, folder: string, schema: Schema, clock: Clock): void {
  const pending = pendingMigrations(db, schema);
  if (pending.length === 0) return;
  using lock = lockFolder(folder);
  if (lock === undefined)
    throw new OperatorError(
      `A pasta de dados ${folder} está em uso por um catp de outra versão (este é o ${schema.version ?? VERSION}; falta${pending.length === 1 ? '' : 'm'} ${namesOf(pending)}). Use o executável desse servidor, ou pare-o e inicie-o com este.`,
    );
  migrate(db, schema.migrations, clock, schema.version);
}

/** What this database lacks, without changing it. Throws when its history is not a beginning of ours. */
export function pendingMigrations(db: Db, { migrations, version = VERSION }: Schema): readonly Migration[] {
  const applied = appliedMigrations(db);
  const newest = applied.at(-1);
  for (const done of applied) {
    const known = migrations.find(({ number }) => number === done.number);
    if (known === undefined) throw fromTheFuture(newest ?? done, version);
    if (checksum(known) !== done.checksum)
      throw new OperatorError(
        `A migração ${done.number} ${done.name} aplicada a este banco de dados difere da deste executável. Use o executável que criou o banco.`,
      );
  }
  return migrations.slice(applied.length);
}

/** What is said of a database that is unused and ought not to be. */
export const HOLDS_NOTHING = 'não tem nada do catp: foi esvaziado, ou é de outro programa';

/** Nothing was ever applied: there is nothing to lose. */
export const isUnused = (db: Db): boolean => appliedMigrations(db).length === 0;

function appliedMigrations(db: Db): AppliedMigration[] {
  if (!hasColumn(db, 'number')) return [];
  const appliedBy = hasColumn(db, 'applied_by') ? 'applied_by' : 'NULL';
  return db
    .prepare<[], AppliedMigration>(
      `SELECT number, name, checksum, ${appliedBy} AS appliedBy FROM migration ORDER BY number`,
    )
    .all();
}

const hasColumn = (db: Db, column: string): boolean =>
  db.prepare("SELECT 1 FROM pragma_table_info('migration') WHERE name = ?").get(column) !== undefined;

/** The needed version is the one that was the last to migrate: an older one might do, and nobody could say which. */
function fromTheFuture({ number, name, appliedBy }: AppliedMigration, version: string): OperatorError {
  const [by, needed] =
    appliedBy === null
      ? ['por uma versão mais nova do catp', 'essa versão']
      : [`pelo catp ${appliedBy}`, `o catp ${appliedBy} ou um mais novo`];
  return new OperatorError(
    `O banco de dados foi usado ${by}: este executável (${version}) não conhece a migração ${number} ${name}. Use ${needed}, ou restaure uma cópia de segurança.`,
  );
}

function apply(db: Db, migration: Migration, clock: Clock, version: string): void {
  db.transaction(() => {
    db.exec(migration.sql);
    db.prepare(
      'INSERT INTO migration (number, name, checksum, applied_at, applied_by) VALUES (?, ?, ?, ?, ?)',
    ).run(migration.number, migration.name, checksum(migration), clock.now(), version);
  }).immediate();
}

const namesOf = (migrations: readonly Migration[]): string =>
  migrations.map(({ number, name }) => `a migração ${number} ${name}`).join(', ');

function checksum({ sql }: Migration): string {
  return new Bun.CryptoHasher('sha256').update(sql).digest('hex');
}
