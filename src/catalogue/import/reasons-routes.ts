/** Defines the operation that explains why items failed (contract section 24). */
import type { Clock } from '../../clock.ts';
import { type Operation, operation } from '../../http/operation.ts';
import type { Reads } from '../../reading/pool.ts';
import type { Caller } from '../../session/model.ts';
import { dayOf } from '../../validation/calendar.ts';
import type { CatalogueRules } from '../../validation/company.ts';
import { pageAnswer } from '../paging/answers.ts';
import { ImportId, isOfSheet } from './model.ts';
import { ImportReason, REASONS_MAX, type ReasonsRead } from './reasons.ts';
import type { ImportService } from './service.ts';
import { t } from '../../validation/type.ts';

export const reasonsRoutes = ({
  imports,
  reads,
  clock,
  rules: { modalidadeAmbos },
}: {
  readonly imports: ImportService;
  readonly reads: Reads<ReasonsRead>;
  readonly clock: Clock;
  readonly rules: Pick<CatalogueRules, 'modalidadeAmbos'>;
}): Operation<Caller>[] => [
  operation('GET', '/appliance/api/imports/:id/reasons', {
    tag: 'Importações',
    source: 'contract, section 24',
    id: 'listImportReasons',
    summary: 'Mostra por que itens falharam, motivo a motivo',
    description: `Os itens recusados, juntos pelo código da regra e pelo membro, do motivo mais frequente ao menos: quantas linhas, as primeiras delas, os valores recebidos e os aceitos. São contados só os itens cujos resultados são guardados, até importacao.falhas; de resultados apagados a lista é vazia, e de uma planilha cujas linhas não são mais guardadas não há recebidos. Até ${REASONS_MAX} motivos. De arquivos JSON e de alterações de vários produtos o que foi recebido não é contado à parte: está na mensagem.`,
    params: t.Object({ id: ImportId }),
    success: t.Array(ImportReason),
    handle: ({ caller, quotaOwner, params }) => {
      const job = imports.find(caller, params.id);
      const { id, tipo } = job;
      const pedido = imports.instructionsOf(job);
      const rows = imports.noCellsReason(job) === undefined ? imports.rowsOf(job) : undefined;
      const sheet = isOfSheet(job) && pedido !== null ? { pedido, rows } : null;
      const day = dayOf(clock.now());
      return pageAnswer(reads, quotaOwner, { kind: 'importReasons', id, tipo, day, modalidadeAmbos, sheet });
    },
  }),
];
