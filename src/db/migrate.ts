/** Forward-only migrations, each in one transaction, each remembered with the checksum of its text. */
import type { Clock } from '../clock.ts';
import { OperatorError } from '../errors.ts';
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
}

const MIGRATION_TABLE = `
CREATE TABLE IF NOT EXISTS migration (
  number     INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  checksum   TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT`;

/** Brings the database to the newest schema. Throws, changing nothing, when its history is not a beginning of ours. */
export function migrate(db: Db, migrations: readonly Migration[], clock: Clock): void {
  db.exec(MIGRATION_TABLE);
  const applied = db
    .prepare<[], AppliedMigration>('SELECT number, name, checksum FROM migration ORDER BY number')
    .all();
  for (const done of applied) refuseIfForeign(done, migrations);
  for (const migration of migrations.slice(applied.length)) apply(db, migration, clock);
}

function refuseIfForeign(done: AppliedMigration, migrations: readonly Migration[]): void {
  const known = migrations.find(({ number }) => number === done.number);
  if (known === undefined)
    throw new OperatorError(
      `O banco de dados foi usado por uma versão mais nova do catp (migração ${done.number} ${done.name}). Use essa versão ou restaure uma cópia de segurança.`,
    );
  if (checksum(known) !== done.checksum)
    throw new OperatorError(
      `A migração ${done.number} ${done.name} aplicada a este banco de dados difere da deste executável. Use o executável que criou o banco.`,
    );
}

function apply(db: Db, migration: Migration, clock: Clock): void {
  db.transaction(() => {
    db.exec(migration.sql);
    db.prepare('INSERT INTO migration (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)').run(
      migration.number,
      migration.name,
      checksum(migration),
      clock.now(),
    );
  }).immediate();
}

function checksum({ sql }: Migration): string {
  return new Bun.CryptoHasher('sha256').update(sql).digest('hex');
}
