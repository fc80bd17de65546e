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

type Next = () => number | undefined;

export function createRemoteRetention({
  store,
  pairs,
  runs,
  connections,
  writer,
  discard,
  clock,
}: {
  readonly store: RemoteStore;
  readonly pairs: PairStore;
  readonly runs: RunStore;
  readonly connections: RemoteConnections;
  readonly writer: Writer;
  readonly discard: (storedFile: string) => Promise<void>;
  readonly clock: Clock;
}) {
  async function runOnce(): Promise<{
    readonly comparisons: number;
    readonly runs: number;
    readonly remotes: number;
  }> {
    const before = clock.now() - COMPARISON_DAYS * DAY_MS;
    const comparisons = await forgetComparisons(() => store.findComparisonBefore(before));
    const oldRuns = await forgetOldRuns();
    const remotes = await forgetEach(store.findGone, async (remote) => {
      await forgetComparisons(() => store.findComparisonOf(remote));
      await forgetRuns(() => runs.findOfRemote(remote));
      await deleteInSlices(writer, (limit) => pairs.deleteSome(remote, limit));
      await writer.write(() => {
        connections.delete(remote); // requests under way at the removal were still counted
        store.delete(remote);
      });
    });
    return { comparisons, runs: oldRuns, remotes };
  }

  /** Deletes the runs that ended before the retention period. Returns the number of deleted runs. */
  function forgetOldRuns(): Promise<number> {
    const before = clock.now() - RUN_DAYS * DAY_MS;
    return forgetRuns(() => runs.findEndedBefore(before));
  }

  function forgetComparisons(next: Next): Promise<number> {
    return forgetEach(next, async (id) => {
      await deleteInSlices(writer, (limit) => store.deleteSomeRecords(id, limit));
      const exports = store.findKept(id);
      await writer.write(() => store.deleteComparison(id));
      for (const storedFile of exports === undefined ? [] : filesOf(exports)) await discard(storedFile);
    });
  }

  function forgetRuns(next: Next): Promise<number> {
    return forgetEach(next, async (id) => {
      await deleteInSlices(writer, (limit) => runs.deleteStepsSome(id, limit));
      await writer.write(() => runs.delete(id));
    });
  }

  return { runOnce, forgetOldRuns };
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
