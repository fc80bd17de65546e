/** Runs jobs when they fall due. Croner says when; our Clock says what time it is. */
import { Cron } from 'croner';
import { type Clock, type EpochMs, SECOND_MS, type Timer } from '../clock.ts';
import type { Job } from './model.ts';
import { atWallClock, wallClock } from '../validation/calendar.ts';

export interface SchedulerParts {
  readonly jobs: readonly Job[];
  readonly clock: Clock;
  readonly onRun: (job: Job, result: object) => void;
  readonly onFailure: (job: Job, error: unknown) => void;
}

interface Scheduled {
  readonly job: Job;
  readonly pattern: string;
  dueAt: EpochMs;
  timer: Timer | undefined;
}

/** How long after the start a server looks at its jobs for the first time. */
const BEGIN_AFTER_MS = SECOND_MS;

const NOT_ARMED: EpochMs = Number.POSITIVE_INFINITY;

export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #scheduled: readonly Scheduled[];
  readonly #running = new Set<Promise<void>>();
  /** The latest moment at which the jobs were looked at. */
  #seenAt: EpochMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;
  #beginning: Timer | undefined;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    this.#scheduled = parts.jobs.flatMap((job) => {
      const { pattern } = job;
      if (pattern === undefined) return [];
      const { clock } = parts;
      const dueAt = clock.test ? nextRun(pattern, clock.now()) : NOT_ARMED;
      return { job, pattern, dueAt, timer: undefined };
    });
  }

  /** Does what is done at start, then waits for the rest. A clock that is moved by hand calls `runDue` itself. */
  start(): void {
    const { clock } = this.#parts;
    if (clock.test) this.#runAtStart();
    // Croner needs some ms to find the first times: requests come first.
    else this.#beginning = clock.at(clock.now() + BEGIN_AFTER_MS, () => this.#begin());
  }

  /** When the next job is due. */
  nextDueAt(): EpochMs | undefined {
    this.#noticeTurnBack();
    return this.#scheduled.length === 0 ? undefined : Math.min(...this.#scheduled.map(({ dueAt }) => dueAt));
  }

  /** Runs every job that is due by now, once each however often it fell due. */
  async runDue(): Promise<void> {
    this.#noticeTurnBack();
    const now = this.#parts.clock.now();
    for (const scheduled of this.#scheduled) {
      if (scheduled.dueAt > now) continue;
      scheduled.dueAt = nextRun(scheduled.pattern, now);
      if (isDue(scheduled.job)) await this.#run(scheduled.job);
    }
  }

  /** A test clock was put somewhere else with all that there is: nothing fell due on the way. */
  clockPut(): void {
    const now = this.#parts.clock.now();
    for (const scheduled of this.#scheduled) scheduled.dueAt = nextRun(scheduled.pattern, now);
    this.#seenAt = now;
  }

  /** Resolves when no job runs any more; none begins after it. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#beginning?.cancel();
    for (const { timer } of this.#scheduled) timer?.cancel();
    await Promise.all(this.#running);
  }

  /** A test clock that was put back lives through days again, and their jobs are due again. */
  #noticeTurnBack(): void {
    const { clock } = this.#parts;
    const now = clock.now();
    if (clock.test && now < this.#seenAt) this.clockPut();
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
    // A job that ran into the stop must not wait for its next time.
    if (this.#isStopped) return;
    const { clock } = this.#parts;
    scheduled.dueAt = nextRun(scheduled.pattern, clock.now());
    scheduled.timer = clock.at(scheduled.dueAt, () => {
      const run = isDue(scheduled.job) ? this.#run(scheduled.job) : Promise.resolve();
      void run.then(() => this.#arm(scheduled));
    });
  }

  #run(job: Job): Promise<void> {
    const run = Promise.resolve()
      .then(() => job.runOnce())
      .then(
        (result) => this.#parts.onRun(job, result),
        (error: unknown) => this.#parts.onFailure(job, error),
      )
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
    return run;
  }
}

const isDue = ({ isDue = () => true }: Job): boolean => isDue();

/**
 * The pattern is read each time, which is rare, so that a start reads none. Croner only sees wall clocks: for zones of its own
 * it would load what takes 3 MB and some ms.
 */
function nextRun(pattern: string, now: EpochMs): EpochMs {
  const cron = new Cron(pattern, { utcOffset: 0, paused: true });
  const next = cron.nextRun(new Date(wallClock(now)));
  if (next === null) throw new Error(`The pattern ${pattern} never comes.`);
  return atWallClock(next.getTime());
}
