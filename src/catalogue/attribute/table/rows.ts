/** Splits a parsed table for storage: a head, and batches of rows for one small transaction each. */
import { deflateRawSync } from 'node:zlib';
import { boundaryDays } from './boundary.ts';
import type { AttributeTable } from '../words/model.ts';
import { withOriginal } from './record.ts';
import type { DetailRow, NcmRow, RowBatch, TableHead } from './store.ts';
import { contentDigest } from '../file/content.ts';
import type { OriginalTable } from '../file/table-file.ts';

export interface TableRows {
  readonly head: TableHead;
  readonly batches: Generator<RowBatch>;
}

/** Sizes for a transaction of some ms. */
const BATCH_CHARACTERS = 256 * 1024;
const BATCH_NCMS = 500;
const PART_BYTES = 256 * 1024;

/** `json`: the file; it is stored deflated, as in a zip. */
export function rowsOf(table: AttributeTable, original: OriginalTable, json: Uint8Array): TableRows {
  const file = deflateRawSync(json);
  const details = table.detalhesAtributos.map((detail) => ({
    codigo: detail.codigo,
    detail: JSON.stringify(detail),
  }));
  const ncms = ncmRows(table, details);
  const head: TableHead = {
    versao: table.versao,
    sha256: contentDigest(original),
    ncms: ncms.length,
    attributes: details.length,
    jsonBytes: json.length,
    jsonCrc32: Bun.hash.crc32(json),
    deflatedBytes: file.length,
    boundaries: boundaryDays(table),
  };
  // Reports and comparisons use the parsed values; the original text is only stored with them.
  const ncmRowsToKeep = ncms.map((row, index) => ({
    ...row,
    pairs: withOriginal(row.pairs, original.listaNcm[index]?.listaAtributos ?? []),
  }));
  const detailRowsToKeep = details.map(({ codigo, detail }, index) => ({
    codigo,
    detail: withOriginal(detail, original.detalhesAtributos[index]),
  }));
  return { head, batches: batches(ncmRowsToKeep, detailRowsToKeep, file) };
}

function ncmRows(table: AttributeTable, details: readonly DetailRow[]): NcmRow[] {
  const digests = new Map(details.map(({ codigo, detail }) => [codigo, sha256(detail)]));
  return table.listaNcm.map(({ codigoNcm, listaAtributos }) => {
    const pairs = JSON.stringify(listaAtributos);
    const codes = [...new Set(listaAtributos.map(({ codigo }) => codigo))];
    const fingerprint = sha256(pairs + codes.map((codigo) => digests.get(codigo)).join(''));
    return { ncm: codigoNcm, pairs, fingerprint };
  });
}

const sha256 = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('hex');

const EMPTY_BATCH: RowBatch = { ncms: [], details: [], parts: [] };

function* batches(
  ncms: readonly NcmRow[],
  details: readonly DetailRow[],
  file: Uint8Array,
): Generator<RowBatch> {
  for (const batch of groupsOfRows(details, ({ detail }) => detail.length, details.length))
    yield { ...EMPTY_BATCH, details: batch };
  for (const batch of groupsOfRows(ncms, ({ pairs }) => pairs.length, BATCH_NCMS))
    yield { ...EMPTY_BATCH, ncms: batch };
  for (let part = 0; part * PART_BYTES < file.length; part += 1)
    // Copies the part: a view would send the whole file to the main thread each time.
    yield {
      ...EMPTY_BATCH,
      parts: [{ part, bytes: file.slice(part * PART_BYTES, (part + 1) * PART_BYTES) }],
    };
}

function* groupsOfRows<Row>(
  rows: readonly Row[],
  sizeOf: (row: Row) => number,
  maxRows: number,
): Generator<Row[]> {
  let group: Row[] = [];
  let size = 0;
  for (const row of rows) {
    group.push(row);
    size += sizeOf(row);
    if (size < BATCH_CHARACTERS && group.length < maxRows) continue;
    yield group;
    group = [];
    size = 0;
  }
  if (group.length > 0) yield group;
}
