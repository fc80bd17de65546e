/** The rows of a sheet that failed, as they came, with why beside them: to be corrected there and sent in again (contract section 24). */
import type { FileLimits } from '../../files/file-limits.ts';
import { readItems } from '../../files/json-members.ts';
import { errorCode, seenText, textCell } from '../../sheet/cell.ts';
import { type SheetCell, sheetXml } from '../../sheet/xlsx/write.ts';
import type { ItemResult } from '../import/model.ts';
import { COLUMNS } from './kinds.ts';
import type { SheetOrder } from './order.ts';
import { type JudgedRow, hasFailed, judged } from './judged.ts';
import { receivedOf } from './row.ts';
import type { SheetItem } from './rows.ts';

/** As it crosses to the Worker. */
export interface FailedRowsRead {
  readonly kind: 'sheetFailed';
  readonly format: 'xlsx';
  readonly id: number;
  /** How many of its rows were judged. */
  readonly processed: number;
  readonly file: string;
  readonly limits: FileLimits;
  readonly order: SheetOrder;
}

const REASON_HEADING = 'Erro na importação';

/** As the rules say of a member of a body. */
const MISSING = 'membro obrigatório ausente;';

/** `results`: of the import, from the first on. */
export async function* failedRowTexts(
  request: FailedRowsRead,
  results: () => Iterable<ItemResult>,
): AsyncGenerator<string> {
  const targets = new Set<string>();
  for await (const { item, result } of failedIn(request, results())) {
    for (const target of Object.keys(item.set ?? {})) targets.add(target);
    for (const { member } of result?.problems ?? []) if (member !== undefined) targets.add(member);
  }
  const columns = columnsOf(request.order, targets);
  const headings = [...columns.map(({ heading }) => heading), REASON_HEADING];
  yield* sheetXml(headings, rowsOf(failedIn(request, results()), columns));
}

interface Column {
  readonly index: number;
  readonly heading: string;
  readonly target?: string;
}

/** More would be a sheet that nobody fills in. */
const ADDED_MAX = 200;

/** In the order of the sheet; behind them what is missing, or was set, without a column there. */
function columnsOf({ tipo, columns, others }: SheetOrder, targets: ReadonlySet<string>): readonly Column[] {
  const own = [...columns, ...others].toSorted((a, b) => a.index - b.index);
  const added = [...targets].filter((target) => columns.every((one) => one.target !== target));
  return [
    ...own,
    ...added.slice(0, ADDED_MAX).map((target) => ({ index: -1, heading: headingOf(tipo, target), target })),
  ];
}

/** As a sheet that comes in is mapped by. */
const headingOf = (tipo: SheetOrder['tipo'], target: string): string =>
  COLUMNS[tipo].find((one) => one.target === target)?.heading ?? target.slice(target.indexOf(':') + 1);

async function* failedIn(
  { file, limits, processed }: FailedRowsRead,
  results: Iterable<ItemResult>,
): AsyncGenerator<JudgedRow> {
  for await (const row of judged(readItems(file, limits), results, processed)) if (hasFailed(row)) yield row;
}

async function* rowsOf(
  rows: AsyncIterable<JudgedRow>,
  columns: readonly Column[],
): AsyncGenerator<readonly SheetCell[]> {
  for await (const { item, result } of rows)
    yield [...columns.map((column) => cellOf(item, result, column)), result ? reasonOf(result, columns) : ''];
}

/** Members by the headings that stand above: whoever fills the sheet in knows no other name of theirs. */
const reasonOf = ({ errors, problems }: ItemResult, columns: readonly Column[]): string =>
  errors
    .map((error, at) => {
      const member = problems[at]?.member;
      const heading = columns.find(({ target }) => target === member)?.heading;
      const isNamed = member !== undefined && heading !== undefined && error.startsWith(`${member}: `);
      return (isNamed ? heading + error.slice(member.length) : error).replace(MISSING, 'falta;');
    })
    .join(' ');

function cellOf(item: SheetItem, result: ItemResult | undefined, { index, target }: Column): SheetCell {
  const cell = receivedOf(item, index, target ?? '') ?? textCell('');
  const isWrong = target !== undefined && result?.problems.some(({ member }) => member === target) === true;
  // A code with zeros in front was shown so by its format.
  const { text, from, shown } = cell;
  // A formula of somebody else's sheet has no result here; its references would be others.
  if (from === 'error' || from === 'formula') return { text: errorCode(text), type: 'error', isWrong };
  if (from === 'number' && shown === undefined && String(Number(text)) === text)
    return { text, type: 'number', isWrong };
  return { text: seenText(cell), type: 'text', isWrong };
}
