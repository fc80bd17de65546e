/** Retention of comparisons and runs, and cleanup after a remote is removed. */
import { type Clock, DAY_MS } from '../../clock.ts';
import { deleteInSlices } from '../../db/delete-in-slices.ts';
import type { Writer } from '../../db/writer.ts';
import type { PairStore } from '../compare/pair-store.ts';
import type { RemoteConnections } from '../remote-connections.ts';
import { type RemoteStore, filesOf } from '../store.ts';
import type { RunStore } from './store.ts';

/** Contract section 18. */
const COMPARISON_DAYS = 30;
const RUN_DAYS = 90;

export interface RemoteRetentionParts {
  readonly store: RemoteStore;
  readonly pairs: PairStore;
  readonly runs: RunStore;
  readonly connections: RemoteConnections;
  readonly writer: Writer;
  readonly discard: (storedFile: string) => Promise<void>;
  readonly clock: Clock;
}

type Next = () => number | undefined;

export class RemoteRetention {
  readonly #parts: RemoteRetentionParts;

  constructor(parts: RemoteRetentionParts) {
    this.#parts = parts;
  }

  async runOnce(): Promise<{
    readonly comparisons: number;
    readonly runs: number;
    readonly remotes: number;
  }> {
    const { store, pairs, runs, connections, writer, clock } = this.#parts;
    const before = clock.now() - COMPARISON_DAYS * DAY_MS;
    const comparisons = await this.#forgetComparisons(() => store.findComparisonBefore(before));
    const oldRuns = await this.forgetOldRuns();
    const remotes = await forgetEach(store.findGone, async (remote) => {
      await this.#forgetComparisons(() => store.findComparisonOf(remote));
      await this.#forgetRuns(() => runs.findOfRemote(remote));
      await deleteInSlices(writer, (limit) => pairs.deleteSome(remote, limit));
      await writer.write(() => {
        connections.delete(remote); // requests under way at the removal were still counted
        store.delete(remote);
      });
    });
    return { comparisons, runs: oldRuns, remotes };
  }

  /** Deletes the runs that ended before the retention period. Returns the number of deleted runs. */
  forgetOldRuns(): Promise<number> {
    const { runs, clock } = this.#parts;
    const before = clock.now() - RUN_DAYS * DAY_MS;
    return this.#forgetRuns(() => runs.findEndedBefore(before));
  }

  #forgetComparisons(next: Next): Promise<number> {
    const { store, writer, discard } = this.#parts;
    return forgetEach(next, async (id) => {
      await deleteInSlices(writer, (limit) => store.deleteSomeRecords(id, limit));
      const exports = store.findKept(id);
      await writer.write(() => store.deleteComparison(id));
      for (const storedFile of exports === undefined ? [] : filesOf(exports)) await discard(storedFile);
    });
  }

  #forgetRuns(next: Next): Promise<number> {
    const { runs, writer } = this.#parts;
    return forgetEach(next, async (id) => {
      await deleteInSlices(writer, (limit) => runs.deleteStepsSome(id, limit));
      await writer.write(() => runs.delete(id));
    });
  }
}

/** Forgets one item after the other. Returns their number. */
async function forgetEach(next: Next, forget: (id: number) => Promise<void>): Promise<number> {
  let forgotten = 0;
  for (let id = next(); id !== undefined; id = next()) {
    await forget(id);
    forgotten += 1;
  }
  return forgotten;
}
