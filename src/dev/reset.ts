/** Empties a development instance, so that it can be filled again. */
import type { Feed } from '../db/feed.ts';
import { FolderMarks, MADE_BY_DEV, OF_CONTENT } from '../db/folder-mark.ts';
import type { Db } from '../db/open.ts';
import type { Writer } from '../db/writer.ts';

/**
 * Tables that keep their rows: the schema history, and the marks of the folder, including those of its
 * backups, whose files still exist.
 */
const KEPT_TABLES = new Set(['migration', 'folder_mark']);

/**
 * Mark that exists while the instance is empty or partly filled. After a kill in that time, the next start
 * fills the instance again.
 */
const FILLING = 'filling';

export const isHalfFilled = (db: Db): boolean => new FolderMarks(db).find(FILLING) !== undefined;

/** Returns true if `dev` or `seed` filled this folder completely. */
export const isFilled = (db: Db): boolean =>
  new FolderMarks(db).find(MADE_BY_DEV) !== undefined && !isHalfFilled(db);

export interface RefillParts {
  readonly db: Db;
  readonly writer: Writer;
  readonly feed: Pick<Feed, 'replaced'>;
}

/**
 * Fills a new folder and marks it before the first user with a known secret exists. Content that the start
 * already wrote, such as the table of `atributos.arquivo`, stays.
 */
export async function fillFirst(parts: RefillParts, fill: () => Promise<void>): Promise<void> {
  const { db, writer } = parts;
  if (isHalfFilled(db)) await empty(parts);
  const marks = new FolderMarks(db);
  await writer.write(() => [FILLING, MADE_BY_DEV].forEach((name) => marks.put(name, 'true')));
  await fillAll(parts, fill);
}

/** Deletes every row of every table in one transaction, and fills the instance again. */
export async function refill(parts: RefillParts, fill: () => Promise<void>): Promise<void> {
  await empty(parts);
  await fillAll(parts, fill);
}

async function empty({ db, writer, feed }: RefillParts): Promise<void> {
  await writer.write(() => {
    // Defers the check of foreign keys to the commit, when all rows are deleted, in case they form a cycle.
    db.pragma('defer_foreign_keys = ON');
    for (const table of childrenFirst(db)) if (!KEPT_TABLES.has(table)) db.exec(`DELETE FROM "${table}"`);
    db.exec('DELETE FROM sqlite_sequence');
    const marks = new FolderMarks(db);
    for (const name of OF_CONTENT) marks.remove(name);
    marks.put(FILLING, 'true');
  });
  feed.replaced();
}

async function fillAll({ db, writer }: RefillParts, fill: () => Promise<void>): Promise<void> {
  await fill();
  await writer.write(() => new FolderMarks(db).remove(FILLING));
}

/**
 * Sorts the tables so that a referring table is emptied before the referenced one. Each delete looks for
 * referring rows, and without an index on that column (it would slow down every insert) it scans the whole
 * table. An empty table needs no scan.
 */
function childrenFirst(db: Db): readonly string[] {
  const names = tableNames(db);
  const parents = new Map(names.map((name) => [name, parentsOf(db, name)]));
  const ordered: string[] = [];
  while (ordered.length < names.length) {
    const remaining = names.filter((name) => !ordered.includes(name));
    const isReferred = (name: string): boolean =>
      remaining.some((other) => other !== name && parents.get(other)?.has(name) === true);
    const free = remaining.filter((name) => !isReferred(name));
    ordered.push(...(free.length > 0 ? free : remaining));
  }
  return ordered;
}

function parentsOf(db: Db, table: string): ReadonlySet<string> {
  return new Set(
    db.prepare<[string], string>('SELECT "table" FROM pragma_foreign_key_list(?)').pluck().all(table),
  );
}

function tableNames(db: Db): string[] {
  return db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();
}
