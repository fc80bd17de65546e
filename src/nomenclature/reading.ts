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

/** Throws 422 with the place of each fault. */
export function* nomenclatureTexts(_: unknown, { file }: NomenclatureRead): Generator<string> {
  const read = readNomenclature(file);
  if (!read.ok) throw unprocessable(read.problems);
  yield `${JSON.stringify(read.head)}\n`;
  const rows = [...read.rows];
  for (let from = 0; from < rows.length; from += ROWS_PER_LINE)
    yield `${JSON.stringify(rows.slice(from, from + ROWS_PER_LINE))}\n`;
}
