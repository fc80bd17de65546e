/** An origin as it is told: what the last fetch brought, and when the next one is. */
import { momentText } from '../../../validation/calendar.ts';
import type { OriginState } from './model.ts';
import type { Origin } from './origin.ts';
import { asksForSomebody } from './trouble.ts';

export function originAnswer(origin: Origin, isDecided: (last: OriginState) => boolean) {
  const last = origin.state();
  const next = origin.nextAt();
  return {
    isSet: origin.isSet,
    last: last && {
      at: momentText(last.at),
      ok: last.ok,
      message: last.message,
      asksForSomebody: asksForSomebody(last, isDecided),
    },
    nextAt: next === undefined ? null : momentText(next),
  };
}
