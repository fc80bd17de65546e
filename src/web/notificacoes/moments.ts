/** Converts days and moments of this page to the formats of its operations. */
import type { FailingSubscription } from '../api/answers.ts';
import { dayText, hasDayForm } from '../words.ts';

/** Converts `20-11-2026 10:31:07` to `20/11/2026 10:31`. */
export const printedMoment = (text: string): string => text.slice(0, 16).replaceAll('-', '/');

/** Converts `2026-11-20` to `20112026`, the format of the failures query. Returns '' for an invalid day. */
export const compactDay = (text: string): string =>
  hasDayForm(text) ? text.split('-').reverse().join('') : '';

/** Converts `20112026` to `2026-11-20`. Returns '' for any other form. */
export const dayOfCompact = (text: string): string =>
  /^\d{8}$/.test(text) ? `${text.slice(4)}-${text.slice(2, 4)}-${text.slice(0, 2)}` : '';

/** Describes the deletion: `em 12 dias, em 20/12/2026`. */
export function deletionInWords({
  deletesOn,
  daysLeft,
}: Pick<FailingSubscription, 'deletesOn' | 'daysLeft'>): string {
  if (daysLeft === 0) return 'hoje, ou na próxima entrega que falhar';
  return `em ${daysLeft === 1 ? '1 dia' : `${daysLeft} dias`}, em ${dayText(deletesOn)}`;
}

/** Returns the instant of `dd/mm/aaaa hh:mm` in Brasília, or `undefined` when the text is invalid. */
export function instantOf(dayText: string, time: string): string | undefined {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(time.trim()) ?? [];
  if (hour === undefined || minute === undefined || Number(hour) > 23 || Number(minute) > 59)
    return undefined;
  const text = `${dayText}T${hour.padStart(2, '0')}:${minute}:00-03:00`;
  return Number.isNaN(Date.parse(text)) ? undefined : text;
}
