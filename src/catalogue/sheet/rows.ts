/** The rows of a sheet as the items of an import, read in a Worker: cells as they came, and which row had its key before. */
import { type Cell, type CellSource, type SheetRow, isBlank } from '../../sheet/cell.ts';
import { openSheets } from '../../sheet/read.ts';
import { asCode, partsOf } from '../../sheet/values.ts';
import type { MemberChange } from '../record.ts';
import type { SheetOrder } from './order.ts';

/** As it crosses to the Worker. The file has been looked through: what is wrong with it was told. */
export interface SheetRowsRead {
  readonly kind: 'sheetRows';
  readonly file: string;
  readonly order: SheetOrder;
}

export interface SheetItem {
  readonly row: number;
  readonly isHidden?: true;
  /** By column. */
  readonly cells: Readonly<Record<string, readonly [CellSource, string]>>;
  /** The row that had the same key before. */
  readonly repeats?: number;
  /** What a dry run showed: where something else would change now, the record is left as it is. */
  readonly seen?: readonly MemberChange[];
  /** By which the row is shown and found. */
  readonly codigo?: string;
  readonly denominacao?: string;
  readonly nome?: string;
  readonly codigoProduto?: string;
}

const SHOWN = ['codigo', 'denominacao', 'nome', 'codigoProduto'] as const;
const CHUNK_CHARACTERS = 64 * 1024;

export const sheetRowTexts = (request: SheetRowsRead): AsyncGenerator<string> => itemTexts(itemsIn(request));

/** As the JSON array that an import reads. */
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

export async function* itemsIn({ file, order }: SheetRowsRead): AsyncGenerator<SheetItem> {
  const { tables, close } = await openSheets(file);
  try {
    const keys = new Map<string, number>();
    for await (const row of tables[order.table]?.rows() ?? []) {
      const item = row.row > order.headerRow ? itemOf(row, order, keys) : undefined;
      if (item !== undefined) yield item;
    }
  } finally {
    close();
  }
}

/** `undefined` of a row that has nothing in the columns that are taken. */
function itemOf(
  { row, isHidden, cells }: SheetRow,
  { columns, key }: SheetOrder,
  keys: Map<string, number>,
): SheetItem | undefined {
  const taken = columns.filter(({ index, constant }) => constant === undefined && !isBlank(cells[index]));
  if (taken.length === 0) return undefined;
  const cellOf = (target: string): Cell | undefined => {
    const column = taken.find((one) => one.target === target);
    return column && cells[column.index];
  };
  const own = taken
    .filter(({ target }) => target === (key === 'codigo' ? 'codigo' : 'codigosInterno') || target === key)
    .flatMap(({ index, target }) => keysIn(cells[index] as Cell, target)); // no blank ones
  const before =
    key === 'nenhuma' ? undefined : own.map((one) => keys.get(one)).find((one) => one !== undefined);
  for (const one of own) if (!keys.has(one)) keys.set(one, row);
  const shown = SHOWN.map((name) => [name, cellOf(name)?.text] as const).filter(
    ([, text]) => text !== undefined,
  );
  return {
    row,
    ...(isHidden && { isHidden }),
    cells: Object.fromEntries(
      taken.map(({ index }) => {
        const { from, text } = cells[index] as Cell;
        return [index, [from, text] as const];
      }),
    ),
    ...(before !== undefined && { repeats: before }),
    ...Object.fromEntries(shown),
  };
}

function keysIn(cell: Cell, target: string): readonly string[] {
  if (target === 'codigo') return [(asCode(cell).value ?? cell.text).replace(/^0+(?=\d)/, '')];
  return partsOf(cell.text).filter((part) => part !== '');
}
