/** The remotes of a company, for pages that say nothing of remotes where there is none. */
import { useMemo } from 'preact/hooks';
import type { Remote } from '../api/answers.ts';
import { useResource } from '../api/use-resource.ts';
import { REMOTES } from './words.ts';

const NONE: readonly Remote[] = [];

/** None until the server has told them, and for whoever may not write; the same in every render. */
export function useRemotes(company: string, canWrite: boolean): readonly Remote[] {
  const { value } = useResource<readonly Remote[]>(canWrite ? REMOTES : undefined);
  return useMemo(
    () => value?.filter(({ companies }) => companies.includes(company)) ?? NONE,
    [value, company],
  );
}
