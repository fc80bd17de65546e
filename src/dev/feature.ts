/** What only a development instance has: a clock that is moved, and a way back to the beginning. */
import type { Feature } from '../feature.ts';
import type { Ground } from '../ground.ts';
import { lateFaultOf } from '../http/kept-alive.ts';
import type { Dated } from '../jobs/model.ts';
import { devRoutes } from './routes.ts';

export interface DevelopmentParts {
  /** What falls due by itself, in the order in which a moved clock does it. */
  readonly dated: readonly Dated[];
  readonly reset: () => Promise<void>;
}

export function openDevelopment({ clock, realTime, log }: Ground, parts: DevelopmentParts): Feature {
  return { operations: () => devRoutes({ ...parts, clock, realTime, onLateFault: lateFaultOf(log) }) };
}
