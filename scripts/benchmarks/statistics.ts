/** The statistics of the table. */

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Returns a percentile by linear interpolation between the two nearest values; `NaN` for an empty list. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/**
 * Returns the median of `a / b` round by round: a disturbance of the machine affects both sides of a round.
 */
export function medianRatio(a: readonly number[], b: readonly number[]): number {
  return median(a.map((value, round) => value / (b[round] ?? Number.NaN)));
}
