/** The retention of deliveries and failures (specification, Limits; contract section 10). */
import type { Clock } from '../../clock.ts';
import { deleteInSlices } from '../../db/delete-in-slices.ts';
import type { Writer } from '../../db/writer.ts';
import { RETENTION_MS } from '../model.ts';
import type { RetentionStore } from './store.ts';

export interface RetentionResult {
  readonly failures: number;
  readonly deliveries: number;
  readonly events: number;
  readonly hours: number;
}

export class Retention {
  readonly #store: RetentionStore;
  readonly #writer: Writer;
  readonly #clock: Clock;

  constructor(store: RetentionStore, writer: Writer, clock: Clock) {
    this.#store = store;
    this.#writer = writer;
    this.#clock = clock;
  }

  /** Removes failures, deliveries, events and counts older than 30 days. Pending deliveries of any age stay. */
  async runOnce(): Promise<RetentionResult> {
    const before = this.#clock.now() - RETENTION_MS;
    return {
      failures: await deleteInSlices(this.#writer, (limit) => this.#store.deleteFailures(before, limit)),
      deliveries: await deleteInSlices(this.#writer, (limit) => this.#store.deleteDeliveries(before, limit)),
      events: await deleteInSlices(this.#writer, (limit) => this.#store.deleteEvents(before, limit)),
      hours: await deleteInSlices(this.#writer, (limit) => this.#store.deleteHours(before, limit)),
    };
  }
}
