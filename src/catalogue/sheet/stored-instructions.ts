/** Reads the instructions of an import whose rows are corrected, downloaded or carried out (contract section 24). */
import { notFound, unprocessable } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import { withCount } from '../../validation/text.ts';
import { violated } from '../codes.ts';
import { type ImportJob, isOfSheet, sheetMembersIn } from '../import/model.ts';
import type { ImportService } from '../import/service.ts';
import { type SheetInstructions, parseSheetInstructions } from './instructions.ts';

/** Returns the instructions of the sheet. Throws 404, and 422 for the sheets of a zip. */
export function storedInstructions(imports: ImportService, job: ImportJob): SheetInstructions {
  const pedido = imports.instructionsOf(job);
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
  return parseSheetInstructions(pedido ?? '');
}

/** Throws 422 if an import has no rows any more. */
export function requireCells(reason: string | undefined): void {
  if (reason !== undefined) throw unprocessable([violated('noRoomForCells', null, reason)]);
}
