/** The repeat schedule of failed deliveries (contract section 1; setting `entrega.repeticoes`). */
import type { EpochMs } from '../../../clock.ts';

export interface RepeatPolicy {
  /** Delays after the first, second, … failed attempt, in ms; empty: no repeats. */
  readonly delays: readonly number[];
  /** Returns 0 ≤ random < 1, so that deliveries that failed together are not repeated together. */
  readonly random: () => number;
}

/** The jitter: a delay grows by up to this fraction, and never shrinks. */
const REPEAT_JITTER = 0.1;

/**
 * Returns the time of the next attempt after the `failures`-th counted attempt failed at `now`; `undefined`:
 * none.
 */
export function repeatAt(
  { delays, random }: RepeatPolicy,
  failures: number,
  now: EpochMs,
): EpochMs | undefined {
  const delay = delays[failures - 1];
  return delay === undefined ? undefined : now + Math.round(delay * (1 + REPEAT_JITTER * random()));
}

/** Returns the latest time at which a repeat can be due, unless the clock was set back meanwhile. */
export const latestRepeatAt = ({ delays }: RepeatPolicy, now: EpochMs): EpochMs =>
  now + Math.round(Math.max(0, ...delays) * (1 + REPEAT_JITTER));
