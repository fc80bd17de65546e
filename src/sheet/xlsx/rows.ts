/** The rows of a sheet of an XLSX, as they come out of the zip. */
import { type Cell, type SheetRow, errorCell, textCell } from '../cell.ts';
import { PLAIN, numberCell } from './number-format.ts';
import type { Workbook } from './book.ts';
import { parseXml, unescaped } from './xml.ts';

/** Columns of a spreadsheet. */
const MAX_COLUMNS = 16_384;

export async function* rowsOf(
  pieces: AsyncIterable<Uint8Array>,
  book: Workbook,
): AsyncGenerator<SheetRow, void, undefined> {
  const reading = new RowReading(book);
  for await (const _ of parseXml(pieces, reading)) yield* reading.takeRows();
  yield* reading.takeRows();
}

class RowReading {
  readonly #book: Workbook;
  #rows: SheetRow[] = [];
  #cells: (Cell | undefined)[] = [];
  #row = 0;
  #isHidden = false;
  #column = -1;
  #type = '';
  #style = 0;
  #text = '';
  #isText = false;
  #isAside = false;

  constructor(book: Workbook) {
    this.#book = book;
  }

  takeRows(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  readonly open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (name === 'c') this.#beginCell(attributes);
    else if (name === 'v' || name === 't') this.#isText = !this.#isAside;
    else if (name === 'rPh') this.#isAside = true;
    else if (name === 'row') {
      // Some writers number neither rows nor cells.
      this.#row = Number(attributes['r'] ?? this.#row + 1);
      this.#isHidden = attributes['hidden'] === '1' || attributes['hidden'] === 'true';
      this.#cells = [];
      this.#column = -1;
    }
  };

  readonly close = (name: string): void => {
    if (name === 'c') {
      if (this.#text !== '' && this.#column < MAX_COLUMNS) this.#cells[this.#column] = this.#cell();
    } else if (name === 'v' || name === 't') this.#isText = false;
    else if (name === 'rPh') this.#isAside = false;
    else if (name === 'row' && this.#cells.length > 0)
      this.#rows.push({ row: this.#row, isHidden: this.#isHidden, cells: this.#cells });
  };

  readonly text = (text: string): void => {
    if (this.#isText) this.#text += text;
  };

  #beginCell({ r, t = 'n', s = '0' }: Readonly<Record<string, string>>): void {
    this.#column = r === undefined ? this.#column + 1 : columnOf(r);
    this.#type = t;
    this.#style = Number(s);
    this.#text = '';
  }

  #cell(): Cell | undefined {
    const { strings, formats, daysBefore } = this.#book;
    const text = this.#text;
    switch (this.#type) {
      case 's': {
        const shared = strings.get(Number(text));
        return shared === undefined ? undefined : textCell(shared);
      }
      case 'str':
      case 'inlineStr':
        return textCell(unescaped(text));
      case 'b':
        return { text: String(text === '1'), from: 'boolean' };
      case 'e':
        return errorCell(text);
      case 'd':
        return text.length > 10
          ? { text: text.slice(0, 19), from: 'moment' }
          : { text: text.slice(0, 10), from: 'day' };
      default:
        return numberCell(text, formats[this.#style] ?? PLAIN, daysBefore);
    }
  }
}

/** 0 of `A1`. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const letter = reference.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}
