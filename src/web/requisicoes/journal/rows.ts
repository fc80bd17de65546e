/** The rows of the journal on the page: merged from list and stream, with the filters of the server. */
import type { LoggedRequest } from '../../api/answers.ts';

/** The limit of the server. */
export const MAX_ROWS = 1000;

export interface JournalFilters {
  readonly operation: string;
  readonly status: string;
  readonly method: string;
  readonly path: string;
}

/** Merges rows, newest first, without duplicates and up to the limit. */
export function mergedRows(
  rows: readonly LoggedRequest[],
  added: readonly LoggedRequest[],
): readonly LoggedRequest[] {
  const newest = rows[0]?.id ?? 0;
  const isInOrder = added.every(({ id }, index) => id > (added[index - 1]?.id ?? newest));
  if (isInOrder) return [...added.toReversed(), ...rows].slice(0, MAX_ROWS);
  const byId = new Map([...rows, ...added].map((row) => [row.id, row]));
  return [...byId.values()]
    .toSorted((loggedRequest, other) => other.id - loggedRequest.id)
    .slice(0, MAX_ROWS);
}

export const matchesFilters = (
  row: LoggedRequest,
  { operation, status, method, path }: JournalFilters,
): boolean =>
  (operation === '' || row.operation === operation) &&
  (status === '' || String(row.status ?? '') === status.trim()) &&
  (method === '' || row.method === method.toUpperCase()) &&
  row.path.includes(path);
