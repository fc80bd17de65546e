/**
 * Compares a fetched nomenclature with the one in use (contract section 19), in a Worker: each takes a fifth
 * of a second.
 */
import type { Db } from '../db/open.ts';
import { unprocessable } from '../errors.ts';
import { isFullNcm, readNomenclature } from './file.ts';
import { NomenclatureStore } from './store.ts';

/** Message to the reading Worker. */
export interface NomenclatureComparisonRead {
  readonly kind: 'nomenclatureComparison';
  /** JSON of the file. */
  readonly file: Uint8Array;
}

export interface NomenclatureComparison {
  /** Compares the parsed content: white space and the order of members do not count. */
  readonly isSame: boolean;
  /** Count of NCMs in use that the fetched one lacks. */
  readonly lost: number;
}

/** Throws 422 with the position of each fault of the fetched one. */
export function* nomenclatureComparisonTexts(
  db: Db,
  { file }: NomenclatureComparisonRead,
): Generator<string> {
  const came = contentOf(file);
  if (!came.ok) throw unprocessable(came.problems);
  const compressed = new NomenclatureStore(db).file();
  const used = compressed && contentOf(Bun.gunzipSync(new Uint8Array(compressed)));
  // A stored file that this version would refuse cannot be compared.
  const comparison: NomenclatureComparison =
    used?.ok === true
      ? { isSame: used.text === came.text, lost: [...used.ncms.difference(came.ncms)].length }
      : { isSame: false, lost: 0 };
  yield JSON.stringify(comparison);
}

function contentOf(file: Uint8Array) {
  const read = readNomenclature(file);
  if (!read.ok) return read;
  const rows = [...read.rows];
  const ncms = new Set(rows.map(([codigo]) => codigo).filter(isFullNcm));
  return { ok: true, text: JSON.stringify([read.head, rows]), ncms } as const;
}
