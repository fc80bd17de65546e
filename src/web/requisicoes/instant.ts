/** Brasília has had no summer time since 2019. */
const BRASILIA = '-03:00';

const TYPED = /^(\d\d)\/(\d\d)\/(\d{4})(?:,? (\d\d:\d\d)(:\d\d)?)?$/;

/** `2026-01-31T09:30:00-03:00` of `31/01/2026 09:30`; anything else goes as it is, and the server says what it takes. */
export function instantOf(text: string): string {
  const bare = text.trim();
  const [, day, month, year, time = '00:00', seconds = ':00'] = TYPED.exec(bare) ?? [];
  return year === undefined ? bare : `${year}-${month}-${day}T${time}${seconds}${BRASILIA}`;
}
