/** What only a development instance has: a journal of its requests, a clock that is moved, a way back to the beginning. */
import type { Feature } from '../feature.ts';
import type { Ground } from '../ground.ts';
import type { Attend } from '../http/attendance.ts';
import { lateFaultOf } from '../http/kept-alive.ts';
import type { Dated } from '../jobs/model.ts';
import type { Caller } from '../session/model.ts';
import { adviser } from './journal/advice.ts';
import { openJournal } from './journal/feature.ts';
import type { Journal } from './journal/journal.ts';
import { devRoutes } from './routes.ts';

export interface DevelopmentParts {
  readonly isSecure: (request: Request) => boolean;
  /** What falls due by itself, in the order in which a moved clock does it. */
  readonly dated: readonly Dated[];
  readonly reset: () => Promise<void>;
}

export interface Development extends Feature {
  /** What is done around each request. */
  readonly attend: Attend<Caller>;
  readonly journal: Journal;
  /** Ends what would keep a connection open for ever. */
  readonly end: () => void;
}

export function openDevelopment(ground: Ground, parts: DevelopmentParts): Development {
  const { clock, realTime, log } = ground;
  const { journal, operations, end } = openJournal(ground, { ...parts, advise: adviser });
  return {
    operations: () => [
      ...devRoutes({ ...parts, clock, realTime, onLateFault: lateFaultOf(log) }),
      ...(operations?.() ?? []),
    ],
    attend: journal.attend,
    journal,
    end,
  };
}
