/** Serves the fidelity ledger to any authenticated user. */
import { type Operation, ok, operation } from '../http/operation.ts';
import type { Caller } from '../session/model.ts';
import { CERTAINTIES } from './entry.ts';
import { LEDGER } from './ledger.ts';
import { choice, form, nullable, text } from '../validation/forms.ts';
import { t } from '../validation/type.ts';

const Entry = form('FidelityEntry', 'Uma lacuna da especificação e como foi preenchida.', {
  topic: t.String({ description: 'O que a especificação não mostra.' }),
  section: t.String({ description: 'A seção da especificação, ou a página da ajuda que trata disso.' }),
  behaviour: t.String({ description: 'O que este produto faz.' }),
  reason: t.String({ description: 'Por quê.' }),
  certainty: choice(CERTAINTIES, 'De onde isso vem, e quão certo é.'),
  setting: nullable(text('A configuração que o muda; null onde não há.', 'perfil')),
});

export function fidelityRoutes(): Operation<Caller>[] {
  return [
    operation('GET', '/appliance/api/fidelity', {
      id: 'getFidelity',
      tag: 'Operação',
      source: 'contract, section 12',
      summary: 'O que a especificação não mostra, e o que este produto faz',
      success: t.Array(Entry),
      // Only the test that compares the ledger with its sources needs `quotes`.
      handle: () => ok(LEDGER.map(({ quotes: _, ...entry }) => entry)),
    }),
  ];
}
