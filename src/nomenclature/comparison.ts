/** A nomenclature that came by itself beside the one in use (contract section 19), read aside: each takes a fifth of a second. */
import type { Db } from '../db/open.ts';
import { unprocessable } from '../errors.ts';
import { isWhole, readNomenclature } from './file.ts';
import { NomenclatureStore } from './store.ts';

/** As it crosses to the Worker that reads it. */
export interface NomenclatureComparisonRead {
  readonly kind: 'nomenclatureComparison';
  /** The JSON. */
  readonly file: Uint8Array;
}

export interface NomenclatureComparison {
  /** Of what is read of a file: white space and the order of members are none of it. */
  readonly isSame: boolean;
  /** How many of its NCMs the one that came does not have. */
  readonly lost: number;
}

/** Throws 422 with the place of each fault of the one that came. */
export function* nomenclatureComparisonTexts(
  db: Db,
  { file }: NomenclatureComparisonRead,
): Generator<string> {
  const came = contentOf(file);
  if (!came.ok) throw unprocessable(came.problems);
  const compressed = new NomenclatureStore(db).file();
  const used = compressed && contentOf(Bun.gunzipSync(new Uint8Array(compressed)));
  // One that this version would refuse is no measure of another.
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
  const ncms = new Set(rows.map(([codigo]) => codigo).filter(isWhole));
  return { ok: true, text: JSON.stringify([read.head, rows]), ncms } as const;
}
