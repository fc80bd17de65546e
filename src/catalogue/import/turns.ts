/**
 * Decides which jobs run now (contract section 16, limits): companies do not wait for each other, and files
 * of one company run in order.
 */
import type { ImportJob } from './model.ts';

type Waiting = Pick<ImportJob, 'documento' | 'company' | 'total'>;

/**
 * Returns the jobs that may run now, of jobs in the order of arrival. Each company has one running file, and
 * each user one that is being read. A file with several companies waits for the earlier files of its user that
 * were read, and later ones of that user wait for it.
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

/** Adds the text. Returns true if the set did not have it. */
const added = (set: Set<string>, text: string): boolean => set.size !== set.add(text).size;
