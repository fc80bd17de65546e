/** Retention of comparisons and runs, and cleanup after a remote is removed. */
import { type Clock, DAY_MS } from '../clock.ts';
import type { Writer } from '../db/writer.ts';
import type { PairStore } from './compare/pair-store.ts';
import { type KeptStore, filesOf } from './kept-store.ts';
import type { RemoteStore } from './store.ts';
import type { Ways } from './remote-connections.ts';

/** Contract section 18. */
const COMPARISON_DAYS = 30;

/** Rows that one transaction removes, so that requests run in between. */
const SLICE = 500;

/** Deletes runs. Runs import remotes, so this module cannot import runs. */
export interface RunsToForget {
  forgetOld(): Promise<number>;
  forgetOf(remoteId: number): Promise<number>;
}

export interface RemoteRetentionParts {
  readonly store: RemoteStore;
  readonly pairs: PairStore;
  readonly kept: KeptStore;
  readonly runs: RunsToForget;
  readonly ways: Ways;
  readonly writer: Writer;
  readonly discard: (storedFile: string) => Promise<void>;
  readonly clock: Clock;
}

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
    const { store, pairs, runs: kept, ways, writer, clock } = this.#parts;
    const before = clock.now() - COMPARISON_DAYS * DAY_MS;
    let [comparisons, remotes] = [0, 0];
    for (
      let id = store.findComparisonBefore(before);
      id !== undefined;
      id = store.findComparisonBefore(before)
    ) {
      await this.#forget(id);
      comparisons += 1;
    }
    const runs = await kept.forgetOld();
    for (let gone = store.findGone(); gone !== undefined; gone = store.findGone()) {
      const remote = gone;
      for (let id = store.findComparisonOf(remote); id !== undefined; id = store.findComparisonOf(remote))
        await this.#forget(id);
      await kept.forgetOf(remote);
      while ((await writer.write(() => pairs.deleteSome(remote, SLICE))) === SLICE);
      await writer.write(() => {
        ways.delete(remote); // requests under way at the removal were still counted
        store.delete(remote);
      });
      remotes += 1;
    }
    return { comparisons, runs, remotes };
  }

  async #forget(id: number): Promise<void> {
    const { store, kept: exports, writer, discard } = this.#parts;
    while ((await writer.write(() => store.deleteFoundSome(id, SLICE))) === SLICE);
    const kept = exports.find(id);
    await writer.write(() => store.deleteComparison(id));
    for (const storedFile of kept === undefined ? [] : filesOf(kept)) await discard(storedFile);
  }
}
