/** Retention of runs. */
import { type Clock, DAY_MS } from '../../clock.ts';
import type { Writer } from '../../db/writer.ts';
import type { RunStore } from './store.ts';

/** Contract section 18. */
const RUN_DAYS = 90;

/** Rows that one transaction removes, so that requests run in between. */
const SLICE = 500;

export interface RunRetentionParts {
  readonly runs: RunStore;
  readonly writer: Writer;
  readonly clock: Clock;
}

export class RunRetention {
  readonly #parts: RunRetentionParts;

  constructor(parts: RunRetentionParts) {
    this.#parts = parts;
  }

  /** Deletes the runs that ended before the retention period. Returns the number of deleted runs. */
  forgetOld(): Promise<number> {
    const { runs, clock } = this.#parts;
    const before = clock.now() - RUN_DAYS * DAY_MS;
    return this.#forget(() => runs.findEndedBefore(before));
  }

  forgetOf(remoteId: number): Promise<number> {
    return this.#forget(() => this.#parts.runs.findOfRemote(remoteId));
  }

  async #forget(next: () => number | undefined): Promise<number> {
    const { runs, writer } = this.#parts;
    let forgotten = 0;
    for (let id = next(); id !== undefined; id = next()) {
      const gone = id;
      while ((await writer.write(() => runs.deleteStepsSome(gone, SLICE))) === SLICE);
      await writer.write(() => runs.delete(gone));
      forgotten += 1;
    }
    return forgotten;
  }
}
