/** Deletes records of comparisons in slices, so that requests run in between. */
import { DELETED_AT_ONCE, deleteInSlices } from '../db/delete-in-slices.ts';
import type { Writer } from '../db/writer.ts';
import type { Comparison } from './model.ts';
import type { RemoteStore } from './store.ts';

/**
 * Maximum records that the comparisons of a remote and a company list together. The newest one is never
 * deleted.
 */
export const LISTED_RECORDS_MAX = 2_000_000;

export class RecordDeletion {
  readonly #store: RemoteStore;
  readonly #writer: Writer;

  constructor(store: RemoteStore, writer: Writer) {
    this.#store = store;
    this.#writer = writer;
  }

  deleteAll(id: number): Promise<number> {
    return deleteInSlices(this.#writer, (limit) => this.#store.deleteSomeRecords(id, limit));
  }

  /** Deletes the equal records of all earlier comparisons (contract section 18). */
  async deleteEqualBefore(comparison: Comparison, isStopping: () => boolean): Promise<void> {
    for (
      let id = this.#store.findEqualBefore(comparison);
      id !== undefined;
      id = this.#store.findEqualBefore(comparison)
    ) {
      const before = id;
      await this.#writer.write(() => this.#store.deleteEqualSome(before, DELETED_AT_ONCE));
      if (isStopping()) return;
    }
  }

  /** Deletes the earlier comparisons that exceed the maximum with the newer ones. */
  async deleteOverLimit(comparison: Comparison, isStopping: () => boolean): Promise<void> {
    for (const id of this.#store.listOverLimit(comparison, LISTED_RECORDS_MAX)) {
      if (isStopping()) return;
      await this.deleteAll(id);
      await this.#writer.write(() => this.#store.deleteComparison(id));
    }
  }
}
