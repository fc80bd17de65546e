/** Placeholder that `serving/bundle.ts` replaces with the index of the handbook. */
import type { HelpSection } from './help-search.ts';

export const SECTIONS: readonly HelpSection[] = [];
