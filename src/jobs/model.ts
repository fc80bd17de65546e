import type { EpochMs } from '../clock.ts';

/** Work that is repeated. The job contains no loop, and the loop no rule of a job. */
export interface Job {
  /** Name for `catp job run`. */
  readonly name: string;
  /** One Portuguese sentence. */
  readonly about: string;
  /** Cron pattern, Brasília time. `undefined`: runs only on request. */
  readonly pattern: string | undefined;
  /**
   * Also runs when the server starts, for times missed while it was off. A long job does so only when it
   * missed one.
   */
  readonly atStart: boolean | (() => boolean);
  /** Checked at each scheduled time. `undefined`: always due. A request by name ignores it. */
  readonly isDue?: () => boolean;
  /** Runs the job once. Returns a record of the completed work. */
  readonly runOnce: () => Promise<object> | object;
}

/** A component with scheduled work: the jobs, the deliveries. */
export interface DueWork {
  /** Returns when its next work is due. `undefined`: no work waits. */
  nextDueAt(): EpochMs | undefined;
  /** Does the work that is due now. Resolves when it is done. */
  runDue(): Promise<void>;
}
