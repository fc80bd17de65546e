/** Describes an origin: result of the last fetch, and time of the next one. */
import { momentText } from '../../../validation/calendar.ts';
import type { OriginState } from './model.ts';
import type { Origin } from './origin.ts';
import { needsAttention } from './fetch-problem.ts';

export function originAnswer(origin: Origin, isDecided: (last: OriginState) => boolean) {
  const last = origin.state();
  const next = origin.nextAt();
  return {
    isSet: origin.isSet,
    last: last && {
      at: momentText(last.at),
      ok: last.ok,
      message: last.message,
      asksForSomebody: needsAttention(last, isDecided),
    },
    nextAt: next === undefined ? null : momentText(next),
  };
}
