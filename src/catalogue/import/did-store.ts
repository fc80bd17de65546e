/**
 * Reads what the items of an import did, last item first, because an undo runs in that order. Includes items
 * whose result rows were forgotten.
 */
import { Store } from '../../db/prepared.ts';
import type { Did } from '../record.ts';
import type { ImportOutcome } from './model.ts';

/** An item that changed something. */
export interface DoneRow {
  readonly index: number;
  readonly codigo: string;
  readonly name: string | null;
  readonly did: readonly Did[];
}

/** A test holds it to an index. */
export const DONE_QUERY = `SELECT idx AS "index", codigo, name, did FROM import_result
  WHERE job_id = @id AND idx < @before AND did IS NOT NULL
  UNION ALL SELECT idx, codigo, NULL, did FROM import_done WHERE job_id = @id AND idx < @before
  ORDER BY idx DESC LIMIT @limit`;

/** Rows of one page, a few ms of work. */
const PAGE_ROWS = 200;

/** The change that the dry run of an item showed. */
export interface ReportedItem {
  readonly outcome: ImportOutcome;
  readonly did: readonly Did[];
}

export class DidStore extends Store {
  /** Returns what an item did, by its index. `undefined`: its result is not stored. */
  readonly findItem = this.one<[jobId: number, index: number], ReportedItem>(
    'SELECT outcome, did FROM import_result WHERE job_id = ? AND idx = ?',
    ({ outcome, did }: { readonly outcome: ImportOutcome; readonly did: string | null }) => ({
      outcome,
      did: did === null ? [] : (JSON.parse(did) as Did[]),
    }),
  );
  readonly #done = this.many<
    [{ id: number; before: number; limit: number }],
    Omit<DoneRow, 'did'> & { readonly did: string }
  >(DONE_QUERY);

  /** Yields the items of a job that changed something, last first, page by page. */
  *donePages(jobId: number): Generator<readonly DoneRow[]> {
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const rows = this.#done({ id: jobId, before, limit: PAGE_ROWS });
      if (rows.length === 0) return;
      yield rows.map((row) => ({ ...row, did: JSON.parse(row.did) as Did[] }));
      before = (rows.at(-1) as (typeof rows)[number]).index;
    }
  }
}
