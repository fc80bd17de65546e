/** Offset of Brasília, without summer time since 2019. */
const BRASILIA = '-03:00';

const TYPED = /^(\d\d)\/(\d\d)\/(\d{4})(?:,? (\d\d:\d\d)(:\d\d)?)?$/;

/**
 * Converts `31/01/2026 09:30` to `2026-01-31T09:30:00-03:00`. Any other text is sent unchanged, and the
 * server explains the accepted form.
 */
export function instantOf(text: string): string {
  const bare = text.trim();
  const [, day, month, year, time = '00:00', seconds = ':00'] = TYPED.exec(bare) ?? [];
  return year === undefined ? bare : `${year}-${month}-${day}T${time}${seconds}${BRASILIA}`;
}
