/** The fidelity ledger, for any signed-in user. */
import { Type as t } from '@sinclair/typebox';
import { type Operation, ok, operation } from '../http/operation.ts';
import type { Caller } from '../session/model.ts';
import { CERTAINTIES } from './entry.ts';
import { LEDGER } from './ledger.ts';

const Entry = t.Object({
  topic: t.String(),
  section: t.String(),
  behaviour: t.String(),
  reason: t.String(),
  certainty: t.Unsafe<string>({ type: 'string', enum: [...CERTAINTIES] }),
  setting: t.Union([t.String(), t.Null()]),
});

export function fidelityRoutes(): Operation<Caller>[] {
  return [
    operation('GET', '/appliance/api/fidelity', {
      id: 'getFidelity',
      tag: 'Operação',
      source: 'contract, section 12',
      summary: 'O que a especificação não mostra, e o que este produto faz',
      success: t.Array(Entry),
      // `quotes` only serves the test that holds the ledger to its sources.
      handle: () => ok(LEDGER.map(({ quotes: _, ...entry }) => entry)),
    }),
  ];
}
