/** What all lines have in common. */
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

/** `14:03:07`, in Brasília. Lines come by the thousand in one second: it is said once. */
export function timeOfDay(at: EpochMs): string {
  const second = Math.floor(at / SECOND_MS);
  if (second !== latest.second) latest = { second, text: momentText(at).slice(...TIME) };
  return latest.text;
}

/** `3,2 ms`, `1,25 s` */
export const duration = (ms: number): string =>
  ms < 1000
    ? `${ms.toFixed(ms < 10 ? 1 : 0).replace('.', ',')} ms`
    : `${(ms / 1000).toFixed(2).replace('.', ',')} s`;
