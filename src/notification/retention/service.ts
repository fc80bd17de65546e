/** The retention of deliveries and failures (specification, Limits; contract section 10). */
import type { Clock } from '../../clock.ts';
import type { Writer } from '../../db/writer.ts';
import { RETENTION_MS } from '../model.ts';
import type { RetentionStore } from './store.ts';

/** Limit of rows that one transaction removes, so that requests run in between. */
export const RETENTION_SLICE = 500;

export interface RetentionParts {
  readonly store: RetentionStore;
  readonly writer: Writer;
  readonly clock: Clock;
}

export interface RetentionResult {
  readonly failures: number;
  readonly deliveries: number;
  readonly events: number;
  readonly hours: number;
}

export class Retention {
  readonly #parts: RetentionParts;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  /** Removes what is older than 30 days now. Pending deliveries stay, however old. */
  async runOnce(): Promise<RetentionResult> {
    const { store, clock } = this.#parts;
    const before = clock.now() - RETENTION_MS;
    return {
      failures: await this.#inSlices((limit) => store.deleteFailures(before, limit)),
      deliveries: await this.#inSlices((limit) => store.deleteDeliveries(before, limit)),
      events: await this.#inSlices((limit) => store.deleteEvents(before, limit)),
      hours: await this.#inSlices((limit) => store.deleteHours(before, limit)),
    };
  }

  async #inSlices(remove: (limit: number) => number): Promise<number> {
    let removed = 0;
    for (;;) {
      const slice = await this.#parts.writer.write(() => remove(RETENTION_SLICE));
      removed += slice;
      if (slice < RETENTION_SLICE) return removed;
    }
  }
}
