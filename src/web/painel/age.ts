/** Ages in words. */
import { count } from '../words.ts';

const DAY_MS = 86_400_000;

/** `hoje`, `ontem`, `há 3 dias`; by the days of the server, whose clock may be a test clock. */
export function ageInWords(at: string, today: string): string {
  const age = Math.round((Date.parse(`${today}T12:00Z`) - Date.parse(`${at.slice(0, 10)}T12:00Z`)) / DAY_MS);
  if (age <= 0) return 'hoje';
  return age === 1 ? 'ontem' : `há ${count(age)} dias`;
}
