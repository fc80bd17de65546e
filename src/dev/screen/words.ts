/** Formatting shared by all lines. */
import { type EpochMs, SECOND_MS } from '../../clock.ts';
import { momentText } from '../../validation/calendar.ts';
import { visible } from '../../validation/text.ts';

const REASON_MAX_CHARACTERS = 300;

export function shortened(text: string, max = REASON_MAX_CHARACTERS): string {
  const line = visible(text.replaceAll('\n', ' '));
  return line.length <= max ? line : `${line.slice(0, max).toWellFormed()}…`;
}

const TIME = [11, 19] as const;

let lastTime = { second: Number.NaN, text: '' };

/**
 * Formats a time as `14:03:07`, in Brasília. The text is cached for its second, because one second can have
 * thousands of lines.
 */
export function timeOfDay(at: EpochMs): string {
  const second = Math.floor(at / SECOND_MS);
  if (second !== lastTime.second) lastTime = { second, text: momentText(at).slice(...TIME) };
  return lastTime.text;
}

/** Formats a duration as `3,2 ms` or `1,25 s`. */
export const duration = (ms: number): string =>
  ms < 1000
    ? `${ms.toFixed(ms < 10 ? 1 : 0).replace('.', ',')} ms`
    : `${(ms / 1000).toFixed(2).replace('.', ',')} s`;
