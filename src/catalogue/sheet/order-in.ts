/** Reads the order of an import whose rows are corrected, downloaded or carried out (contract section 24). */
import { notFound, unprocessable } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import { withCount } from '../../validation/text.ts';
import { violated } from '../codes.ts';
import { type ImportJob, isOfSheet, sheetMembersIn } from '../import/model.ts';
import type { ImportService } from '../import/service.ts';
import { type SheetOrder, parseSheetOrder } from './order.ts';

/** Returns the order of the sheet. Throws 404, and 422 for the sheets of a zip. */
export function sheetOrderOf(imports: ImportService, job: ImportJob): SheetOrder {
  const pedido = imports.orderOf(job);
  const members = sheetMembersIn({ kind: job.kind, pedido });
  if (members !== undefined)
    throw unprocessable([
      violated(
        'nothingToCorrect',
        null,
        `A importação ${job.id} é de um zip com ${withCount(members.names.size, 'planilha')} (${[...members.names.values()].map((name) => formatValue(name)).join(', ')}), e um zip é importado inteiro. Corrija a planilha com erros e envie-a fora do zip, ou envie o zip de novo: o que já entrou fica sem mudança.`,
      ),
    ]);
  if (!isOfSheet(job)) throw notFound(`A importação ${job.id} não é de uma planilha.`);
  return parseSheetOrder(pedido ?? '');
}
