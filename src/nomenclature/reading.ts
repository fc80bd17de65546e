/** A nomenclature file, read aside: 4 MB take a fifth of a second. The head stands in the first line, the rows in the second. */
import { unprocessable } from '../errors.ts';
import { readNomenclature } from './file.ts';

/** As it crosses to the Worker that reads it. */
export interface NomenclatureRead {
  readonly kind: 'nomenclature';
  /** The JSON. */
  readonly file: Uint8Array;
}

/** Throws 422 with the place of each fault. */
export function* nomenclatureTexts(_: unknown, { file }: NomenclatureRead): Generator<string> {
  const read = readNomenclature(file);
  if (!read.ok) throw unprocessable(read.problems);
  yield `${JSON.stringify(read.head)}\n`;
  yield JSON.stringify(read.rows);
}
