/** Facts about a data folder, kept in its database. */
import type { EpochMs } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import type { Db } from './open.ts';
import { Store } from './prepared.ts';

/** Marks a folder as made by `dev`, whose users have known secrets. */
export const MADE_BY_DEV = 'made-by-dev';

/** Marks a folder as made by `init`, for `serve`: `dev` would empty it. */
export const MADE_BY_INIT = 'made-by-init';

/**
 * Marks a restored database until its audit records the restore. The audit needs the keys, which may come
 * later.
 */
export const RESTORED_FROM = 'restored-from';

/** Marks that an audit seal exists outside the database: a missing one was removed. */
export const SEALED_OUTSIDE = 'audit-seal';

/** The SHA-256 of an invented attribute table: refusals by this table say that it is invented. */
export const INVENTED_TABLE = 'invented-table';

/** The id of the folder that may write on this machine, the same as in `catp.writer` next to the database. */
export const WRITER = 'writer';

/** The copy that was made before an upgrade of the database. Removed when the audit has an entry of it. */
export const COPIED_FOR_UPGRADE = 'copied-for-upgrade';

/** Incremented by each takeover, JSON of replica/epoch.ts. Missing: the first. */
export const EPOCH = 'epoch';

/** The day for which companies last received a warning about new requirements. */
export const WARNED_ON = 'deadlines-warned-on';

/** The day for which people last got their daily message. */
export const EMAILED_ON = 'emailed-on';

/** Results of the last fetch of each list that is fetched automatically. */
export const ORIGINS = { attributes: 'attribute-origin', nomenclature: 'nomenclature-origin' } as const;

/** Marks about tables, words and products: they are deleted together with these. */
export const OF_CONTENT: readonly string[] = [
  INVENTED_TABLE,
  WARNED_ON,
  EMAILED_ON,
  ...Object.values(ORIGINS),
];

export class FolderMarks extends Store {
  readonly find = this.value<[name: string], string>('SELECT value FROM folder_mark WHERE name = ?');
  readonly put = this.runs<[name: string, value: string]>(
    'INSERT INTO folder_mark (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  readonly remove = this.runs<[name: string]>('DELETE FROM folder_mark WHERE name = ?');

  /** Returns the moment at which the database was created. */
  readonly bornAt = this.number<[]>('SELECT min(applied_at) FROM migration');

  /**
   * Returns the moment of the first migration at or after a moment; `undefined`: no migration was applied
   * since.
   */
  readonly migratedSince = this.value<[moment: EpochMs], EpochMs>(
    'SELECT min(applied_at) FROM migration WHERE applied_at >= ?',
  );
}

/** Throws for a folder made by `dev`, before it is served to other machines. */
export function refuseMadeByDev(db: Db, folder: string): void {
  if (new FolderMarks(db).find(MADE_BY_DEV) !== undefined) throw madeByDev(folder);
}

export const madeByDev = (folder: string): OperatorError =>
  new OperatorError(
    `A pasta ${folder} foi criada por catp dev e tem usuários com segredos conhecidos. Use outra com --data.`,
  );

/** Returns the marks. `undefined`: the database is from a version without marks. */
export const marksIn = (db: Db): FolderMarks | undefined =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'folder_mark'").get() === undefined
    ? undefined
    : new FolderMarks(db);
