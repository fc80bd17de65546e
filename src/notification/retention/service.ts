/** The retention of deliveries and failures (specification, Limits; contract section 10). */
import type { Clock } from '../../clock.ts';
import { deleteInSlices } from '../../db/delete-in-slices.ts';
import type { Writer } from '../../db/writer.ts';
import { RETENTION_MS } from '../model.ts';
import type { RetentionStore } from './store.ts';

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
    const { store, writer, clock } = this.#parts;
    const before = clock.now() - RETENTION_MS;
    return {
      failures: await deleteInSlices(writer, (limit) => store.deleteFailures(before, limit)),
      deliveries: await deleteInSlices(writer, (limit) => store.deleteDeliveries(before, limit)),
      events: await deleteInSlices(writer, (limit) => store.deleteEvents(before, limit)),
      hours: await deleteInSlices(writer, (limit) => store.deleteHours(before, limit)),
    };
  }
}
