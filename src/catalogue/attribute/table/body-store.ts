/**
 * Stores the rows and file of a table, some 20 MB. Those of an old fetched table are deleted in small steps, and
 * restored when its file is loaded again (contract section 19: a difference is kept, not the file). Column
 * `body`: `whole`; `going` and `gone` while and after the rows are deleted; `coming` while they are restored.
 */
import type { Day, EpochMs } from '../../../clock.ts';
import { Store } from '../../../db/prepared.ts';

/** Sizes of the JSON file, plain and as stored. */
export interface FileHead {
  readonly jsonBytes: number;
  readonly jsonCrc32: number;
  readonly deflatedBytes: number;
}

/** Number of rows deleted in one step. */
const ROWS_PER_STEP = 200;

/** Number of fetched tables that always stay whole, for review and for going back. */
const NEWEST_WHOLE = 3;

/** Number of tables in force until today that stay whole: the current one, and the one to go back to. */
const ACTIVATED_WHOLE = 2;

export class TableBodyStore extends Store {
  readonly #deleteRows = [
    this.db.prepare<[number, number, number]>(
      `DELETE FROM attribute_table_ncm WHERE table_id = ? AND ncm IN
         (SELECT ncm FROM attribute_table_ncm WHERE table_id = ? LIMIT ?)`,
    ),
    ...['attribute_table_detail', 'attribute_table_file'].map((table) =>
      this.db.prepare<[number, number, number]>(
        `DELETE FROM ${table} WHERE table_id = ? AND rowid IN (SELECT rowid FROM ${table} WHERE table_id = ? LIMIT ?)`,
      ),
    ),
  ];
  readonly #old = this.values<[Day, number, Day, number], number>(
    `SELECT id FROM attribute_table WHERE state = 'loaded' AND body = 'whole' AND fetched_at IS NOT NULL
         AND id NOT IN (SELECT id FROM attribute_table WHERE state = 'loaded' AND fetched_at IS NOT NULL
                        ORDER BY fetched_at DESC, id DESC LIMIT ${NEWEST_WHOLE})
         AND id NOT IN (SELECT table_id FROM attribute_activation WHERE cancelled_at IS NULL AND on_day <= ?
                        GROUP BY table_id ORDER BY max(on_day) DESC, max(id) DESC LIMIT ?)
         AND id NOT IN (SELECT table_id FROM attribute_activation WHERE cancelled_at IS NULL AND on_day > ?)
         AND id NOT IN (SELECT since_table_id FROM attribute_sweep WHERE outcome IS NULL AND since_table_id IS NOT NULL)
       ORDER BY id LIMIT ?`,
  );
  readonly #setBody = this.runs<[string, number, string]>(
    'UPDATE attribute_table SET body = ? WHERE id = ? AND body = ?',
  );
  readonly #markRestoring = this.runs(`UPDATE attribute_table SET body = 'coming' WHERE id = ?`);
  readonly #deleteFile = this.runs('DELETE FROM attribute_table_file WHERE table_id = ?');
  readonly #markWhole = this.changes(
    `UPDATE attribute_table SET body = 'whole', json_bytes = ?, json_crc32 = ?, deflated_bytes = ?, fetched_at = ?
     WHERE id = ? AND body = 'coming'`,
  );
  /** Keeps a table whose file a person uploaded: it is not removed automatically any more. */
  readonly keepWhole = this.runs<[tableId: number]>(
    'UPDATE attribute_table SET fetched_at = NULL WHERE id = ?',
  );
  readonly #abandonAllRestores = this.runs(`UPDATE attribute_table SET body = 'going' WHERE body = 'coming'`);
  readonly #findRemoval = this.value<[], number>(
    `SELECT id FROM attribute_table WHERE body = 'going' LIMIT 1`,
  );

  /** Returns the oldest tables that need only their difference: fetched, not new, and not scheduled. */
  listOld(today: Day, limit: number): number[] {
    return this.#old(today, ACTIVATED_WHOLE, today, limit);
  }

  /** Marks a table so that `continueRemoval` deletes its rows. */
  startRemoval(tableId: number): void {
    this.#setBody('going', tableId, 'whole');
  }

  /** Deletes some rows of marked tables; returns `false` when none are left. */
  continueRemoval(): boolean {
    const tableId = this.#findRemoval();
    if (tableId === undefined) return false;
    if (!this.deleteRows(tableId)) this.#setBody('gone', tableId, 'going');
    return true;
  }

  /** Deletes some rows of any table; returns `false` when it has none. */
  deleteRows(tableId: number): boolean {
    return this.#deleteRows.some((statement) => statement.run(tableId, tableId, ROWS_PER_STEP).changes > 0);
  }

  /**
   * Starts restoring the rows. Remaining rows are overwritten: their content is the same. The file may have
   * another layout, so it is deleted.
   */
  startRestore(tableId: number): void {
    this.#markRestoring(tableId);
    this.#deleteFile(tableId);
  }

  /**
   * Marks the table as whole. Returns `false` when the restore was abandoned in the meantime. `fetchedAt` is
   * `null` if a person uploaded the file.
   */
  finishRestore(
    tableId: number,
    { jsonBytes, jsonCrc32, deflatedBytes }: FileHead,
    fetchedAt: EpochMs | null,
  ): boolean {
    return this.#markWhole(jsonBytes, jsonCrc32, deflatedBytes, fetchedAt, tableId) === 1;
  }

  /** Abandons the restore of one table, or, at a start after a crash, of all. */
  abandonRestore(tableId?: number): void {
    if (tableId === undefined) this.#abandonAllRestores();
    else this.#setBody('going', tableId, 'coming');
  }
}
