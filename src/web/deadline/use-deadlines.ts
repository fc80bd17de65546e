import type { Deadline, DeadlinePage } from '../api/answers.ts';
import type { Query } from '../api/client.ts';
import { useResource } from '../api/use-resource.ts';

const NONE: readonly Deadline[] = [];
/** Maximum number of requested deadlines, more than any NCM has at a time. */
const LIMIT = 500;

/**
 * Returns the deadlines that the server announces. Returns an empty list while they are unknown, because they
 * are only a hint.
 */
export function useDeadlines(query: Query | undefined): readonly Deadline[] {
  const { value } = useResource<DeadlinePage>(query && '/appliance/api/deadlines', {
    query: { ...query, limit: LIMIT },
  });
  return query === undefined ? NONE : (value?.items ?? NONE);
}

/**
 * Returns the deadlines of attributes, once when both modalities agree. The end of an NCM is shown next to
 * its description.
 */
export const ofAttributes = (all: readonly Deadline[]): readonly Deadline[] =>
  all.filter(
    (deadline, index) =>
      deadline.codigo !== null &&
      all.findIndex(({ codigo, on }) => codigo === deadline.codigo && on === deadline.on) === index,
  );
