/** Reads the size and age of the delivery queue, for monitoring. */
import type { EpochMs } from '../../../clock.ts';
import { Store } from '../../../db/prepared.ts';
import { OLDEST_DUE } from './delivery-store.ts';

export interface Queue {
  /** Deliveries that wait for an attempt, now or later. The count stops at `COUNTED_MAX`. */
  readonly waiting: number;
  /**
   * The due time of the delivery that has waited longest. It is in the future when no delivery is due.
   * `undefined`: no delivery waits.
   */
  readonly oldestDueAt: EpochMs | undefined;
}

/** The count limit: counting a million takes some ms of a GET, and is of no use to the reader. */
const COUNTED_MAX = 100_000;

const COUNT = `SELECT count(*) FROM (
  SELECT 1 FROM delivery INDEXED BY delivery_by_state WHERE state = 'pending' LIMIT ${COUNTED_MAX})`;

export class QueueStore extends Store {
  readonly #count = this.number<[]>(COUNT);
  readonly #oldest = this.value<[], EpochMs>(OLDEST_DUE);

  read(): Queue {
    return { waiting: this.#count(), oldestDueAt: this.#oldest() };
  }
}
