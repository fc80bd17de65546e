/** How many deliveries wait, for whoever watches over the server. */
import type { EpochMs } from '../../../clock.ts';
import { Store } from '../../../db/prepared.ts';
import { OLDEST_DUE } from './delivery-store.ts';

export interface Queue {
  /** To be tried, now or later; no more than `COUNTED_MAX` are counted. */
  readonly waiting: number;
  /** Since when the one that has waited longest is due; in the future where none is due; absent: none waits. */
  readonly oldestDueAt: EpochMs | undefined;
}

/** Counting a million would hold a GET up for some ms, and says nothing more. */
const COUNTED_MAX = 100_000;

const COUNT = `SELECT count(*) FROM (
  SELECT 1 FROM delivery INDEXED BY delivery_by_state WHERE state = 'pending' LIMIT ${COUNTED_MAX})`;

export class QueueStore extends Store {
  readonly #count = this.db.prepare<[], number>(COUNT).pluck();
  readonly #oldest = this.db.prepare<[], EpochMs | null>(OLDEST_DUE).pluck();

  read(): Queue {
    return { waiting: this.#count.get() ?? 0, oldestDueAt: this.#oldest.get() ?? undefined };
  }
}
