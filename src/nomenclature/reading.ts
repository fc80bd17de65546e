/**
 * Parses a nomenclature file in a Worker: 4 MB take a fifth of a second. The first line is the head, each
 * other line contains rows.
 */
import { unprocessable } from '../errors.ts';
import { readNomenclature } from './file.ts';

/** Message to the reading Worker. */
export interface NomenclatureRead {
  readonly kind: 'nomenclature';
  /** JSON of the file. */
  readonly file: Uint8Array;
}

/** Size of one write: some ms of work. */
const ROWS_PER_LINE = 1000;
const CHARACTERS_PER_LINE = 256 * 1024;

/** Throws 422 with the position of each fault. */
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
