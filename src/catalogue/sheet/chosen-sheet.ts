/** Selects the sheet of a file to import, and reports what is not imported (contract section 24). */
import { columnLetters } from '../../sheet/cell.ts';
import { withCount } from '../../validation/text.ts';
import type { ImportKind } from '../import/model.ts';
import { COLUMNS } from './kinds.ts';
import type { FileSheet } from './inspection.ts';
import type { SheetOptions, SheetInstructions } from './instructions.ts';

/** Targets that identify the record of a row. */
const KEYS: ReadonlySet<string> = new Set(['codigo', 'codigosInterno', 'codigoInterno']);

/** Returns the first sheet that is recognised, else the first sheet. */
export function chosenSheet(
  tipo: ImportKind,
  sheets: readonly FileSheet[],
  options: Pick<SheetOptions, 'mapping' | 'constants'>,
): FileSheet {
  const [first] = sheets as readonly [FileSheet]; // files without a sheet are refused
  return sheets.find((sheet) => isRecognised(tipo, sheet, options)) ?? first;
}

/** Returns true for a sheet with the members of a new record, or with a key and one other member. */
export function isRecognised(
  tipo: ImportKind,
  { columns }: FileSheet,
  { mapping = [], constants = {} }: Pick<SheetOptions, 'mapping' | 'constants'>,
): boolean {
  const targetByIndex = new Map(mapping.map(({ index, target }) => [index, target ?? null]));
  const targets = new Set<string | null>(Object.keys(constants));
  for (const { index, target } of columns)
    targets.add(targetByIndex.has(index) ? (targetByIndex.get(index) ?? null) : target);
  targets.delete(null);
  const required = COLUMNS[tipo].filter(({ isRequired }) => isRequired);
  const hasRequiredMembers = required.every(
    ({ target }) => targets.has(target) || (target === 'codigoProduto' && targets.has('codigoInterno')),
  );
  return hasRequiredMembers || (targets.size > 1 && [...KEYS].some((key) => targets.has(key)));
}

/** Returns notices about the content of the file that is not imported. */
export const sheetNotices = (
  all: readonly FileSheet[],
  chosen: FileSheet,
  { columns, skip = [] }: SheetInstructions,
): readonly string[] => [
  ...all
    .filter((sheet) => sheet !== chosen)
    .map(({ name, rows }) => `${name}: ${withCount(rows, 'linha')}, não importada.`),
  ...columns
    .filter(({ index, constant }) => constant === undefined && chosen.hidden?.includes(index) === true)
    .map(
      ({ index, heading }) =>
        `A coluna ${columnLetters(index)} (${heading}) está oculta na planilha, e foi lida.`,
    ),
  ...(chosen.sum !== undefined && skip.includes(chosen.sum.row)
    ? [`A linha ${chosen.sum.row} (“${chosen.sum.text}”) ficou de fora: é um total, e não um registro.`]
    : []),
  ...skipNotices(skip.filter((row) => row !== chosen.sum?.row)),
];

const LISTED_ROWS_MAX = 10;

export function skipNotices(rows: readonly number[]): readonly string[] {
  if (rows.length === 0) return [];
  const listedRows = [...rows].toSorted((a, b) => a - b).slice(0, LISTED_ROWS_MAX);
  const more = rows.length > listedRows.length ? ' e outras' : '';
  return [`${withCount(rows.length, 'linha')} de fora, como pedido: ${listedRows.join(', ')}${more}.`];
}
