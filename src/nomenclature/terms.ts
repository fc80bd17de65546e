/**
 * Decides which line of a code applies on which days: the one in force; else the last past one; else the
 * first future one.
 */
import type { Day } from '../clock.ts';
import { nextDay } from '../validation/calendar.ts';
import type { NomenclatureLine, NomenclatureRow } from './model.ts';

/** Later than all days. */
const NEVER = '9999-99-99';

/** `lines`: ordered by code, then by first day. */
export function* rowsOf(lines: readonly NomenclatureLine[]): Generator<NomenclatureRow> {
  for (let from = 0, to = 0; from < lines.length; from = to) {
    const [codigo] = lines[from] as NomenclatureLine;
    while (lines[to]?.[0] === codigo) to += 1;
    yield* ofOneCode(lines.slice(from, to));
  }
}

function* ofOneCode(lines: readonly NomenclatureLine[]): Generator<NomenclatureRow> {
  let start: Day | '' = '';
  let counts = lines[0] as NomenclatureLine;
  /** Lines that have begun and are not known to have ended, latest last. */
  const open: NomenclatureLine[] = [];
  let begun = 0;
  for (const day of turningDays(lines)) {
    while ((lines[begun]?.[2] ?? NEVER) <= day) open.push(lines[begun++] as NomenclatureLine);
    while (open.length > 0 && hasEnded(open.at(-1) as NomenclatureLine, day)) open.pop();
    const next = open.at(-1) ?? lines[begun - 1] ?? counts;
    if (next === counts) continue;
    yield [...counts, start, day];
    [start, counts] = [day, next];
  }
  yield [...counts, start, NEVER];
}

const hasEnded = ([, , , endsOn]: NomenclatureLine, day: Day): boolean => endsOn !== '' && endsOn < day;

/** Returns the days on which a line begins or has ended, in order; a line begins on the first of them. */
function turningDays(lines: readonly NomenclatureLine[]): readonly Day[] {
  const days = lines.flatMap(([, , startsOn, endsOn]) =>
    endsOn === '' ? [startsOn] : [startsOn, nextDay(endsOn)],
  );
  return [...new Set(days)].sort();
}
