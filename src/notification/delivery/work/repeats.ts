/** When a failed delivery is tried again (contract section 1; setting `entrega.repeticoes`). */
import type { EpochMs } from '../../../clock.ts';

export interface RepeatPolicy {
  /** Waits after the first, second, … failed attempt, in ms; empty: never. */
  readonly delays: readonly number[];
  /** 0 ≤ random < 1, so that what failed together is not repeated together. */
  readonly random: () => number;
}

/** A wait is lengthened by up to this part of itself, never shortened. */
const REPEAT_JITTER = 0.1;

/** When to try again after the `failures`-th counted attempt failed at `now`; `undefined`: no more. */
export function repeatAt(
  { delays, random }: RepeatPolicy,
  failures: number,
  now: EpochMs,
): EpochMs | undefined {
  const delay = delays[failures - 1];
  return delay === undefined ? undefined : now + Math.round(delay * (1 + REPEAT_JITTER * random()));
}

/** No repeat can be due later than this, unless the clock was set back meanwhile. */
export const latestRepeatAt = ({ delays }: RepeatPolicy, now: EpochMs): EpochMs =>
  now + Math.round(Math.max(0, ...delays) * (1 + REPEAT_JITTER));
