/** Loads the remotes of a company, for pages that hide remotes when there is none. */
import { useMemo } from 'preact/hooks';
import type { Remote } from '../api/answers.ts';
import { useResource } from '../api/use-resource.ts';
import { REMOTES } from './words.ts';

const NONE: readonly Remote[] = [];

/**
 * Returns an empty list until the server answers, and for users without write access. The list keeps its
 * identity across renders.
 */
export function useRemotes(company: string, canWrite: boolean): readonly Remote[] {
  const { value } = useResource<readonly Remote[]>(canWrite ? REMOTES : undefined);
  return useMemo(
    () => value?.filter(({ companies }) => companies.includes(company)) ?? NONE,
    [value, company],
  );
}
