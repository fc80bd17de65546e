/** Results as a table: from the internal code to codigo and versão, and what to correct. */
import type { ImportResult } from '../../api/answers.ts';
import type { Item } from '../sheet/items.ts';
import type { Table } from '../sheet/write.ts';
import { internalCodesOf } from './sent-items.ts';

export const OUTCOME_WORDS = {
  created: 'Incluído',
  newVersion: 'Nova versão',
  deactivated: 'Desativado',
  unchanged: 'Sem mudança',
  failed: 'Erro',
} as const;

const HEADINGS = [
  ...['arquivo', 'linha', 'nome', 'códigos internos', 'codigo', 'versao', 'resultado', 'erro', 'ponteiro'],
  ...['código do erro', 'o que muda'],
];

/** Of a failed item a row for each of its errors. */
export const tableOf = (results: readonly ImportResult[], items: readonly Item[] | undefined): Table => [
  HEADINGS,
  ...results.flatMap((result) => rowsOf(result, internalCodesOf(items?.[result.index]))),
];

function rowsOf(result: ImportResult, internalCodes: string): Table {
  const { file, line, name, codigo, versao, outcome, errors, problems, changes } = result;
  const known = [
    file,
    String(line),
    name ?? '',
    internalCodes,
    codigo ?? '',
    versao ?? '',
    OUTCOME_WORDS[outcome],
  ];
  if (errors.length === 0) return [[...known, '', '', '', changesText(changes)]];
  return errors.map((error, at) => [...known, error, problems[at]?.path ?? '', problems[at]?.code ?? '', '']);
}

const changesText = (changes: ImportResult['changes']): string =>
  changes.map(({ heading, before, after }) => `${heading}: ${before ?? ''} → ${after ?? ''}`).join('; ');
