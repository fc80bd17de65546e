/** What the journal and the rules of faults answer (contract section 15). */
import type { LoggedRequest } from '../api/answers.ts';

/** The path with its query, as it was asked. */
export function addressOf({ path, query }: Pick<LoggedRequest, 'path' | 'query'>): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values as string | readonly string[]].flat().map((value) => `${name}=${value}`),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** `14:03:07` of `2026-11-22T14:03:07.123-03:00` */
export const timeOf = ({ at }: Pick<LoggedRequest, 'at'>): string => at.slice(11, 19);
