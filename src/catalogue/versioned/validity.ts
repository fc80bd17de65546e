/** Computes which version is in force on which day (contract section 6). Does not use the database. */
import type { Day } from '../../clock.ts';
import type { VersionNumber } from '../version.ts';

/** Version, with its validity only. */
export interface DatedVersion extends VersionNumber {
  readonly startsOn: Day;
}

/**
 * The version is in force at the end of every day from its start until before `untilDay`; `undefined`: no
 * end.
 */
export interface Validity<V extends DatedVersion> {
  readonly version: V;
  readonly untilDay: Day | undefined;
}

/**
 * Returns the validities of a record. At the end of day D, among the families that started by then, the one
 * with the latest start counts, then the highest number; within it the latest rectification. The last one is
 * the current version.
 */
export function validities<V extends DatedVersion>(versions: readonly V[]): Validity<V>[] {
  const latestOfFamily = new Map<number, V>();
  for (const version of versions) {
    const latest = latestOfFamily.get(version.family);
    if (latest === undefined || latest.rectification < version.rectification)
      latestOfFamily.set(version.family, version);
  }
  const ordered = [...latestOfFamily.values()].sort(
    (a, b) => compare(a.startsOn, b.startsOn) || a.family - b.family,
  );
  return ordered.flatMap((version, index) => {
    const untilDay = ordered[index + 1]?.startsOn;
    // A family that was superseded on its first day is in force at the end of no day.
    return untilDay === undefined || version.startsOn < untilDay ? [{ version, untilDay }] : [];
  });
}

/** Returns true if a new version replaces the current one, by the same rule. */
export const takesOver = (version: DatedVersion, current: DatedVersion): boolean =>
  version.startsOn === current.startsOn
    ? version.family >= current.family
    : version.startsOn > current.startsOn;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
