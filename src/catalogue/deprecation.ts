/** The three deprecated operations (contract section 4): on until `operacoesDescontinuadas = false` makes them 404. */
import type { Operation } from '../http/operation.ts';
import type { Caller } from '../session/model.ts';

/** RFC 9745 asks for a date; the specification announces the removal and gives none for the deprecation itself. */
const DEPRECATION_HEADERS = {
  Deprecation: 'true',
  Sunset: 'Thu, 01 Jan 2026 00:00:00 GMT',
} as const;

export function deprecatedBatch(
  enabled: boolean,
  define: (headers: Readonly<Record<string, string>>) => Operation<Caller>,
): Operation<Caller>[] {
  return enabled ? [define(DEPRECATION_HEADERS)] : [];
}
