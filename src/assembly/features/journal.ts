/** The journal put together: what listens, and what is shown of it. */
import type { Feature } from '../feature.ts';
import type { Ground } from '../ground.ts';
import type { Advise } from '../../dev/journal/advice.ts';
import { Journal, type JournalParts } from '../../dev/journal/journal.ts';
import { Live } from '../../dev/journal/live.ts';
import { journalRoutes } from '../../dev/journal/routes.ts';

export interface JournalFeature extends Feature {
  readonly journal: Journal;
  /** Ends the streams of those who follow, when the server stops. */
  readonly end: () => void;
}

export function openJournal(
  { clock, stopwatch, realTime }: Ground,
  { isSecure, advise }: Pick<JournalParts, 'isSecure'> & { readonly advise: Advise },
): JournalFeature {
  const journal = new Journal({ clock, stopwatch, isSecure });
  const live = new Live(journal, realTime);
  return {
    journal,
    operations: () => journalRoutes({ journal, live, advise }),
    end: () => live.end(),
  };
}
