/** The three deprecated operations (contract section 4): on until `operacoesDescontinuadas = false` makes them 404. */
import { notFound } from '../errors.ts';
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
  const batch = define(DEPRECATION_HEADERS);
  return [enabled ? batch : gone(batch)];
}

/** Left out, the path would answer 405 for the sake of its list operation; no token is needed to learn of the 404. */
const gone = (batch: Operation<Caller>): Operation<Caller> => ({
  ...batch,
  access: 'anybody',
  bodyForm: 'ignored',
  guard: undefined,
  handle: () => {
    throw notFound(
      'A operação em lote foi descontinuada nesta instalação; use as operações por registro em /docs.',
    );
  },
});
