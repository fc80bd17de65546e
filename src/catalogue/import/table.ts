/** Exports the results of an import as a table, with a row for each item or for each of its problems. */
import { emptyText } from '../../validation/not-recorded.ts';
import type { Db } from '../../db/open.ts';
import { type TableColumn, type TableFormat, tableTexts } from '../../sheet/table.ts';
import { outcomeWord } from '../../validation/outcome.ts';
import { cellOf } from '../members/cell-text.ts';
import type { ImportOutcome, ItemResult } from './model.ts';
import { resultsOf } from './results.ts';
import { ImportStore } from './store.ts';

/** The message to the Worker. */
export interface ImportTableRead {
  readonly kind: 'importTable';
  readonly id: number;
  readonly outcome: ImportOutcome | undefined;
  readonly format: TableFormat;
}

/** A result with one of its problems, or with none. */
interface Row {
  readonly isDryRun: boolean;
  readonly result: ItemResult;
  readonly at: number;
}

const COLUMNS: readonly TableColumn<Row>[] = [
  { target: 'file', heading: 'Arquivo', cell: ({ result }) => result.file },
  { target: 'line', heading: 'Linha', cell: ({ result }) => result.line },
  { target: 'name', heading: 'Nome', cell: ({ result }) => result.name },
  {
    target: 'codigosInterno',
    heading: 'Códigos internos',
    cell: ({ result }) => cellOf(result.codigosInterno) || emptyText(result, 'codigosInterno', ''),
  },
  { target: 'codigo', heading: 'Código', cell: ({ result }) => result.codigo },
  { target: 'versao', heading: 'Versão', cell: ({ result }) => result.versao },
  {
    target: 'outcome',
    heading: 'Resultado',
    cell: ({ isDryRun, result }) => outcomeWord(result.outcome, isDryRun),
  },
  { target: 'error', heading: 'Erro', cell: ({ result, at: index }) => result.errors[index] ?? null },
  {
    target: 'cell',
    heading: 'Célula',
    cell: ({ result, at: index }) => result.problems[index]?.cell ?? null,
  },
  {
    target: 'path',
    heading: 'Ponteiro',
    cell: ({ result, at: index }) => result.problems[index]?.path ?? null,
  },
  {
    target: 'code',
    heading: 'Código do erro',
    cell: ({ result, at: index }) => result.problems[index]?.code ?? null,
  },
  {
    target: 'changes',
    heading: 'O que muda',
    cell: ({ result }) =>
      result.changes
        .map(({ heading, before, after }) => `${heading}: ${before ?? ''} → ${after ?? ''}`)
        .join('; ') || emptyText(result, 'changes', ''),
  },
  {
    target: 'notices',
    heading: 'Avisos',
    cell: ({ result }) =>
      result.notices.map(({ message }) => message).join(' ') || emptyText(result, 'notices', ''),
  },
];

/** Results of one turn. Other work may run between turns. */
const ROWS_PER_TURN = 200;

export const importTableTexts = (db: Db, { id, outcome, format }: ImportTableRead): AsyncGenerator<string> =>
  tableTexts(format, COLUMNS, rowsOf(new ImportStore(db), id, outcome));

function* rowsOf(
  store: ImportStore,
  id: number,
  outcome: ImportOutcome | undefined,
): Generator<Row | undefined> {
  const job = store.find(id);
  if (job?.forgotten !== 0) return;
  let rows = 0;
  for (const result of resultsOf(store, id, { outcome }))
    for (let index = 0; index < Math.max(1, result.errors.length); index += 1) {
      yield { isDryRun: job.simular, result, at: index };
      if ((rows += 1) % ROWS_PER_TURN === 0) yield undefined;
    }
}
