/**
 * Reads the rows of a sheet as the items of an import, in a Worker: cells as received, and the earlier row
 * with the same key.
 */
import { type CellSource, type SheetRow, isBlank } from '../../sheet/cell.ts';
import { openSheets } from '../../sheet/read.ts';
import { asCode, codesOf, partsOf } from '../../sheet/values.ts';
import type { MemberChange } from '../record.ts';
import { withoutLeadingZeros } from './code-zeros.ts';
import type { ImportedColumn, SheetKey, SheetInstructions } from './instructions.ts';

/** The message to the Worker. The file was already read once, so its problems are already reported. */
export interface SheetRowsRead {
  readonly kind: 'sheetRows';
  readonly file: string;
  readonly instructions: SheetInstructions;
}

/** A stored cell: its type, its text, and its displayed text if that differs. */
export type StoredCell = readonly [from: CellSource, text: string, shown?: string];

export interface SheetItem {
  readonly row: number;
  readonly isHidden?: true;
  /** True for a row of a CSV with a cell after the last column with a heading. */
  readonly isShifted?: true;
  /** Rows of the sheet that are filled only in columns that are not imported. In the last item only. */
  readonly unimported?: UnimportedRows;
  /** Cells by column, including columns that are not imported. */
  readonly cells: Readonly<Record<number, StoredCell>>;
  /** Values that a person set instead of the received ones, by target. */
  readonly set?: Readonly<Record<string, string>>;
  /** Targets whose values have problems and are left out to check the rest of the row. Never stored. */
  readonly unread?: readonly string[];
  /** The earlier row with the same key. */
  readonly repeats?: number;
  /** The column of that key. */
  readonly repeatsAt?: number;
  /** The earlier row with a code that differs only by leading zeros, by the code of this row. */
  readonly zeroTwins?: Readonly<Record<string, number>>;
  /** The first code of the sheet with a sign that separates codes in other systems, but not in catp. */
  readonly unsplitCode?: string;
  /** The changes that a dry run showed. If other changes would result now, the record is not changed. */
  readonly seen?: readonly MemberChange[];
  readonly codigosInterno?: readonly string[];
  readonly codigo?: string;
  readonly denominacao?: string;
  readonly nome?: string;
  readonly codigoProduto?: string;
}

export interface UnimportedRows {
  readonly count: number;
  /** The first of them. */
  readonly rows: readonly number[];
}

const UNIMPORTED_MAX = 10;

const DISPLAY_MEMBERS = ['codigo', 'denominacao', 'nome', 'codigoProduto'] as const;
const CHUNK_CHARACTERS = 64 * 1024;

export const sheetRowTexts = (request: SheetRowsRead): AsyncGenerator<string> => itemTexts(itemsIn(request));

