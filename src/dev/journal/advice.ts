/** What would have been valid in place of what was refused, as far as schemas and domains tell. */
import type { Problem } from '../../errors.ts';
import type { Entry } from './entry.ts';

export interface Advice {
  /** In words; `null` where nothing is known. */
  readonly suggestion: string | null;
  /** A value that would have been taken there; `null` where none is known. */
  readonly valid: unknown;
}

export type Advise = (entry: Entry, problem: Problem) => Advice;

export const adviser: Advise = () => ({ suggestion: null, valid: null });
