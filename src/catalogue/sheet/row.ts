/**
 * Reads a row of a sheet cell by cell: its values, the members that it empties, its unclear values, and the
 * place of each.
 */
import type { Problem } from '../../errors.ts';
import { type Cell, columnLetters, displayedText, textCell } from '../../sheet/cell.ts';
import { type ReadCell, codesOf, isAmbiguousNumber, partsOf, withDecimalSign } from '../../sheet/values.ts';
import { word } from '../../sheet/words.ts';
import { formatValue } from '../../validation/format-value.ts';
import { withCount } from '../../validation/text.ts';
import { MALFORMED_CODE, type Note } from '../../validation/decoding.ts';
import { attributeInHeading } from './kinds.ts';
import type { MemberColumn } from './member-column.ts';
import type { SheetInstructions } from './instructions.ts';
import type { SheetItem, UnimportedRows } from './rows.ts';
import { isLikePair, parseTarget } from './target.ts';

/** A cell of a column with a target. `cell` is blank if it is empty. */
export interface TargetCell {
  readonly target: string;
  readonly heading: string;
  /** The attribute code of the other cell, for the value of a pair of columns. */
  readonly pair?: string;
  /** The address, for example `H17`. A constant has none. */
  readonly at: string | null;
  readonly cell: Cell | undefined;
}

export interface SplitOptions {
  readonly keepsBlank?: boolean;
  /** Splits one of the values further. */
  readonly split?: (text: string) => readonly string[];
}

/** Returns true if the record of a row already has this text in a member. */
export type IsStored = (reading: SheetReading, target: string, text: string) => boolean;

export class SheetReading {
  readonly #instructions: SheetInstructions;
  readonly #item: SheetItem;
  readonly #note: Note | undefined;
  readonly #isStored: IsStored;
  readonly cells: readonly TargetCell[];
  readonly problems: Problem[] = [];
  /** The displayed text of cells whose value was read as another text, by target. */
  readonly #displayedTexts = new Map<string, string>();

  constructor(instructions: SheetInstructions, item: SheetItem, note: Note | undefined, holds: IsStored) {
    this.#instructions = instructions;
    this.#item = item;
    this.#note = note;
    this.#isStored = holds;
    this.cells = withoutUnread(withPairs(placedCells(instructions, item)), item.unread);
    if (item.isHidden === true) note?.({ path: '', message: 'A linha está oculta na planilha.' });
    if (item.isShifted === true) note?.({ path: '', message: SHIFTED });
    if (item.unimported !== undefined) note?.({ path: '', message: unimportedText(item.unimported) });
  }

  /** Returns the text of a cell as received. Of several columns of a target, the first one with a text. */
  cellText(target: string): string {
    return this.cells.find((targetCell) => targetCell.target === target)?.cell?.text.trim() ?? '';
  }

  /**
   * Returns the members with their texts.
   * `null`: the member is emptied. A member that is not in the result stays.
   */
  members(columns: readonly MemberColumn[]): Map<string, string | null> {
    const members = new Map<string, string | null>();
    for (const column of columns) {
      const targetCell = this.cells.filter(({ target }) => target === column.target);
      if (targetCell.length === 0) continue;
      if (column.isMany === true) continue;
      const [first] = targetCell;
      const text = first && this.text(first, column.read);
      if (text !== undefined) members.set(column.target, text);
    }
    return members;
  }

  /** Returns the codes of a member from all its columns. `undefined`: the member stays. */
  memberCodes(target: string, read: ReadCell): readonly string[] | undefined {
    const targetCell = this.cells.filter((cell) => cell.target === target);
    const filledCells = targetCell.filter(({ cell }) => cell !== undefined);
    if (targetCell.length === 0 || (filledCells.length === 0 && !this.empties)) return undefined;
    return [...new Set(filledCells.flatMap((cell) => this.codes(cell, read)))];
  }

  /** Returns the text of a cell. `undefined`: it is empty, or unclear, which adds a problem. */
  text(targetCell: TargetCell, read: ReadCell): string | null | undefined {
    const { cell } = targetCell;
    if (cell === undefined) return this.empties ? null : undefined;
    return this.#read(targetCell, cell, read);
  }

  /** Returns the values of a cell in order, without blank ones unless `keepsBlank`. */
  parts(
    targetCell: TargetCell,
    read: ReadCell,
    { keepsBlank = false, split = (text) => [text] }: SplitOptions = {},
  ): readonly string[] {
    const hasMeaning = (text: string): boolean => this.#hasMeaning(targetCell.target, text);
    const all = (text: string) => partsOf(text).flatMap((part) => (hasMeaning(part) ? [part] : split(part)));
    return this.#split(targetCell, read, all, keepsBlank);
  }

