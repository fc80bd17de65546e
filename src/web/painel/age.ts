/** Formats ages. */
import { countText } from '../words.ts';

const DAY_MS = 86_400_000;

/**
 * Formats an age as `hoje`, `ontem`, `há 3 dias`. Days follow the clock of the server, which may be a test
 * clock.
 */
export function daysAgoInWords(at: string, today: string): string {
  const age = Math.round((Date.parse(`${today}T12:00Z`) - Date.parse(`${at.slice(0, 10)}T12:00Z`)) / DAY_MS);
  if (age <= 0) return 'hoje';
  return age === 1 ? 'ontem' : `há ${countText(age)} dias`;
}
