/** Runs jobs when they are due. Croner computes the times from the time of our Clock. */
import { Cron } from 'croner';
import { type Clock, type EpochMs, SECOND_MS, type Timer } from '../clock.ts';
import type { Job } from './model.ts';
import { atWallClock, wallClock } from '../validation/calendar.ts';

interface Scheduled {
  readonly job: Job;
  readonly pattern: string;
  dueAt: EpochMs;
  timer: Timer | undefined;
}

/** Delay after the start before a server first checks its jobs. */
const BEGIN_AFTER_MS = SECOND_MS;

const NOT_ARMED: EpochMs = Number.POSITIVE_INFINITY;

export class Scheduler {
  readonly #clock: Clock;
  readonly #onRun: (job: Job, result: object) => void;
  readonly #onFailure: (job: Job, error: unknown) => void;
  readonly #scheduled: readonly Scheduled[];
  readonly #running = new Set<Promise<void>>();
  /** The latest moment at which the jobs were checked. */
  #seenAt: EpochMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;
  #beginning: Timer | undefined;

  constructor(
    jobs: readonly Job[],
    clock: Clock,
    onRun: (job: Job, result: object) => void,
    onFailure: (job: Job, error: unknown) => void,
  ) {
    this.#clock = clock;
    this.#onRun = onRun;
    this.#onFailure = onFailure;
    this.#scheduled = jobs.flatMap((job) => {
      const { pattern } = job;
      if (pattern === undefined) return [];
      const dueAt = clock.test ? nextRun(pattern, clock.now()) : NOT_ARMED;
      return { job, pattern, dueAt, timer: undefined };
    });
  }

  /**
   * Runs the jobs for the start, then waits for the others. The owner of a test clock calls `runDue`
   * directly.
   */
  start(): void {
    if (this.#clock.test) this.#runAtStart();
    // Croner needs some ms for the first times: requests have priority.
    else this.#beginning = this.#clock.at(this.#clock.now() + BEGIN_AFTER_MS, () => this.#begin());
  }

  /** Returns when the next job is due. */
  nextDueAt(): EpochMs | undefined {
    this.#noticeTurnBack();
    return this.#scheduled.length === 0 ? undefined : Math.min(...this.#scheduled.map(({ dueAt }) => dueAt));
  }

  /** Runs each due job once, even if it was due several times. */
  async runDue(): Promise<void> {
    this.#noticeTurnBack();
    const now = this.#clock.now();
    for (const scheduled of this.#scheduled) {
      if (scheduled.dueAt > now) continue;
      scheduled.dueAt = nextRun(scheduled.pattern, now);
      if (isDue(scheduled.job)) await this.#run(scheduled.job);
    }
  }

  /** Called when a restored state moved the test clock: no job became due on the way. */
  clockPut(): void {
    const now = this.#clock.now();
    for (const scheduled of this.#scheduled) scheduled.dueAt = nextRun(scheduled.pattern, now);
    this.#seenAt = now;
  }

  /** Resolves when no job runs any more. Starts no further job. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#beginning?.cancel();
    for (const { timer } of this.#scheduled) timer?.cancel();
    await Promise.all(this.#running);
  }

  /** Handles a test clock that was set back: it passes days again, and their jobs are due again. */
  #noticeTurnBack(): void {
    const now = this.#clock.now();
    if (this.#clock.test && now < this.#seenAt) this.clockPut();
    this.#seenAt = now;
  }

  #begin(): void {
    this.#runAtStart();
    for (const scheduled of this.#scheduled) this.#arm(scheduled);
  }

  #runAtStart(): void {
    for (const { job } of this.#scheduled) {
      const { atStart } = job;
      if (typeof atStart === 'boolean' ? atStart : atStart()) void this.#run(job);
    }
  }

  #arm(scheduled: Scheduled): void {
    // A job that was running at the stop gets no further time.
    if (this.#isStopped) return;
    scheduled.dueAt = nextRun(scheduled.pattern, this.#clock.now());
    scheduled.timer = this.#clock.at(scheduled.dueAt, () => {
      const run = isDue(scheduled.job) ? this.#run(scheduled.job) : Promise.resolve();
      void run.then(() => this.#arm(scheduled));
    });
  }

  #run(job: Job): Promise<void> {
    const run = Promise.resolve()
      .then(() => job.runOnce())
      .then(
        (result) => this.#onRun(job, result),
        (error: unknown) => this.#onFailure(job, error),
      )
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
    return run;
  }
}

const isDue = ({ isDue = () => true }: Job): boolean => isDue();

/**
 * Returns the next time of a pattern. Parses the pattern at each call, which is rare, so that a start parses
 * none. Croner gets local times only: its time zones would load 3 MB in some ms.
 */
function nextRun(pattern: string, now: EpochMs): EpochMs {
  const cron = new Cron(pattern, { utcOffset: 0, paused: true });
  const next = cron.nextRun(new Date(wallClock(now)));
  if (next === null) throw new Error(`The pattern ${pattern} never comes.`);
  return atWallClock(next.getTime());
}
