/**
 * Reads a row of a sheet cell by cell: its values, the members that it empties, its unclear values, and the
 * place of each.
 */
import type { Problem } from '../../errors.ts';
import { type Cell, columnLetters, seenText, textCell } from '../../sheet/cell.ts';
import { type ReadCell, codesOf, isAmbiguousNumber, partsOf, withDecimalSign } from '../../sheet/values.ts';
import { word } from '../../sheet/words.ts';
import { shown } from '../../validation/shown.ts';
import { counted } from '../../validation/text.ts';
import { MALFORMED_CODE, type Note } from '../../validation/decoding.ts';
import { attributeNamedIn } from './kinds.ts';
import type { MemberColumn } from './member-column.ts';
import type { SheetOrder } from './order.ts';
import type { SheetItem, UnimportedRows } from './rows.ts';
import { parseTarget } from './target.ts';

/** A cell of a column with a target. `cell` is blank if it is empty. */
export interface PlacedCell {
  readonly target: string;
  readonly heading: string;
  /** The attribute code of the other cell, for the value of a pair of columns. */
  readonly pair?: string;
  /** The address, for example `H17`. A constant has none. */
  readonly at: string | null;
  readonly cell: Cell | undefined;
}

export interface PartsReading {
  readonly keepsBlank?: boolean;
  /** Splits one of the values further. */
  readonly split?: (text: string) => readonly string[];
}

/** Returns true if the record of a row already has this text in a member. */
export type Holds = (reading: SheetReading, target: string, text: string) => boolean;

export class SheetReading {
  readonly #order: SheetOrder;
  readonly #item: SheetItem;
  readonly #note: Note | undefined;
  readonly #holds: Holds;
  readonly cells: readonly PlacedCell[];
  readonly problems: Problem[] = [];
  /** The displayed text of cells whose value was read as another text, by target. */
  readonly #seen = new Map<string, string>();

  constructor(order: SheetOrder, item: SheetItem, note: Note | undefined, holds: Holds) {
    this.#order = order;
    this.#item = item;
    this.#note = note;
    this.#holds = holds;
    this.cells = withoutUnread(withPairs(placedCells(order, item)), item.unread);
    if (item.isHidden === true) note?.({ path: '', message: 'A linha está oculta na planilha.' });
    if (item.isShifted === true) note?.({ path: '', message: SHIFTED });
    if (item.unimported !== undefined) note?.({ path: '', message: unimportedText(item.unimported) });
  }

  /** Returns the text of a cell as received. Of several columns of a target, the first one with a text. */
  said(target: string): string {
    return this.cells.find((one) => one.target === target)?.cell?.text.trim() ?? '';
  }

  /**
   * Returns the members with their texts.
   * `null`: the member is emptied. A member that is not in the result stays.
   */
  members(columns: readonly MemberColumn[]): Map<string, string | null> {
    const members = new Map<string, string | null>();
    for (const column of columns) {
      const placed = this.cells.filter(({ target }) => target === column.target);
      if (placed.length === 0) continue;
      if (column.isMany === true) continue;
      const [first] = placed;
      const text = first && this.text(first, column.read);
      if (text !== undefined) members.set(column.target, text);
    }
    return members;
  }

  /** Returns the codes of a member from all its columns. `undefined`: the member stays. */
  many(target: string, read: ReadCell): readonly string[] | undefined {
    const placed = this.cells.filter((one) => one.target === target);
    const filledCells = placed.filter(({ cell }) => cell !== undefined);
    if (placed.length === 0 || (filledCells.length === 0 && !this.empties)) return undefined;
    return [...new Set(filledCells.flatMap((one) => this.codes(one, read)))];
  }

  /** Returns the text of a cell. `undefined`: it is empty, or unclear, which adds a problem. */
  text(placed: PlacedCell, read: ReadCell): string | null | undefined {
    const { cell } = placed;
    if (cell === undefined) return this.empties ? null : undefined;
    return this.#read(placed, cell, read);
  }

  /** Returns the values of a cell in order, without blank ones unless `keepsBlank`. */
  parts(
    placed: PlacedCell,
    read: ReadCell,
    { keepsBlank = false, split = (text) => [text] }: PartsReading = {},
  ): readonly string[] {
    const isMeant = (text: string): boolean => this.#hasMeaning(placed.target, text);
    const all = (text: string) => partsOf(text).flatMap((part) => (isMeant(part) ? [part] : split(part)));
    return this.#split(placed, read, all, keepsBlank);
  }

