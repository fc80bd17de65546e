/** Packs an XLSX in the Worker that reads its rows, so that no other thread compresses it. */
import type { EpochMs } from '../clock.ts';
import { zipWith } from '../files/zip-out.ts';
import { SHEET_PART, partsAround } from './xlsx/write.ts';

/** The packing of the texts of a read. */
export interface Packing {
  /** Name of the sheet. */
  readonly name: string;
  readonly madeAt: EpochMs;
}

/** A read whose texts are the rows part of an XLSX. The answer is that XLSX. */
export interface PackedRead {
  readonly packing: Packing;
}

export const isPacked = (request: object): request is PackedRead => 'packing' in request;

/** Maximum characters of a sheet name in a spreadsheet. */
const SHEET_NAME_MAX = 31;

/** Builds an XLSX around the part with its rows. */
export const xlsxWith = (
  name: string,
  rows: AsyncIterable<string | Uint8Array>,
  madeAt: EpochMs,
): ReadableStream<Uint8Array> =>
  zipWith(partsAround(name.slice(0, SHEET_NAME_MAX)), SHEET_PART, rows, madeAt);

type Texts = Iterator<string, unknown, undefined> | AsyncIterator<string, unknown, undefined>;

/** An error that refuses the rows is thrown before the first byte. */
export async function* packXlsx(
  texts: Texts,
  { name, madeAt }: Packing,
): AsyncGenerator<Uint8Array, void, undefined> {
  let first = await texts.next();
  while (first.done !== true && first.value === '') first = await texts.next();
  async function* rows(): AsyncGenerator<string, void, undefined> {
    try {
      for (let next = first; next.done !== true; next = await texts.next()) yield next.value;
    } finally {
      await texts.return?.();
    }
  }
  yield* xlsxWith(name, rows(), madeAt);
}
