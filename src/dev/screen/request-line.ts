/** Formats `14:03:07 POST /catp/api/ext/produto/12345678 → 422 3 problemas: /ncm: … [CATP-…]` */
import type { Problem } from '../../errors.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { withCount, visible } from '../../validation/text.ts';
import { pathOf, tagOfEntry } from '../journal/display.ts';
import type { Colours } from './colours.ts';
import { duration, shortened, timeOfDay } from './words.ts';

export function requestLine(entry: JournalEntry, colours: Colours): string {
  const { at, method, fault, status, ms } = entry;
  const { faint, notice } = colours;
  const requestText = `${faint(timeOfDay(at))} ${visible(method)} ${visible(pathOf(entry))}`;
  const simulated = fault === null ? '' : ` ${notice(`(falha simulada: ${visible(fault)})`)}`;
  return `${requestText} → ${statusText(status, colours)}${simulated} ${reasonOf(entry, colours) ?? faint(duration(ms))}`;
}

function statusText(status: number | null, { good, notice, bad, strong }: Colours): string {
  if (status === null) return bad('sem resposta');
  const paint = status >= 500 ? bad : status >= 400 ? notice : good;
  return strong(paint(String(status)));
}

function reasonOf(entry: JournalEntry, { faint }: Colours): string | undefined {
  const { refusal } = entry;
  if (refusal === undefined) return undefined;
  const [first] = refusal.problems;
  const tag = tagOfEntry(entry);
  const text = shortened(first === undefined ? refusal.message : problemText(first, refusal.problems.length));
  return [text, tag === null ? '' : faint(tag)].filter((part) => part !== '').join(' ');
}

/** Formats the number of problems and the first one. */
function problemText({ path, message, label }: Problem, count: number): string {
  const isNamed = path === null || path === '' || label === path;
  const place = isNamed ? '' : `${path}: `;
  return `${withCount(count, 'problema')}: ${place}${message}`;
}
