/** Empties a development instance, so that it can be filled again. */
import type { Db } from '../db/open.ts';
import type { Writer } from '../db/writer.ts';

/** The schema's history and the facts about the folder stay. */
const KEPT_TABLES = new Set(['migration', 'folder_mark']);

/** Deletes every row of every table in one transaction. */
export function emptyDatabase(db: Db, writer: Writer): Promise<void> {
  return writer.write(() => {
    // Foreign keys are checked at the commit, when all rows are gone.
    db.pragma('defer_foreign_keys = ON');
    for (const table of tableNames(db)) if (!KEPT_TABLES.has(table)) db.exec(`DELETE FROM "${table}"`);
    db.exec('DELETE FROM sqlite_sequence');
  });
}

function tableNames(db: Db): string[] {
  return db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();
}