  /** Returns the codes of a cell. A text that the record holds unchanged is one code. */
  codes(placed: PlacedCell, read: ReadCell, keepsBlank = false): readonly string[] {
    return this.#split(placed, read, (text) => this.#codesIn(placed.target, text), keepsBlank);
  }

  /** Counts the codes of a cell, without blank ones. */
  countCodes({ target, cell }: PlacedCell): number {
    return cell === undefined ? 0 : this.#codesIn(target, cell.text).filter((text) => text !== '').length;
  }

  get empties(): boolean {
    return this.#order.empty === 'apagar';
  }

  /** Adds a problem of a cell, or of the whole row. */
  refuse(message: string, { target, heading, at }: Partial<PlacedCell> = {}, code = MALFORMED_CODE): void {
    const where = heading === undefined ? '' : `${heading}: `;
    const place = { ...(at && { cell: at }), ...(heading && { heading }), ...(target && { member: target }) };
    this.problems.push({
      code,
      message: where + message,
      field: target ?? null,
      path: target ? `/${target}` : '',
      at: place,
    });
  }

  /** Adds a notice about a value that was not read as it came. */
  notice(target: string, message: string): void {
    const heading = this.cells.find((one) => one.target === target)?.heading ?? target;
    this.#note?.({ path: `/${target}`, message: `${heading}: ${message}` });
  }

  /** Adds the place in the sheet to a problem of the rules. */
  located(problem: Problem, member: string | null): Problem {
    const placed = this.cells.find(({ target }) => target === member);
    if (placed === undefined) return member === null ? problem : { ...problem, at: { member } };
    const { at, heading, target } = placed;
    const cellText = this.#seen.get(target);
    return {
      ...problem,
      ...(cellText !== undefined && { message: `${problem.message} Na célula: ${shown(cellText)}.` }),
      at: { ...(at && { cell: at }), heading, member: target },
    };
  }

  get row(): number {
    return this.#item.row;
  }

  /** Returns true if a person chose a meaning for the text. */
  #hasMeaning(target: string, text: string): boolean {
    const cell = textCell(text);
    return translated(cell, this.#order.values[target]) !== cell;
  }

  #codesIn(target: string, text: string): readonly string[] {
    const whole = partsOf(text);
    const isHeld = whole.some((part) => part.includes(';') && this.#holds(this, target, part));
    return isHeld ? whole : codesOf(text);
  }

