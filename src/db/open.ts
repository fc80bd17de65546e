/**
 * The one place where SQLite is opened.
 *
 * How statements are written here: this build of SQLite (STAT4) plans a statement anew whenever a value is bound that its
 * planner looked at, which costs ten times a look-up. Unique look-ups in one table are not planned at all; in a join, a
 * bound value is therefore written `+?`, which the planner does not look at.
 */
import Database from 'better-sqlite3';
import { OperatorError } from '../errors.ts';
import { reasonOf, remedyFor, systemCode } from '../system/errors.ts';
import { LateStatement, type Statement } from './statement.ts';

export interface Db extends Omit<Database.Database, 'prepare'> {
  prepare<Parameters extends unknown[] = unknown[], Row = unknown>(sql: string): Statement<Parameters, Row>;
}

const BUSY_TIMEOUT_MS = 5000;
const CACHE_KIB = 32 * 1024;
/** There may be many at a time, and most read a page once; the default of this build is 16 MB. */
const READING_CACHE_KIB = 2 * 1024;

/** `synchronous=FULL` as `PRAGMA synchronous` reads it back. */
const SYNCHRONOUS_FULL = 2;

/**
 * What stable storage takes beyond `synchronous`. On macOS a sync leaves the bytes in the drive's own memory, which a power
 * cut empties; SQLite asks the drive itself there only where it is told to.
 */
export const storagePragmas = (platform: NodeJS.Platform): readonly string[] =>
  platform === 'darwin' ? ['fullfsync', 'checkpoint_fullfsync'] : [];

export interface OpenOptions {
  /** For the power-loss check only: shows that a weaker setting would be caught. */
  readonly synchronous?: 'FULL' | 'NORMAL';
}

/** Opens the database for writing: WAL, every commit on stable storage before it returns. Throws when SQLite does not agree. */
export function openForWriting(file: string, options: OpenOptions = {}): Db & Disposable {
  const db = open(file, { timeout: BUSY_TIMEOUT_MS });
  const journal = db.pragma('journal_mode = WAL', { simple: true });
  if (journal !== 'wal') throw new Error(`O SQLite não aceitou o modo WAL (respondeu ${String(journal)}).`);
  db.pragma(`synchronous = ${options.synchronous ?? 'FULL'}`);
  if (options.synchronous === undefined && db.pragma('synchronous', { simple: true }) !== SYNCHRONOUS_FULL)
    throw new Error('O SQLite não aceitou synchronous=FULL.');
  for (const pragma of storagePragmas(process.platform)) {
    db.pragma(`${pragma} = ON`);
    if (db.pragma(pragma, { simple: true }) !== 1) throw new Error(`O SQLite não aceitou ${pragma}.`);
  }
  db.pragma('foreign_keys = ON');
  if (db.pragma('foreign_keys', { simple: true }) !== 1)
    throw new Error('O SQLite não aceitou foreign_keys=ON.');
  // The writer does it: after the answers have left, and where a failure is seen, which SQLite by itself keeps to itself.
  db.pragma('wal_autocheckpoint = 0');
  db.pragma(`cache_size = -${CACHE_KIB}`);
  db.pragma('temp_store = MEMORY');
  return db;
}

/** Writes the unused `user_version`, which changes a page and nothing else. Throws what SQLite says. */
export const tryWrite = (db: Db): void => void db.pragma('user_version = 0');

/** Opens a further connection that only reads; each `BEGIN` on it is a snapshot of its own. */
export function openForReading(file: string): Db & Disposable {
  const db = open(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  db.pragma(`cache_size = -${READING_CACHE_KIB}`);
  db.pragma('temp_store = MEMORY');
  return db;
}

/** Opens a connection that may write and sets nothing: where nothing is written, the file keeps every byte and no file is left next to it. */
export const openUntouched = (file: string): Db & Disposable =>
  open(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });

/** Opens a database that nobody else sees and that nothing is to outlive: a place to sort in. */
export function openScratch(file: string): Db & Disposable {
  const db = open(file, {});
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.pragma(`cache_size = -${CACHE_KIB}`);
  db.pragma('temp_store = MEMORY');
  return db;
}

/** Does `work` on a database; where the file does not let it, says so to the operator. */
export function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isOfTheFile(error)) throw error;
    throw new OperatorError(
      `O banco de dados ${file} não pode ser aberto (${reasonOf(error)}). ${remedyFor(error, 'Verifique as permissões e o disco.')}`,
      { cause: error },
    );
  }
}

const isOfTheFile = (error: unknown): boolean =>
  /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH|NOTADB|CORRUPT|FULL|IOERR|BUSY|LOCKED)/.test(systemCode(error) ?? '');

function open(file: string, options: Database.Options): Db & Disposable {
  const db = new Database(file, options);
  const prepare: Db['prepare'] = <Parameters extends unknown[], Row>(sql: string) =>
    new LateStatement<Parameters, Row>(() => Database.prototype.prepare.call(db, sql) as never);
  return Object.assign(db, { prepare, [Symbol.dispose]: () => void db.close() });
}
