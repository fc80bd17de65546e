/**
 * Applies forward-only migrations, all pending ones in one transaction. Each is recorded with the checksum of
 * its text.
 */
import type { Clock } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import { VERSION } from '../version.ts';
import { ADD_APPLIED_BY, MIGRATION_TABLE } from './migration-table.ts';
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
  /** The version of catp that applied it. `null`: not recorded. */
  readonly appliedBy: string | null;
}

/** The migrations, and the version that applies them. Tests pass their own. */
export interface Schema {
  readonly migrations: readonly Migration[];
  readonly version?: string;
}

/**
 * Brings the database to the newest schema in one transaction: a process that is killed leaves it unchanged.
 * Only for the process that holds the folder's lock, or that creates the database (contract section 16,
 * "Upgrades"). Throws before any change when other migrations than ours were applied. `after` runs in the
 * same transaction.
 */
export function migrate(
  db: Db,
  migrations: readonly Migration[],
  clock: Clock,
  version: string = VERSION,
  after: () => void = () => undefined,
): void {
  if (pendingMigrations(db, { migrations, version }).length === 0) return;
  db.transaction(() => {
    // Another process may have created the same database meanwhile.
    const pending = pendingMigrations(db, { migrations, version });
    db.exec(MIGRATION_TABLE);
    if (!columnsOf(db).includes('applied_by')) db.exec(ADD_APPLIED_BY);
    for (const migration of pending) apply(db, migration, clock, version);
    after();
  }).immediate();
}

/** Returns the version of catp that brought the database to its schema. `undefined`: not recorded. */
export const migratedBy = (db: Db): string | undefined =>
  appliedMigrations(db).at(-1)?.appliedBy ?? undefined;

/**
 * Returns the pending migrations of a database without changing it. Throws when other migrations than ours
 * were applied.
 */
export function pendingMigrations(db: Db, { migrations, version = VERSION }: Schema): readonly Migration[] {
  const applied = appliedMigrations(db);
  const newest = applied.at(-1);
  const byNumber = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const appliedOne of applied) {
    const own = byNumber.get(appliedOne.number);
    if (own === undefined) throw fromTheFuture(newest ?? appliedOne, version);
    if (checksum(own) !== appliedOne.checksum)
      throw new OperatorError(
        `A migração ${appliedOne.number} ${appliedOne.name} aplicada a este banco de dados difere da deste executável. Use o executável que criou o banco.`,
      );
  }
  return migrations.slice(applied.length);
}

/** Message about a database that is unexpectedly empty. */
export const HOLDS_NOTHING = 'não tem nada do catp: foi esvaziado, ou é de outro programa';

/**
 * Returns the error about an emptied database. `catp init` moves a filled database into place, so an empty
 * one has lost its content, and is not served as an empty catalogue.
 */
export const emptiedDatabaseError = (database: string): OperatorError =>
  new OperatorError(
    `O banco de dados ${database} ${HOLDS_NOTHING}. Guarde a pasta como está e restaure a última cópia de segurança com catp restore.`,
  );

/** Returns true when no migration was ever applied: the database holds no data. */
export const isUnused = (db: Db): boolean => appliedMigrations(db).length === 0;

/** Maximum characters of a name or version in a message: a foreign database may contain any text. */
const WORDS_MAX = 100;

function appliedMigrations(db: Db): AppliedMigration[] {
  const columns = columnsOf(db);
  if (!columns.includes('number')) return [];
  const appliedBy = columns.includes('applied_by') ? 'applied_by' : 'NULL';
  return db
    .prepare<[], AppliedMigration>(
      `SELECT number, substr(name, 1, ${WORDS_MAX}) AS name, checksum, substr(${appliedBy}, 1, ${WORDS_MAX}) AS appliedBy
       FROM migration ORDER BY number`,
    )
    .all();
}

/** Returns the columns of the table of applied migrations. None: the table is missing. */
const columnsOf = (db: Db): readonly string[] =>
  db.prepare<[], string>("SELECT name FROM pragma_table_info('migration')").pluck().all();

/**
 * Reports the version that migrated last as the needed one. An older version might work, but is not recorded.
 */
function fromTheFuture({ number, name, appliedBy }: AppliedMigration, version: string): OperatorError {
  const [by, needed] =
    appliedBy === null
      ? ['por uma versão mais nova do catp', 'essa versão']
      : [`pelo catp ${appliedBy}`, `o catp ${appliedBy} ou um mais novo`];
  return new OperatorError(
    `O banco de dados foi usado ${by}: este executável (${version}) não conhece a migração ${number} ${name}. Use ${needed}, ou restaure uma cópia de segurança.`,
  );
}

/** Executes a migration. It may rewrite the text of the schema, which better-sqlite3 otherwise forbids. */
export function execMigration(db: Db, sql: string): void {
  db.unsafeMode(true);
  try {
    db.exec(sql);
  } finally {
    db.unsafeMode(false);
  }
}

function apply(db: Db, migration: Migration, clock: Clock, version: string): void {
  execMigration(db, migration.sql);
  db.prepare(
    'INSERT INTO migration (number, name, checksum, applied_at, applied_by) VALUES (?, ?, ?, ?, ?)',
  ).run(migration.number, migration.name, checksum(migration), clock.now(), version);
}

/** Lists the pending migrations of a database in Portuguese: `falta a migração 28 product_signature`. */
export function lackingText(pending: readonly Migration[]): string {
  const [first, last] = [pending.at(0), pending.at(-1)];
  return pending.length === 1
    ? `falta a migração ${first?.number} ${first?.name}`
    : `faltam ${pending.length} migrações, da ${first?.number} ${first?.name} à ${last?.number} ${last?.name}`;
}

function checksum({ sql }: Migration): string {
  return new Bun.CryptoHasher('sha256').update(sql).digest('hex');
}