  /** Returns the codes of a cell. A text that the record holds unchanged is one code. */
  codes(targetCell: TargetCell, read: ReadCell, keepsBlank = false): readonly string[] {
    return this.#split(targetCell, read, (text) => this.#codesIn(targetCell.target, text), keepsBlank);
  }

  /** Counts the codes of a cell, without blank ones. */
  countCodes({ target, cell }: TargetCell): number {
    return cell === undefined ? 0 : this.#codesIn(target, cell.text).filter((text) => text !== '').length;
  }

  get empties(): boolean {
    return this.#instructions.empty === 'apagar';
  }

  /** Adds a problem of a cell, or of the whole row. */
  refuse(message: string, { target, heading, at }: Partial<TargetCell> = {}, code = MALFORMED_CODE): void {
    const prefix = heading === undefined ? '' : `${heading}: `;
    const position = {
      ...(at && { cell: at }),
      ...(heading && { heading }),
      ...(target && { member: target }),
    };
    this.problems.push({
      code,
      message: prefix + message,
      field: target ?? null,
      path: target ? `/${target}` : '',
      at: position,
    });
  }

  /** Adds a notice about a value that was not read as it came. */
  notice(target: string, message: string): void {
    const heading = this.cells.find((targetCell) => targetCell.target === target)?.heading ?? target;
    this.#note?.({ path: `/${target}`, message: `${heading}: ${message}` });
  }

  /** Adds the place in the sheet to a problem of the rules. */
  withPosition(problem: Problem, member: string | null): Problem {
    const targetCell = this.cells.find(({ target }) => target === member);
    if (targetCell === undefined) return member === null ? problem : { ...problem, at: { member } };
    const { at, heading, target } = targetCell;
    const cellText = this.#displayedTexts.get(target);
    return {
      ...problem,
      ...(cellText !== undefined && { message: `${problem.message} Na célula: ${formatValue(cellText)}.` }),
      at: { ...(at && { cell: at }), heading, member: target },
    };
  }

  get row(): number {
    return this.#item.row;
  }

  /** Returns true if a person chose a meaning for the text. */
  #hasMeaning(target: string, text: string): boolean {
    const cell = textCell(text);
    return withMeaning(cell, this.#instructions.values[target]) !== cell;
  }

  #codesIn(target: string, text: string): readonly string[] {
    const values = partsOf(text);
    const isStored = values.some((part) => part.includes(';') && this.#isStored(this, target, part));
    return isStored ? values : codesOf(text);
  }

