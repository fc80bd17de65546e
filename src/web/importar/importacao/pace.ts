/**
 * Speed and remaining time of an import, from the progress that this page observed. The page may have been
 * opened during the import.
 */

export interface Observation {
  readonly at: number;
  readonly processed: number;
}

/** Older observations do not represent the current speed. */
const OBSERVATIONS_MAX = 30;

export const withObservation = (
  observations: readonly Observation[],
  next: Observation,
): readonly Observation[] =>
  observations.at(-1)?.processed === next.processed
    ? observations
    : [...observations, next].slice(-OBSERVATIONS_MAX);

/** Returns items per second, or `undefined` before the second observation. */
export function rateOf(observations: readonly Observation[]): number | undefined {
  const [first, last] = [observations[0], observations.at(-1)];
  if (first === undefined || last === undefined || last.at <= first.at) return undefined;
  return ((last.processed - first.processed) / (last.at - first.at)) * 1000;
}

/** Returns the remaining time in words: `menos de 5 segundos`, `cerca de 3 minutos`. */
export function remainingInWords(remainingItems: number, perSecond: number): string {
  const seconds = remainingItems / perSecond;
  if (seconds < 5) return 'menos de 5 segundos';
  if (seconds < 90) return `cerca de ${Math.round(seconds / 5) * 5} segundos`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `cerca de ${minutes} minutos` : `cerca de ${Math.round(minutes / 60)} horas`;
}
