/**
 * Versions of any record: the version in force on a day, and the differences between two versions (contract
 * section 14).
 */
import type { ListedVersion } from '../api/answers.ts';

/** Returns the version in force now, which has started and has no end. */
export const currentOf = (versions: readonly ListedVersion[]): ListedVersion | undefined =>
  versions.findLast(({ startsOn, endsOn }) => startsOn !== null && endsOn === null) ?? versions.at(-1);

/** Returns the version in force at the end of the day, as known today. */
export const inForceOn = (versions: readonly ListedVersion[], day: string): ListedVersion | undefined =>
  versions.findLast(
    ({ startsOn, endsOn }) => startsOn !== null && startsOn <= day && (endsOn === null || day <= endsOn),
  );

/**
 * Returns the versions created after the one with that number, which was the version in force or one of its
 * rectifications.
 */
export function madeSince(
  versions: readonly ListedVersion[],
  knownVersion: string,
  rectifies: boolean,
): readonly ListedVersion[] {
  const familyOf = (versao: string): string | undefined => versao.split('.')[0];
  const all = rectifies
    ? versions.filter(({ versao }) => familyOf(versao) === familyOf(knownVersion))
    : versions.slice(0, versions.findIndex((listedVersion) => listedVersion === currentOf(versions)) + 1);
  return all.slice(all.findIndex(({ versao }) => versao === knownVersion) + 1);
}

export interface Difference {
  /** `identificacoesAdicionais/0/numero` */
  readonly place: string;
  /** Absent when that version has no value at this place. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly kind: 'same' | 'added' | 'removed' | 'changed';
}

/**
 * Returns every place with a difference, in the order of the record. `skippedMembers`: members that are not
 * compared.
 */
export function differences(from: object, to: object, skippedMembers: readonly string[] = []): Difference[] {
  const [before, after] = [placesOf(from), placesOf(to)];
  const skipped = new Set(skippedMembers);
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((place) => !skipped.has(place.split('/')[0] ?? ''))
    .map((place) => differenceOf(place, before.get(place), after.get(place)));
}

function differenceOf(place: string, from: string | undefined, to: string | undefined): Difference {
  const kind = from === to ? 'same' : from === undefined ? 'added' : to === undefined ? 'removed' : 'changed';
  return { place, from, to, kind };
}

/** Returns the texts by their place. Empty values have no entry. */
function placesOf(value: unknown, place = '', texts = new Map<string, string>()): Map<string, string> {
  if (value === null || value === undefined || value === '') return texts;
  if (typeof value === 'string') return texts.set(place, value);
  if (typeof value !== 'object') return texts.set(place, JSON.stringify(value));
  for (const [name, member] of Object.entries(value))
    placesOf(member, place === '' ? name : `${place}/${name}`, texts);
  return texts;
}

/** Formats the validity as `20/11/2026 a 30/11/2026`; `formatDay` formats a day. */
export function validityText(
  { startsOn, endsOn }: ListedVersion,
  formatDay: (day: string) => string,
): string {
  if (startsOn === null) return 'não valeu no fim de nenhum dia';
  if (endsOn === null) return `em vigor desde ${formatDay(startsOn)}`;
  return startsOn === endsOn
    ? `valeu em ${formatDay(startsOn)}`
    : `valeu de ${formatDay(startsOn)} a ${formatDay(endsOn)}`;
}
