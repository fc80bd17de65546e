/**
 * The three deprecated operations (contract section 4): enabled until `operacoesDescontinuadas = false`
 * makes them 404.
 */
import type { Operation } from '../http/operation.ts';
import type { Caller } from '../session/model.ts';

/**
 * RFC 9745 requires a date; the specification announces the removal and gives no date for the deprecation.
 */
const DEPRECATION_HEADERS = {
  Deprecation: 'true',
  Sunset: 'Thu, 01 Jan 2026 00:00:00 GMT',
} as const;

/** A disabled operation stays mounted: otherwise its path would return 405 because of its list operation. */
export const deprecatedBatch = (enabled: boolean, batch: Operation<Caller>): Operation<Caller> => ({
  ...batch,
  deprecated: true,
  ...(enabled ? { everyAnswer: DEPRECATION_HEADERS } : { retired: true }),
});
