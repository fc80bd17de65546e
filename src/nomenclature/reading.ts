/** A nomenclature file, read aside: 4 MB take a fifth of a second. The head stands in the first line, rows in each other one. */
import { unprocessable } from '../errors.ts';
import { readNomenclature } from './file.ts';

/** As it crosses to the Worker that reads it. */
export interface NomenclatureRead {
  readonly kind: 'nomenclature';
  /** The JSON. */
  readonly file: Uint8Array;
}

/** Written at once: some ms of work. */
const ROWS_PER_LINE = 1000;
const CHARACTERS_PER_LINE = 256 * 1024;

/** Throws 422 with the place of each fault. */
export function* nomenclatureTexts(_: unknown, { file }: NomenclatureRead): Generator<string> {
  const read = readNomenclature(file);
  if (!read.ok) throw unprocessable(read.problems);
  yield `${JSON.stringify(read.head)}\n`;
  let rows: string[] = [];
  let characters = 0;
  const line = (): string => {
    const text = `[${rows.join()}]\n`;
    [rows, characters] = [[], 0];
    return text;
  };
  for (const row of read.rows) {
    const text = JSON.stringify(row);
    characters += text.length;
    rows.push(text);
    if (rows.length === ROWS_PER_LINE || characters >= CHARACTERS_PER_LINE) yield line();
  }
  if (rows.length > 0) yield line();
}
