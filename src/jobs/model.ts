import type { EpochMs } from '../clock.ts';

/** Something that is done again and again. The rule has no loop, the loop has no rule. */
export interface Job {
  /** As `catp job run` takes it. */
  readonly name: string;
  /** One Portuguese sentence. */
  readonly about: string;
  /** Cron pattern, Brasília time; `undefined`: only when it is asked for by name. */
  readonly pattern: string | undefined;
  /** Also done when the server starts, for what was missed while it was off; what is long, only where something was. */
  readonly atStart: boolean | (() => boolean);
  /** Looked at when its time comes; absent: it is always due. Asked for by name it is done all the same. */
  readonly isDue?: () => boolean;
  /** Does it once; the result says what was done. */
  readonly runOnce: () => Promise<object> | object;
}

/** Something with work that falls due: the jobs, the deliveries. */
export interface Dated {
  /** When its next work is due; `undefined` while nothing waits. */
  nextDueAt(): EpochMs | undefined;
  /** Does what is due by now, and resolves when it is done. */
  runDue(): Promise<void>;
}
