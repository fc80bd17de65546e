/**
 * Counts what is read of a file against the limits of a spreadsheet, so that reading stops at a limit
 * (contract section 24).
 */
import { withCount } from '../validation/text.ts';
import { columnLetters } from './cell.ts';
import type { SheetLimits } from './limits.ts';
import { UnreadableSheet } from './unreadable-sheet.ts';

/** Counts the cells and characters of all sheets of a file. */
export class FileMeter {
  readonly limits: SheetLimits;
  #cells = 0;
  #characters = 0;

  constructor(limits: SheetLimits) {
    this.limits = limits;
  }

  /** Starts the count of a sheet that is read again from its start. `name`: '' for a CSV. */
  sheet(name: string): SheetMeter {
    return new SheetMeter(this, name);
  }

  /** Throws `UnreadableSheet`. */
  addCell(characters: number): void {
    const { maxCells, maxCharacters } = this.limits;
    this.#cells += 1;
    this.#characters += characters;
    if (this.#cells > maxCells)
      throw new UnreadableSheet(
        'tooManyCells',
        `O arquivo tem mais de ${withCount(maxCells, 'célula')}; divida-o.`,
      );
    if (this.#characters > maxCharacters)
      throw new UnreadableSheet(
        'tooManyCharacters',
        `As células do arquivo têm juntas mais de ${withCount(maxCharacters, 'caractere')}, contados em cada célula que os mostra; divida-o.`,
      );
  }
}

/** Counts the rows of one sheet, and its cells with those of the file. */
export class SheetMeter {
  readonly #file: FileMeter;
  readonly #name: string;
  #rows = 0;
  #emptyLines = 0;
  /** The row of the last cell, and the characters of its cells so far. */
  #row = 0;
  #rowCharacters = 0;

  constructor(file: FileMeter, name: string) {
    this.#file = file;
    this.#name = name;
  }

  /** Returns the maximum characters of a cell. */
  get cellCharacters(): number {
    return this.#file.limits.maxCellCharacters;
  }

  /** Counts a cell. The column counts from 0. Throws `UnreadableSheet`. */
  addCell(row: number, column: number, characters: number): void {
    const { maxColumns, maxCellCharacters, maxRowCharacters } = this.#file.limits;
    if (column >= maxColumns)
      throw new UnreadableSheet(
        'tooManyColumns',
        `${this.#sheet} tem mais de ${withCount(maxColumns, 'coluna')} na linha ${row}; tire as que sobram ou divida-a.`,
      );
    if (characters > maxCellCharacters)
      throw new UnreadableSheet(
        'tooLongCell',
        `${this.#sheet} tem mais de ${withCount(maxCellCharacters, 'caractere')} na célula ${columnLetters(column)}${row}; encurte o texto e, em um CSV, confira se falta fechar aspas.`,
      );
    this.#rowCharacters = characters + (row === this.#row ? this.#rowCharacters : 0);
    this.#row = row;
    if (this.#rowCharacters > maxRowCharacters)
      throw new UnreadableSheet(
        'tooLongRow',
        `${this.#sheet} tem mais de ${withCount(maxRowCharacters, 'caractere')} na linha ${row}, contando todas as células; encurte seus textos e, em um CSV, confira se falta uma quebra de linha.`,
      );
    this.#file.addCell(characters);
  }

  /** Throws `UnreadableSheet`. */
  addRow(): void {
    this.#rows += 1;
    this.#check();
  }

  /** Counts a line without cells. Throws `UnreadableSheet`. */
  addEmptyLine(): void {
    this.#emptyLines += 1;
    this.#check();
  }

  #check(): void {
    const { maxRows, maxEmptyLines } = this.#file.limits;
    if (this.#rows + Math.max(0, this.#emptyLines - maxEmptyLines) <= maxRows) return;
    const empty =
      this.#emptyLines > maxEmptyLines
        ? ` (as vazias contam quando são mais de ${maxEmptyLines.toLocaleString('pt-BR')})`
        : '';
    throw new UnreadableSheet(
      'tooManyRows',
      `${this.#sheet} tem mais de ${withCount(maxRows, 'linha')}${empty}; divida-a.`,
    );
  }

  get #sheet(): string {
    return this.#name === '' ? 'A planilha' : `A planilha “${this.#name}”`;
  }
}
