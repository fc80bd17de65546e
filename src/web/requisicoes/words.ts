/** Words of the journal and of fault rules (contract section 15). */
import type { LoggedRequest } from '../api/answers.ts';
import { dayText } from '../words.ts';

/** Returns the requested path with its query. */
export function addressOf({ path, query }: Pick<LoggedRequest, 'path' | 'query'>): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values as string | readonly string[]].flat().map((value) => `${name}=${value}`),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** Extracts `14:03:07` from `2026-11-22T14:03:07.123-03:00`. */
const timeText = (moment: string): string => moment.slice(11, 19);

/** Returns the time of arrival by the clock of the machine. A test clock stands still between two requests. */
export const timeOf = ({ arrivedAt }: Pick<LoggedRequest, 'arrivedAt'>): string => timeText(arrivedAt);

/** Returns day and time by the test clock. `undefined`: the instance runs on the clock of the machine. */
export function testTimeOf({ at, arrivedAt }: Pick<LoggedRequest, 'at' | 'arrivedAt'>): string | undefined {
  const isSame = Math.abs(Date.parse(at) - Date.parse(arrivedAt)) < SAME_MS;
  return isSame ? undefined : `${dayText(at)} ${timeText(at)}`;
}

/** The two clocks are read one after the other. */
const SAME_MS = 1000;
