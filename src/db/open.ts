/**
 * Opens SQLite. Only this file opens a database.
 * Rule for joins and ordered rows: write a bound value as `+?`, so that the planner ignores it. Otherwise this
 * build of SQLite (STAT4) plans the statement again at each run with another value, or with a value of 0 or 1 as
 * the first company has it, which takes ten times as long as a look-up by a unique key. A look-up by a unique key
 * in a single table is not planned again and needs no `+`.
 */
import Database from 'better-sqlite3';
import { OperatorError } from '../errors.ts';
import { reasonOf, remedyFor, systemCode } from '../system/errors.ts';
import { fileSize } from './folder.ts';
import { LazyStatement, type Prepare } from './statement.ts';

export interface Db extends Omit<Database.Database, 'prepare'> {
  readonly prepare: Prepare;
}

const BUSY_TIMEOUT_MS = 5000;
/**
 * Cache of the writing connection. SQLite visits all cached pages at the end of a transaction that has rearranged
 * an index, as most groups of inserts do: a larger cache costs more than the reads that it saves.
 */
const CACHE_KIB = 8 * 1024;
/** Cache of a database for sorting, which SQLite keeps in memory as far as possible. */
const SCRATCH_CACHE_KIB = 32 * 1024;
/**
 * Cache of a reading connection, smaller than the default of 16 MB: many are open, and most read a page once.
 */
const READING_CACHE_KIB = 2 * 1024;

/** The value of `PRAGMA synchronous` for `synchronous=FULL`. */
const SYNCHRONOUS_FULL = 2;

/**
 * Returns the pragmas for stable storage beyond `synchronous`. On macOS a sync leaves the bytes in the
 * drive's cache, which a power failure empties. SQLite flushes the drive only with this pragma.
 */
export const storagePragmas = (platform: NodeJS.Platform): readonly string[] =>
  platform === 'darwin' ? ['fullfsync', 'checkpoint_fullfsync'] : [];

export interface OpenOptions {
  /** Set only by the power-loss check, which proves with `NORMAL` that it detects lost commits. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  /** Returns a connection without any setting to use. `undefined`: none may be used. */
  readonly inspected?: () => (Db & Disposable) | undefined;
}

/**
 * Opens the database for writing: WAL, each commit is on stable storage before it returns. Throws when SQLite
 * refuses a setting.
 */
export function openForWriting(file: string, options: OpenOptions = {}): Db & Disposable {
  const db = options.inspected?.() ?? open(file, { timeout: BUSY_TIMEOUT_MS });
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
  // The writer runs the checkpoints, after the answers are sent. SQLite's automatic checkpoints would hide their
  // failures.
  db.pragma('wal_autocheckpoint = 0');
  db.pragma(`cache_size = -${CACHE_KIB}`);
  db.pragma('temp_store = MEMORY');
  return db;
}

/** Tests a write: writes the unused `user_version`, which changes only one page. Throws SQLite's error. */
export const tryWrite = (db: Db): void => void db.pragma('user_version = 0');

/** Opens an additional read-only connection. Each `BEGIN` on it is a separate snapshot. */
export function openForReading(file: string): Db & Disposable {
  const db = open(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  db.pragma(`cache_size = -${READING_CACHE_KIB}`);
  db.pragma('temp_store = MEMORY');
  return db;
}

/**
 * Opens a writable connection without any setting: without a write, the file keeps every byte and no further
 * file is created.
 */
export const openWithoutSettings = (file: string): Db & Disposable =>
  open(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });

/**
 * Opens the database for a command that only reads, next to a server or without one. Leaves no file
 * behind: a writable connection removes, when it closes, the WAL and its index (`-shm`) that SQLite creates
 * for reading. If the WAL has content, the connection is read-only, because a writable one would checkpoint the
 * WAL into the database.
 */
export const openForInspection = (file: string): Db & Disposable =>
  fileSize(`${file}-wal`) > 0 ? openForReading(file) : openWithoutSettings(file);

/** Opens a private temporary database, for sorting. */
export function openScratch(file: string): Db & Disposable {
  const db = open(file, {});
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.pragma(`cache_size = -${SCRATCH_CACHE_KIB}`);
  db.pragma('temp_store = MEMORY');
  return db;
}

/** Runs `work` on a database. Throws `OperatorError` with a remedy if the file cannot be read or written. */
export function withFileErrors<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new OperatorError(
      `O banco de dados ${file} não pode ser aberto (${reasonOf(error)}). ${remedyFor(error, 'Verifique as permissões e o disco.')}`,
      { cause: error },
    );
  }
}

const isFileError = (error: unknown): boolean =>
  /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH|NOTADB|CORRUPT|FULL|IOERR|BUSY|LOCKED)/.test(systemCode(error) ?? '');

function open(file: string, options: Database.Options): Db & Disposable {
  const db = new Database(file, options);
  const prepare: Db['prepare'] = <Parameters extends unknown[], Row>(sql: string) =>
    new LazyStatement<Parameters, Row>(() => Database.prototype.prepare.call(db, sql) as never);
  return Object.assign(db, { prepare, [Symbol.dispose]: () => void db.close() });
}
