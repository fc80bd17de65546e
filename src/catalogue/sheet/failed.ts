/**
 * Exports the failed rows of a sheet as received, with the reasons next to them, to correct and send again
 * (contract section 24).
 */
import type { FileLimits } from '../../files/file-limits.ts';
import { readItems } from '../../files/json-members.ts';
import { errorCode, displayedText, textCell } from '../../sheet/cell.ts';
import { type SheetCell, sheetXml } from '../../sheet/xlsx/write.ts';
import { messageFor } from '../../errors.ts';
import type { ItemResult } from '../import/model.ts';
import { COLUMNS } from './kinds.ts';
import type { SheetInstructions } from './instructions.ts';
import { type JudgedRow, hasFailed, judgedRows } from './judged.ts';
import { receivedOf } from './row.ts';
import type { SheetItem } from './rows.ts';

/** The message to the Worker. */
export interface FailedRowsRead {
  readonly kind: 'sheetFailed';
  readonly format: 'xlsx';
  readonly id: number;
  /** Number of rows that were judged. */
  readonly processed: number;
  readonly file: string;
  readonly limits: FileLimits;
  readonly instructions: SheetInstructions;
}

const REASON_HEADING = 'Erro na importação';

/** Yields the text of the table. `results`: those of the import, from the first on. */
export async function* failedRowTexts(
  request: FailedRowsRead,
  results: () => Iterable<ItemResult>,
): AsyncGenerator<string> {
  const targets = new Set<string>();
  for await (const { item, result } of failedRows(request, results())) {
    for (const target of Object.keys(item.set ?? {})) targets.add(target);
    for (const { member } of result?.problems ?? []) if (member !== undefined) targets.add(member);
  }
  const columns = columnsOf(request.instructions, targets);
  const headings = [...columns.map(({ heading }) => heading), REASON_HEADING];
  yield* sheetXml(headings, rowsOf(failedRows(request, results()), columns));
}

interface Column {
  readonly index: number;
  readonly heading: string;
  readonly target?: string;
}

/** Maximum added columns. Nobody would fill in more. */
const ADDED_MAX = 200;

/**
 * Returns the columns in the order of the sheet. Targets with a problem or a set value, but without a column,
 * follow.
 */
function columnsOf(
  { tipo, columns, others }: SheetInstructions,
  targets: ReadonlySet<string>,
): readonly Column[] {
  const sheetColumns = [...columns, ...others].toSorted((a, b) => a.index - b.index);
  const addedTargets = [...targets].filter((target) =>
    columns.every((importedColumn) => importedColumn.target !== target),
  );
  return [
    ...sheetColumns,
    ...addedTargets
      .slice(0, ADDED_MAX)
      .map((target) => ({ index: -1, heading: headingOf(tipo, target), target })),
  ];
}

/** Returns the heading that the mapping of a received sheet recognises. */
const headingOf = (tipo: SheetInstructions['tipo'], target: string): string =>
  COLUMNS[tipo].find((memberColumn) => memberColumn.target === target)?.heading ??
  target.slice(target.indexOf(':') + 1);

async function* failedRows(
  { file, limits, processed }: FailedRowsRead,
  results: Iterable<ItemResult>,
): AsyncGenerator<JudgedRow> {
  for await (const row of judgedRows(readItems(file, limits), results, processed))
    if (hasFailed(row)) yield row;
}

async function* rowsOf(
  rows: AsyncIterable<JudgedRow>,
  columns: readonly Column[],
): AsyncGenerator<readonly SheetCell[]> {
  for await (const { item, result } of rows)
    yield [...columns.map((column) => cellOf(item, result, column)), result ? reasonOf(result, columns) : ''];
}

/** Returns the reason with members named by their headings, the only names that a user of the sheet knows. */
const reasonOf = ({ errors, problems }: ItemResult, columns: readonly Column[]): string =>
  errors
    .map((error, index) => {
      const problem = problems[index];
      const heading = columns.find(({ target }) => target === problem?.member)?.heading;
      const name = heading ?? problem?.label;
      return problem === undefined || name === undefined ? error : messageFor(problem, name);
    })
    .join(' ');

function cellOf(item: SheetItem, result: ItemResult | undefined, { index, target }: Column): SheetCell {
  const cell = receivedOf(item, index, target ?? '') ?? textCell('');
  const isWrong = target !== undefined && result?.problems.some(({ member }) => member === target) === true;
  // A code with leading zeros was displayed that way by its format.
  const { text, from, displayText } = cell;
  // A formula of the received sheet has no result in this one. Its references would point to other cells.
  if (from === 'error' || from === 'formula') return { text: errorCode(text), type: 'error', isWrong };
  if (from === 'number' && displayText === undefined && String(Number(text)) === text)
    return { text, type: 'number', isWrong };
  return { text: displayedText(cell), type: 'text', isWrong };
}
