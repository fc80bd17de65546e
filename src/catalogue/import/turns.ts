/** Whose turn it is (contract section 16, limits): companies do not wait for one another, files for one company do. */
import type { ImportJob } from './model.ts';

type Waiting = Pick<ImportJob, 'documento' | 'company' | 'total'>;

/**
 * Of the jobs in the order in which they came, those that have a turn now. Of each company and of each user one file is under
 * way; one that is for several companies, or that nobody has read yet, also keeps its place among those of its user.
 */
export function turnsOf<T extends Waiting>(jobs: readonly T[]): T[] {
  const companies = new Set<string>();
  const users = new Set<string>();
  const heldUp = new Set<string>();
  const readers = new Set<string>();
  return jobs.filter(({ documento, company, total }) => {
    if (total === null) return added(readers, documento);
    const isFirstOfUser = added(users, documento);
    if (company !== null) return added(companies, company) && !heldUp.has(documento);
    heldUp.add(documento);
    return isFirstOfUser;
  });
}

/** Whether it was not there yet. */
const added = (set: Set<string>, text: string): boolean => set.size !== set.add(text).size;