  #split(
    targetCell: TargetCell,
    read: ReadCell,
    split: (text: string) => readonly string[],
    keepsBlank: boolean,
  ): readonly string[] {
    const { cell } = targetCell;
    if (cell === undefined) return [];
    if (cell.from !== 'text') return [this.#read(targetCell, cell, read) ?? ''];
    return split(cell.text)
      .filter((text) => keepsBlank || text !== '')
      .map((text) => (text === '' ? '' : (this.#read(targetCell, { text, from: cell.from }, read) ?? '')));
  }

  #read(targetCell: TargetCell, received: Cell, read: ReadCell): string | undefined {
    const cell = withMeaning(received, this.#instructions.values[targetCell.target]);
    if (cell.from === 'error') {
      this.refuse(
        `recebido ${cell.text}, um erro da planilha; corrija a fórmula ou a largura da coluna, ou escreva o valor.`,
        targetCell,
      );
      return undefined;
    }
    if (cell.from === 'formula') {
      this.refuse(
        `recebida a fórmula ${cell.text}, sem resultado guardado; abra e salve a planilha, e envie-a de novo.`,
        targetCell,
      );
      return undefined;
    }
    if (
      cell.text.includes(REPLACEMENT_CHARACTER) &&
      !this.#isStored(this, targetCell.target, cell.text.trim())
    ) {
      this.refuse(
        `recebido ${formatValue(cell.text)}, em que ${REPLACEMENT_CHARACTER} está no lugar de um caractere que se perdeu; escreva-o de novo.`,
        targetCell,
      );
      return undefined;
    }
    const decimal = this.#instructions.decimals?.[targetCell.target];
    const { value, problem, ...details } =
      decimal !== undefined && cell.from === 'text' && isAmbiguousNumber(cell.text)
        ? read(textCell(withDecimalSign(cell.text, decimal)))
        : read(cell);
    // A text that looks damaged is accepted if the record has exactly this text: it is an exported value.
    const mayBeDamaged = problem !== undefined || 'notice' in details;
    const text = cell.text.trim();
    if (mayBeDamaged && cell.from === 'text' && this.#isStored(this, targetCell.target, text)) return text;
    if (value !== undefined && value !== displayedText(cell).trim())
      this.#displayedTexts.set(targetCell.target, displayedText(cell).trim());
    if (problem !== undefined) this.refuse(problem, targetCell);
    else if ('notice' in details && typeof details.notice === 'string')
      this.#note?.({ path: `/${targetCell.target}`, message: `${targetCell.heading}: ${details.notice}` });
    return value;
  }
}

const SHIFTED =
  'A linha tem mais células do que o cabeçalho: um separador dentro de um texto sem aspas desloca as que vêm depois. Confira-a.';

/** The character that programs write in the place of one that they could not decode. */
const REPLACEMENT_CHARACTER = '\uFFFD';

/** Required members of a new record that accept any text. */
const FREE_TEXTS: ReadonlySet<string> = new Set([
  'denominacao',
  'descricao',
  'nome',
  'logradouro',
  'nomeCidade',
]);

/** Leaves out cells as if they had no column. A free text gets a placeholder, so that no rule reports it missing. */
function withoutUnread(
  cells: readonly TargetCell[],
  unread: readonly string[] | undefined,
): readonly TargetCell[] {
  if (unread === undefined) return cells;
  const placeholders = unread
    .filter((target) => FREE_TEXTS.has(target))
    .map((target) => ({ target, heading: target, at: null, cell: textCell('-') }));
  return [...cells.filter(({ target }) => !unread.includes(target)), ...placeholders];
}

/** Returns the cell of a target in a row, as received or as a person set it. `undefined`: none exists. */
export function receivedOf({ cells, set }: SheetItem, index: number, target: string): Cell | undefined {
  const [from, text, displayText] = cells[index] ?? [];
  const corrected = set?.[target];
  if (corrected !== undefined) return corrected === '' ? undefined : textCell(corrected);
  return from === undefined || text === undefined
    ? undefined
    : { from, text, ...(displayText !== undefined && { displayText }) };
}

/**
 * Returns the cells with their targets. Columns of one target are next to each other. Constants, and values
 * set without a column, follow.
 */
function placedCells({ columns, constants }: SheetInstructions, item: SheetItem): TargetCell[] {
  const columnCells = columns.map(({ index, heading, target, constant }) => {
    const isConstant = constant !== undefined && item.set?.[target] === undefined;
    const cell = isConstant ? textCell(constant) : receivedOf(item, index, target);
    return {
      target,
      heading,
      at: constant === undefined ? `${columnLetters(index)}${item.row}` : null,
      cell,
    };
  });
  const setWithoutColumn = Object.entries(item.set ?? {}).filter(([target]) =>
    columns.every((importedColumn) => importedColumn.target !== target),
  );
  const extraCells = Object.entries({ ...constants, ...Object.fromEntries(setWithoutColumn) }).map(
    ([target, text]) => ({
      target,
      heading: target,
      at: null,
      cell: text === '' ? undefined : textCell(text),
    }),
  );
  return [...columnCells, ...extraCells];
}

/**
 * Gives the value of a pair of columns the attribute that the other cell names. Pairs without a name stay
 * unchanged.
 */
function withPairs(cells: TargetCell[]): readonly TargetCell[] {
  if (!cells.some(({ target }) => isLikePair(target))) return cells;
  const targets = cells.map(({ target }) => parseTarget(target));
  const codes = new Map<number, TargetCell>();
  for (const [index, targetCell] of cells.entries()) {
    const target = targets[index];
    if (target?.kind === 'pair' && target.side === 'codigo') codes.set(target.number, targetCell);
  }
  return cells.flatMap((targetCell, index): TargetCell[] => {
    const target = targets[index];
    if (target?.kind !== 'pair') return [targetCell];
    const code = codes.get(target.number);
    const text = code?.cell && displayedText(code.cell).trim();
    const attribute = text === undefined ? undefined : attributeInHeading(text);
    if (target.side === 'valor') {
      if (attribute !== undefined && text !== undefined)
        return [{ ...targetCell, target: attribute, pair: text }];
      return text === undefined ? [targetCell] : [];
    }
    return text === undefined || attribute !== undefined ? [] : [{ ...targetCell, pair: text }];
  });
}

/** Replaces a value by the meaning that a person chose. */
function withMeaning(cell: Cell, values: Readonly<Record<string, string>> | undefined): Cell {
  if (values === undefined) return cell;
  const [text, textWord] = [cell.text.trim(), word(cell.text)];
  const meaning = Object.hasOwn(values, text)
    ? values[text]
    : Object.entries(values).find(([from]) => word(from) === textWord)?.[1];
  return meaning === undefined ? cell : textCell(meaning);
}

function unimportedText({ count, rows }: UnimportedRows): string {
  const more = count > rows.length ? ' e outras' : '';
  return `${withCount(count, 'linha ficou', 'linhas ficaram')} de fora da importação, porque só têm valores em colunas sem destino: ${rows.join(', ')}${more}. Dê um destino a uma dessas colunas se as linhas são registros.`;
}
