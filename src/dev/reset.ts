/** Empties a development instance, so that it can be filled again. */
import { FolderMarks } from '../db/folder-mark.ts';
import type { Db } from '../db/open.ts';
import type { Writer } from '../db/writer.ts';

/** The schema's history and the facts about the folder stay. */
const KEPT_TABLES = new Set(['migration', 'folder_mark']);

/** Stands from the moment the instance is emptied until it is filled: a kill in between is made good at the next start. */
const FILLING = 'filling';

export const isHalfFilled = (db: Db): boolean => new FolderMarks(db).find(FILLING) !== undefined;

/** Deletes every row of every table in one transaction, and fills the instance anew. */
export async function refill(db: Db, writer: Writer, fill: () => Promise<void>): Promise<void> {
  const marks = new FolderMarks(db);
  await writer.write(() => {
    // Foreign keys are checked at the commit, when all rows are gone.
    db.pragma('defer_foreign_keys = ON');
    for (const table of tableNames(db)) if (!KEPT_TABLES.has(table)) db.exec(`DELETE FROM "${table}"`);
    db.exec('DELETE FROM sqlite_sequence');
    marks.put(FILLING, 'true');
  });
  await fill();
  await writer.write(() => marks.remove(FILLING));
}

function tableNames(db: Db): string[] {
  return db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();
}
