/**
 * Reads the changes that the items of an import applied, last item first, because an undo runs in that order.
 * Includes items whose result rows were forgotten. The column `did` holds the changes of an item as JSON.
 */
import { Store } from '../../db/prepared.ts';
import type { AppliedChange } from '../record.ts';
import type { ImportOutcome } from './model.ts';

/** An item that changed something, with its changes. */
export interface ItemChanges {
  readonly index: number;
  readonly codigo: string;
  readonly name: string | null;
  readonly appliedChanges: readonly AppliedChange[];
}

/** A test holds it to an index. */
export const ITEM_CHANGES_QUERY = `SELECT idx AS "index", codigo, name, did FROM import_result
  WHERE job_id = @id AND idx < @before AND did IS NOT NULL
  UNION ALL SELECT idx, codigo, NULL, did FROM import_done WHERE job_id = @id AND idx < @before
  ORDER BY idx DESC LIMIT @limit`;

/** Rows of one page, a few ms of work. */
const PAGE_ROWS = 200;

/** The outcome of an item in a dry run, and the changes that it would apply. */
export interface DryRunItem {
  readonly outcome: ImportOutcome;
  readonly appliedChanges: readonly AppliedChange[];
}

export class AppliedChangeStore extends Store {
  /** Returns an item of a dry run, by its index. `undefined`: its result is not stored. */
  readonly findItem = this.one<[jobId: number, index: number], DryRunItem>(
    'SELECT outcome, did FROM import_result WHERE job_id = ? AND idx = ?',
    ({ outcome, did }: { readonly outcome: ImportOutcome; readonly did: string | null }) => ({
      outcome,
      appliedChanges: did === null ? [] : parsed(did),
    }),
  );
  readonly #itemChanges = this.many<
    [{ id: number; before: number; limit: number }],
    Omit<ItemChanges, 'appliedChanges'> & { readonly did: string }
  >(ITEM_CHANGES_QUERY);

  /** Yields the items of a job that changed something, last first, page by page. */
  *itemPages(jobId: number): Generator<readonly ItemChanges[]> {
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const rows = this.#itemChanges({ id: jobId, before, limit: PAGE_ROWS });
      if (rows.length === 0) return;
      yield rows.map(({ did, ...row }) => ({ ...row, appliedChanges: parsed(did) }));
      before = (rows.at(-1) as (typeof rows)[number]).index;
    }
  }
}

const parsed = (did: string): AppliedChange[] => JSON.parse(did) as AppliedChange[]; // written by this program
