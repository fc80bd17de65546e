import type { Deadline, DeadlinePage } from '../api/answers.ts';
import type { Query } from '../api/client.ts';
import { useResource } from '../api/use-resource.ts';

const NONE: readonly Deadline[] = [];
/** No NCM asks for so many at a time. */
const LIMIT = 500;

/** What the server says will be asked; nothing while it is not known, for it only helps. */
export function useDeadlines(query: Query | undefined): readonly Deadline[] {
  const { value } = useResource<DeadlinePage>(query && '/appliance/api/deadlines', {
    query: { ...query, limit: LIMIT },
  });
  return query === undefined ? NONE : (value?.items ?? NONE);
}

/** Those of attributes, once where both modalities say the same: the end of an NCM stands beside its words. */
export const ofAttributes = (all: readonly Deadline[]): readonly Deadline[] =>
  all.filter(
    (one, at) =>
      one.codigo !== null && all.findIndex(({ codigo, on }) => codigo === one.codigo && on === one.on) === at,
  );