/** Yields the JSON array that an import reads. */
export async function* itemTexts(items: AsyncIterable<SheetItem>): AsyncGenerator<string> {
  let [chunk, isFirst] = ['[', true];
  for await (const item of items) {
    chunk += (isFirst ? '' : ',\n') + JSON.stringify(item);
    isFirst = false;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}]`;
}

export async function* itemsIn({ file, instructions }: SheetRowsRead): AsyncGenerator<SheetItem> {
  const { tables, close } = await openSheets(file);
  try {
    const markRepeat = repeatMarker(instructions);
    const skipped = new Set(instructions.skip);
    let isReported = false;
    let previous: SheetItem | undefined;
    const unimported = { count: 0, rows: [] as number[] };
    const table = tables[instructions.table];
    const headedColumns = [...instructions.columns, ...instructions.others].filter(
      ({ heading }) => heading.trim() !== '',
    );
    const lastHeadedColumn =
      table?.isDelimited === true ? Math.max(...headedColumns.map(({ index }) => index)) : Infinity;
    for await (const row of table?.rows() ?? []) {
      if (skipped.has(row.row)) continue;
      if (row.row <= instructions.headerRow) continue;
      const item = itemOf(row, instructions, lastHeadedColumn);
      if (item === undefined) {
        unimported.count += 1;
        if (unimported.rows.length < UNIMPORTED_MAX) unimported.rows.push(row.row);
        continue;
      }
      const unsplitCode: string | undefined = isReported ? undefined : unsplitCodeIn(item, instructions);
      isReported ||= unsplitCode !== undefined;
      if (previous !== undefined) yield previous;
      previous = markRepeat(unsplitCode === undefined ? item : { ...item, unsplitCode });
    }
    if (previous !== undefined) yield unimported.count === 0 ? previous : { ...previous, unimported };
  } finally {
    close();
  }
}

/**
 * Returns the item of a row. `undefined`: the row is empty in the imported columns.
 * `lastHeadedColumn`: the index of the last column with a heading; cells after it were shifted.
 */
function itemOf(
  { row, isHidden, cells: all }: SheetRow,
  { columns }: SheetInstructions,
  lastHeadedColumn: number,
): SheetItem | undefined {
  const filledColumns = columns.filter(
    ({ index, constant }) => constant === undefined && !isBlank(all.get(index)),
  );
  if (filledColumns.length === 0) return undefined;
  const cells: Record<number, StoredCell> = {};
  for (const [index, cell] of all)
    if (!isBlank(cell))
      cells[index] =
        cell.displayText === undefined ? [cell.from, cell.text] : [cell.from, cell.text, cell.displayText];
  const isShifted = Object.keys(cells).some((index) => Number(index) > lastHeadedColumn);
  return {
    row,
    ...(isHidden && { isHidden }),
    ...(isShifted && { isShifted }),
    cells,
    ...displayMembers(filledColumns, cells),
  };
}

/** A comma or a slash may be a character of a code, so neither separates codes (contract section 24). */
const unsplitCodeIn = ({ cells }: SheetItem, { columns }: SheetInstructions): string | undefined =>
  columns
    .filter(({ target, constant }) => target === 'codigosInterno' && constant === undefined)
    .flatMap(({ index }) => (cells[index]?.[0] === 'text' ? codesOf(cells[index][1]) : []))
    .find((code) => /[,/]/.test(code));

/** Returns the members that display and find the row. */
export function displayMembers(
  columns: readonly ImportedColumn[],
  cells: SheetItem['cells'],
): Partial<SheetItem> {
  const textsOf = (...targets: readonly string[]) =>
    columns.filter(({ target }) => targets.includes(target)).flatMap(({ index }) => cells[index]?.[1] ?? []);
  const codigosInterno = textsOf('codigosInterno', 'codigoInterno').flatMap(codesOf);
  return {
    ...Object.fromEntries(
      DISPLAY_MEMBERS.map((name) => [name, textsOf(name)[0]] as const).filter(([, text]) => text),
    ),
    ...(codigosInterno.length > 0 && { codigosInterno }),
  };
}

/**
 * Returns a function that marks each row, in order, with the earlier row of its key.
 * `judgedItem`: the row as an earlier import judged it. Its repetition stays valid until the key of either row
 * changes, even if the earlier row is missing because it was imported.
 */
export function repeatMarker({
  columns,
  key,
}: SheetInstructions): (item: SheetItem, judgedItem?: SheetItem) => SheetItem {
  const keyColumns = columns.filter(({ target, constant }) => constant === undefined && isKey(target, key));
  const keysOf = (item: SheetItem): readonly { readonly text: string; readonly index: number }[] =>
    keyColumns.flatMap(({ index, target }) => keysIn(item, index, target).map((text) => ({ text, index })));
  const codes = columns.filter(({ target, constant }) => constant === undefined && CODES.has(target));
  const rowOfKey = new Map<string, number>();
  const firstByBareCode = new Map<string, { readonly code: string; readonly row: number }>();
  const corrected = new Set<number>();
  const twinsOf = (item: SheetItem): Record<string, number> => {
    const twins: Record<string, number> = {};
    for (const code of codes.flatMap(({ index, target }) => keysIn(item, index, target))) {
      const before = firstByBareCode.get(withoutLeadingZeros(code));
      if (before === undefined) firstByBareCode.set(withoutLeadingZeros(code), { code, row: item.row });
      else if (before.code !== code && before.row !== item.row) twins[code] = before.row;
    }
    return twins;
  };
  return ({ repeats: repeatedRow, repeatsAt: repeatedAt, zeroTwins: _before, ...item }, judgedItem) => {
    const twins = twinsOf(item);
    const keys = keysOf(item);
    if (judgedItem !== undefined && JSON.stringify(keys) !== JSON.stringify(keysOf(judgedItem)))
      corrected.add(item.row);
    const isStillRepeated =
      repeatedRow !== undefined && !corrected.has(item.row) && !corrected.has(repeatedRow);
    const repeatedKey = keys.find(({ text }) => rowOfKey.has(text));
    const before = isStillRepeated ? repeatedRow : repeatedKey && rowOfKey.get(repeatedKey.text);
    const index = isStillRepeated ? repeatedAt : repeatedKey?.index;
    for (const { text } of keys) if (!rowOfKey.has(text)) rowOfKey.set(text, item.row);
    return {
      ...item,
      ...(before !== undefined && { repeats: before }),
      ...(before !== undefined && index !== undefined && { repeatsAt: index }),
      ...(Object.keys(twins).length > 0 && { zeroTwins: twins }),
    };
  };
}

const CODES = new Set(['codigosInterno', 'codigoInterno']);

const isKey = (target: string, key: SheetKey): boolean =>
  target === key || (key === 'codigoInterno' && target === 'codigosInterno');

function keysIn({ cells, set }: SheetItem, index: number, target: string): readonly string[] {
  const [from, received] = cells[index] ?? ['text', ''];
  const text = set?.[target] ?? received;
  if (target === 'codigo')
    return text === '' ? [] : [(asCode({ from, text }).value ?? text).replace(/^0+(?=\d)/, '')];
  const parts = target === 'codigosInterno' ? codesOf(text) : partsOf(text);
  return parts.filter((part) => part !== '').map((part) => asCode({ from, text: part }).value ?? part);
}
