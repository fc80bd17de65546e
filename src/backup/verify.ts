/** Verifies a database and compares it with its manifest. */
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { pendingMigrations } from '../db/migrate.ts';
import { MIGRATIONS } from '../db/migrations.ts';
import { FolderMarks } from '../db/folder-mark.ts';
import { makeWriter } from '../db/folder-writer.ts';
import type { Db } from '../db/open.ts';
import { OperatorError } from '../errors.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import { auditEndOf, countsOf, schemaOf } from './counts-store.ts';
import { formatValue } from '../validation/format-value.ts';
import type { Counts, Manifest } from './model.ts';
import { BACKUP_MARKS, putRestored } from './marks.ts';
import { requireSmallSchema } from './schema-size.ts';
import { type SchemaDifference, migrationTableDifference, schemaDifference } from './schema-store.ts';

/**
 * Throws an `OperatorError` with the fault. Leaves no further files. `restoredFrom`: the backup, when the
 * file becomes a folder's database.
 */
export function verifyDatabase(file: string, manifest: Manifest, restoredFrom?: string): void {
  requireSmallSchema(file);
  const db = new Database(file, { fileMustExist: true });
  try {
    // The file may be hostile: no code in it is run.
    db.pragma('trusted_schema = OFF');
    requireOwnSchema(migrationTableDifference(db));
    const pending = pendingMigrations(db, { migrations: MIGRATIONS });
    requireOwnSchema(schemaDifference(db, MIGRATIONS.slice(0, MIGRATIONS.length - pending.length)));
    requireIntegrity(db);
    requireManifestMatches(db, manifest);
    // The state of backups belongs to the old folder, not to a new one.
    const marks = new FolderMarks(db);
    for (const mark of Object.values(BACKUP_MARKS)) marks.remove(mark);
    if (restoredFrom === undefined) return;
    putRestored(marks, restoredFrom);
    makeWriter(db, dirname(file));
  } catch (error) {
    if (systemCode(error) === undefined || error instanceof OperatorError) throw error;
    throw new OperatorError(`o banco de dados não pode ser lido (${reasonOf(error)})`, { cause: error });
  } finally {
    db.close();
  }
}

const OBJECTS: Readonly<Record<string, string>> = {
  table: 'a tabela',
  index: 'o índice',
  trigger: 'o gatilho',
  view: 'a visão',
};

const DIFFERENCES: Readonly<Record<SchemaDifference['kind'], (object: string) => string>> = {
  extra: (object) => `tem ${object}, que nenhum banco do catp tem`,
  changed: (object) => `tem ${object} com outra definição do que a do catp`,
  missing: (object) => `não tem ${object}, que todo banco do catp tem neste esquema`,
};

/**
 * Throws unless the schema is ours: SQL in a hostile schema would run at later accesses, possibly without
 * end.
 */
function requireOwnSchema(difference: SchemaDifference | undefined): void {
  if (difference === undefined) return;
  const { kind, type, name } = difference;
  const object = `${OBJECTS[type] ?? 'o objeto'} ${formatValue(name)}`;
  throw new OperatorError(`o banco de dados ${DIFFERENCES[kind](object)}`);
}

function requireIntegrity(db: Db): void {
  const [result] = db.pragma('integrity_check(1)') as readonly { readonly integrity_check: string }[];
  if (result?.integrity_check !== 'ok')
    throw new OperatorError(
      `o banco de dados está danificado (${result?.integrity_check ?? 'sem resposta'})`,
    );
  const [orphan] = db.pragma('foreign_key_check') as readonly { readonly table: string }[];
  if (orphan !== undefined)
    throw new OperatorError(
      `o banco de dados tem registros sem aquilo a que se referem (tabela ${orphan.table})`,
    );
}

function requireManifestMatches(db: Db, { schema, counts, audit }: Manifest): void {
  const actual = schemaOf(db);
  if (actual !== schema)
    throw new OperatorError(`o banco de dados tem o esquema ${actual}, e o manifest.json diz ${schema}`);
  const actualCounts = countsOf(db);
  const differingKinds = (Object.keys(actualCounts) as (keyof Counts)[]).filter(
    (name) => actualCounts[name] !== counts[name],
  );
  if (differingKinds.length > 0)
    throw new OperatorError(
      `o banco de dados não tem o que o manifest.json diz (${differingKinds.map((name) => `${name}: ${actualCounts[name]} em vez de ${counts[name]}`).join('; ')})`,
    );
  const end = auditEndOf(db);
  if (audit !== undefined && (audit.seq !== end.seq || audit.hash !== end.hash))
    throw new OperatorError(
      `a trilha de auditoria do banco de dados termina na entrada ${end.seq}, e não como o manifest.json diz (entrada ${audit.seq})`,
    );
}
