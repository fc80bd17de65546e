/** Words of the journal and of fault rules (contract section 15). */
import type { LoggedRequest } from '../api/answers.ts';

/** Returns the requested path with its query. */
export function addressOf({ path, query }: Pick<LoggedRequest, 'path' | 'query'>): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values as string | readonly string[]].flat().map((value) => `${name}=${value}`),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** Extracts `14:03:07` from `2026-11-22T14:03:07.123-03:00`. */
export const timeOf = ({ at }: Pick<LoggedRequest, 'at'>): string => at.slice(11, 19);
