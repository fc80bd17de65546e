/** Formatting shared by all lines. */
import { type EpochMs, SECOND_MS } from '../../clock.ts';
import { momentText } from '../../validation/calendar.ts';
import { visible } from '../../validation/text.ts';

const REASON_MAX_CHARACTERS = 300;

export function shortened(text: string, most = REASON_MAX_CHARACTERS): string {
  const line = visible(text.replaceAll('\n', ' '));
  return line.length <= most ? line : `${line.slice(0, most).toWellFormed()}…`;
}

const TIME = [11, 19] as const;

let latest = { second: Number.NaN, text: '' };

/**
 * Formats a time as `14:03:07`, in Brasília. The text is cached for its second, because one second can have
 * thousands of lines.
 */
export function timeOfDay(at: EpochMs): string {
  const second = Math.floor(at / SECOND_MS);
  if (second !== latest.second) latest = { second, text: momentText(at).slice(...TIME) };
  return latest.text;
}

/** Formats a duration as `3,2 ms` or `1,25 s`. */
export const duration = (ms: number): string =>
  ms < 1000
    ? `${ms.toFixed(ms < 10 ? 1 : 0).replace('.', ',')} ms`
    : `${(ms / 1000).toFixed(2).replace('.', ',')} s`;
