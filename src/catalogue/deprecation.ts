/** The three deprecated operations (contract section 4): on until `operacoesDescontinuadas = false` makes them 404. */
import type { Operation } from '../http/operation.ts';
import type { Caller } from '../session/model.ts';

/** RFC 9745 asks for a date; the specification announces the removal and gives none for the deprecation itself. */
const DEPRECATION_HEADERS = {
  Deprecation: 'true',
  Sunset: 'Thu, 01 Jan 2026 00:00:00 GMT',
} as const;

/** A retired one stays mounted: left out, its path would answer 405 for the sake of its list operation. */
export const deprecatedBatch = (enabled: boolean, batch: Operation<Caller>): Operation<Caller> => ({
  ...batch,
  deprecated: true,
  ...(enabled ? { everyAnswer: DEPRECATION_HEADERS } : { retired: true }),
});
