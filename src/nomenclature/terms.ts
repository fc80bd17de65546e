/** Which of the lines of a code counts on which days: the one in force; else the last that was; else the first that will be. */
import type { Day } from '../clock.ts';
import { nextDay } from '../validation/calendar.ts';
import type { NomenclatureLine, NomenclatureRow } from './model.ts';

/** Behind all days. */
const NEVER = '9999-99-99';

/** `lines` by code, those of one code by their first day. */
export function* rowsOf(lines: readonly NomenclatureLine[]): Generator<NomenclatureRow> {
  for (let from = 0, to = 0; from < lines.length; from = to) {
    const [codigo] = lines[from] as NomenclatureLine;
    while (lines[to]?.[0] === codigo) to += 1;
    yield* ofOneCode(lines.slice(from, to));
  }
}

function* ofOneCode(lines: readonly NomenclatureLine[]): Generator<NomenclatureRow> {
  let since: Day | '' = '';
  let counts = lines[0] as NomenclatureLine;
  /** Those that have begun and are not known to have ended, the latest last. */
  const open: NomenclatureLine[] = [];
  let begun = 0;
  for (const day of turningDays(lines)) {
    while ((lines[begun]?.[2] ?? NEVER) <= day) open.push(lines[begun++] as NomenclatureLine);
    while (open.length > 0 && hasEnded(open.at(-1) as NomenclatureLine, day)) open.pop();
    const next = open.at(-1) ?? lines[begun - 1] ?? counts;
    if (next === counts) continue;
    yield [...counts, since, day];
    [since, counts] = [day, next];
  }
  yield [...counts, since, NEVER];
}

const hasEnded = ([, , , endsOn]: NomenclatureLine, day: Day): boolean => endsOn !== '' && endsOn < day;

/** The days on which one begins or has ended, in order; the first of them is one on which one begins. */
function turningDays(lines: readonly NomenclatureLine[]): readonly Day[] {
  const days = lines.flatMap(([, , startsOn, endsOn]) =>
    endsOn === '' ? [startsOn] : [startsOn, nextDay(endsOn)],
  );
  return [...new Set(days)].sort();
}
