/** Answers a request with a table as a file to download. */
import type { EpochMs } from '../clock.ts';
import type { Answer } from '../http/operation.ts';
import type { Reads } from '../reading/pool.ts';
import type { ReadRequest } from '../reading/protocol.ts';
import { beginning } from '../reading/stream.ts';
import type { QuotaOwner } from '../fair-shares.ts';
import type { PackedRead } from './packed.ts';

export const CSV_TYPE = 'text/csv; charset=utf-8';
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Returns the CSV. `name`: that of the file, without its extension. Throws `unavailable`. */
export async function csvAnswer<Request extends ReadRequest>(
  reads: Reads<Request>,
  quotaOwner: QuotaOwner,
  name: string,
  request: Request & { readonly format: 'csv' },
): Promise<Answer> {
  const content = await textOf(reads, quotaOwner, request);
  return { headers: downloadHeaders(`${name}.csv`, CSV_TYPE), content };
}

/** Returns the same table as an XLSX, with the current time. Throws `unavailable`. */
export async function xlsxAnswer<Request extends ReadRequest>(
  reads: Reads<Request>,
  quotaOwner: QuotaOwner,
  name: string,
  request: Request & { readonly format: 'xlsx' },
  madeAt: EpochMs,
): Promise<Answer> {
  const packed: typeof request & PackedRead = { ...request, packing: { name, madeAt } };
  const content = await textOf(reads, quotaOwner, packed);
  return { headers: downloadHeaders(`${name}.xlsx`, XLSX_TYPE), content };
}

async function textOf<Request extends ReadRequest>(
  reads: Reads<Request>,
  quotaOwner: QuotaOwner,
  request: Request,
) {
  const content = await beginning(reads.read(request, quotaOwner));
  if (content === undefined) throw new Error('A table always has its headings.');
  return content;
}

export const downloadHeaders = (file: string, type: string) => ({
  'Content-Type': type,
  'Content-Disposition': `attachment; filename="${file}"`,
});
