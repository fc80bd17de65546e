/** A table as a file to download. */
import type { EpochMs } from '../clock.ts';
import { zipWith } from '../files/zip-out.ts';
import type { Answer } from '../http/operation.ts';
import type { Reads } from '../reading/pool.ts';
import type { ReadRequest } from '../reading/protocol.ts';
import { beginning } from '../reading/stream.ts';
import type { Holder } from '../shares.ts';
import { SHEET_PART, partsAround } from './xlsx/write.ts';

export const CSV_TYPE = 'text/csv; charset=utf-8';
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A spreadsheet takes no longer names of its sheets. */
const SHEET_NAME_MAX = 31;

/** `name`: of the file, without its ending. Throws `unavailable`. */
export async function csvAnswer<Request extends ReadRequest>(
  reads: Reads<Request>,
  holder: Holder,
  name: string,
  request: Request & { readonly format: 'csv' },
): Promise<Answer> {
  const content = await textOf(reads, holder, request);
  return { headers: downloaded(`${name}.csv`, CSV_TYPE), content };
}

/** The same as an XLSX of that moment. Throws `unavailable`. */
export async function xlsxAnswer<Request extends ReadRequest>(
  reads: Reads<Request>,
  holder: Holder,
  name: string,
  request: Request & { readonly format: 'xlsx' },
  madeAt: EpochMs,
): Promise<Answer> {
  const content = await textOf(reads, holder, request);
  return {
    headers: downloaded(`${name}.xlsx`, XLSX_TYPE),
    content: xlsxWith(name, content, madeAt),
  };
}

/** An XLSX around the part with its rows. */
export const xlsxWith = (
  name: string,
  rows: AsyncIterable<string | Uint8Array>,
  madeAt: EpochMs,
): ReadableStream<Uint8Array> =>
  zipWith(partsAround(name.slice(0, SHEET_NAME_MAX)), SHEET_PART, rows, madeAt);

async function textOf<Request extends ReadRequest>(reads: Reads<Request>, holder: Holder, request: Request) {
  const content = await beginning(reads.read(request, holder));
  if (content === undefined) throw new Error('A table always has its headings.');
  return content;
}

export const downloaded = (file: string, type: string) => ({
  'Content-Type': type,
  'Content-Disposition': `attachment; filename="${file}"`,
});
