import type { Feature } from './feature.ts';
import type { Scheduler } from '../jobs/scheduler.ts';

/** What is in flight at a stop gets so long to end; the rest is made again at the next start. */
const STEP_GRACE_MS = 500;

/** The life of a server's features: prepared and started in the order of their list, stopped together, closed backwards. */
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

  /** Ends what goes on by itself after the step under way; no job begins any more. */
  stop(): Promise<void> {
    return this.#stopOnce().steps;
  }

  /** Does `work` while nothing goes on by itself; the jobs are not held up. One at a time. */
  async pause(work: () => Promise<void>): Promise<void> {
    await this.#stopAll(0);
    try {
      await work();
    } finally {
      if (this.#stopping === undefined) await this.#startAll();
    }
  }

  /** A job may be long: only the close of its feature cuts it short. */
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

/** The last one first: it may still need those before it. */
export async function closeAll(features: readonly Feature[]): Promise<void> {
  for (const { close } of features.toReversed()) await close?.();
}