  #split(
    placed: PlacedCell,
    read: ReadCell,
    split: (text: string) => readonly string[],
    keepsBlank: boolean,
  ): readonly string[] {
    const { cell } = placed;
    if (cell === undefined) return [];
    if (cell.from !== 'text') return [this.#read(placed, cell, read) ?? ''];
    return split(cell.text)
      .filter((text) => keepsBlank || text !== '')
      .map((text) => (text === '' ? '' : (this.#read(placed, { text, from: cell.from }, read) ?? '')));
  }

  #read(placed: PlacedCell, received: Cell, read: ReadCell): string | undefined {
    const cell = translated(received, this.#order.values[placed.target]);
    if (cell.from === 'error') {
      this.refuse(
        `recebido ${cell.text}, um erro da planilha; corrija a fórmula ou escreva o valor.`,
        placed,
      );
      return undefined;
    }
    if (cell.from === 'formula') {
      this.refuse(
        `recebida a fórmula ${cell.text}, sem resultado guardado; abra e salve a planilha, e envie-a de novo.`,
        placed,
      );
      return undefined;
    }
    if (cell.text.includes(LOST) && !this.#holds(this, placed.target, cell.text.trim())) {
      this.refuse(
        `recebido ${shown(cell.text)}, em que ${LOST} está no lugar de um caractere que se perdeu; escreva-o de novo.`,
        placed,
      );
      return undefined;
    }
    const decimal = this.#order.decimals?.[placed.target];
    const { value, problem, ...told } =
      decimal !== undefined && cell.from === 'text' && isAmbiguousNumber(cell.text)
        ? read(textCell(withDecimalSign(cell.text, decimal)))
        : read(cell);
    // A text that may be damaged is intact if the record holds exactly that text: an exported value came
    // back.
    const isDoubted = problem !== undefined || 'notice' in told;
    const text = cell.text.trim();
    if (isDoubted && cell.from === 'text' && this.#holds(this, placed.target, text)) return text;
    if (value !== undefined && value !== seenText(cell).trim())
      this.#seen.set(placed.target, seenText(cell).trim());
    if (problem !== undefined) this.refuse(problem, placed);
    else if ('notice' in told && typeof told.notice === 'string')
      this.#note?.({ path: `/${placed.target}`, message: `${placed.heading}: ${told.notice}` });
    return value;
  }
}

const SHIFTED =
  'A linha tem mais células do que o cabeçalho: um separador dentro de um texto sem aspas desloca as que vêm depois. Confira-a.';

/** The character that programs write in the place of one that they could not decode. */
const LOST = '\uFFFD';

/** Members that a new record must have, and in whose place any text passes. */
const FREE_TEXTS: ReadonlySet<string> = new Set([
  'denominacao',
  'descricao',
  'nome',
  'logradouro',
  'nomeCidade',
]);

/** Leaves out cells as if they had no column. A free text gets a placeholder, so that its lack hides nothing. */
function withoutUnread(
  cells: readonly PlacedCell[],
  unread: readonly string[] | undefined,
): readonly PlacedCell[] {
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
    : { from, text, ...(displayText !== undefined && { shown: displayText }) };
}

/**
 * Returns the cells with their targets. Columns of one target are next to each other. Constants, and values
 * set without a column, follow.
 */
function placedCells({ columns, constants }: SheetOrder, item: SheetItem): PlacedCell[] {
  const own = columns.map(({ index, heading, target, constant }) => {
    const isConstant = constant !== undefined && item.set?.[target] === undefined;
    const cell = isConstant ? textCell(constant) : receivedOf(item, index, target);
    return {
      target,
      heading,
      at: constant === undefined ? `${columnLetters(index)}${item.row}` : null,
      cell,
    };
  });
  const elsewhere = Object.entries(item.set ?? {}).filter(([target]) =>
    columns.every((one) => one.target !== target),
  );
  const extraCells = Object.entries({ ...constants, ...Object.fromEntries(elsewhere) }).map(
    ([target, text]) => ({
      target,
      heading: target,
      at: null,
      cell: text === '' ? undefined : textCell(text),
    }),
  );
  return [...own, ...extraCells];
}

/**
 * Gives the value of a pair of columns the attribute that the other cell names. Pairs without a name stay
 * unchanged.
 */
function withPairs(cells: PlacedCell[]): readonly PlacedCell[] {
  const targets = cells.map(({ target }) => parseTarget(target));
  if (targets.every(({ kind }) => kind !== 'pair')) return cells;
  const codes = new Map<number, PlacedCell>();
  for (const [at, placed] of cells.entries()) {
    const target = targets[at];
    if (target?.kind === 'pair' && target.side === 'codigo') codes.set(target.number, placed);
  }
  return cells.flatMap((placed, at): PlacedCell[] => {
    const target = targets[at];
    if (target?.kind !== 'pair') return [placed];
    const code = codes.get(target.number);
    const text = code?.cell && seenText(code.cell).trim();
    const named = text === undefined ? undefined : attributeNamedIn(text);
    if (target.side === 'valor') {
      if (named !== undefined && text !== undefined) return [{ ...placed, target: named, pair: text }];
      return text === undefined ? [placed] : [];
    }
    return text === undefined || named !== undefined ? [] : [{ ...placed, pair: text }];
  });
}

/** Replaces a value by the meaning that a person chose. */
function translated(cell: Cell, values: Readonly<Record<string, string>> | undefined): Cell {
  if (values === undefined) return cell;
  const [text, textWord] = [cell.text.trim(), word(cell.text)];
  const meaning = Object.hasOwn(values, text)
    ? values[text]
    : Object.entries(values).find(([from]) => word(from) === textWord)?.[1];
  return meaning === undefined ? cell : textCell(meaning);
}

function unimportedText({ count, rows }: UnimportedRows): string {
  const more = count > rows.length ? ' e outras' : '';
  return `${counted(count, 'linha ficou', 'linhas ficaram')} de fora da importação, porque só têm valores em colunas sem destino: ${rows.join(', ')}${more}. Dê um destino a uma dessas colunas se as linhas são registros.`;
}
