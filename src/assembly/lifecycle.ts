import type { Feature } from './feature.ts';
import type { Scheduler } from '../jobs/scheduler.ts';

/** Grace period of the steps under way at a stop. Unfinished work restarts at the next start. */
const STEP_GRACE_MS = 500;

/**
 * Lifecycle of a server's features: prepares and starts them in list order, stops them together, and closes
 * them in reverse order.
 */
export class Lifecycle {
  readonly #features: readonly Feature[];
  readonly #jobs: Pick<Scheduler, 'start' | 'stop'>;
  #stopping: { readonly steps: Promise<void>; readonly jobs: Promise<void> } | undefined;

  constructor(features: readonly Feature[], jobs: Pick<Scheduler, 'start' | 'stop'>) {
    this.#features = features;
    this.#jobs = jobs;
  }

  async prepare(): Promise<void> {
    for (const feature of this.#features) await feature.prepare?.();
  }

  start(): void {
    void this.#startAll();
    this.#jobs.start();
  }

  /** Stops the background work after its current step. No further job starts. */
  stop(): Promise<void> {
    return this.#stopOnce().steps;
  }

  /** Runs `work` while the background work is stopped. Jobs continue. One call at a time. */
  async pause(work: () => Promise<void>): Promise<void> {
    await this.#stopAll(0);
    try {
      await work();
    } finally {
      if (this.#stopping === undefined) await this.#startAll();
    }
  }

  /** Closes the features. Only that aborts a long job. */
  async close(): Promise<void> {
    const { steps, jobs } = this.#stopOnce();
    await steps;
    await closeAll(this.#features);
    await jobs;
  }

  #stopOnce() {
    return (this.#stopping ??= { steps: this.#stopAll(STEP_GRACE_MS), jobs: this.#jobs.stop() });
  }

  async #startAll(): Promise<void> {
    await Promise.all(this.#features.map(async ({ start }) => start?.()));
  }

  async #stopAll(graceMs: number): Promise<void> {
    await Promise.all(this.#features.map(async ({ stop }) => stop?.(graceMs)));
  }
}

/** Closes the features in reverse order, because a later one may use an earlier one. */
export async function closeAll(features: readonly Feature[]): Promise<void> {
  for (const { close } of features.toReversed()) await close?.();
}
