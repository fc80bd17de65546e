/**
 * Returns listings as responses: a streamed list (204 when it is empty) and an export file (contract
 * sections 3 and 7).
 */
import type { Clock } from '../../clock.ts';
import { zipOf } from '../../files/zip-out.ts';
import { JSON_TYPE } from '../../http/answers.ts';
import { type Answer, noContent } from '../../http/operation.ts';
import type { QuotaOwner } from '../../fair-shares.ts';
import { beginning, cutWith } from '../../reading/stream.ts';
import { compactDateTime } from '../../validation/calendar.ts';
import type { Reads } from '../../reading/pool.ts';
import type { ReadRequest } from '../../reading/protocol.ts';

const LIST_HEADERS = { 'Content-Type': JSON_TYPE } as const;

/** Streams a long list while it is read. The status is known with the first chunk. Throws `unavailable`. */
export async function listAnswer<Request extends ReadRequest>(
  listings: Reads<Request>,
  quotaOwner: QuotaOwner,
  request: Request,
): Promise<Answer> {
  const short = listings.shortText?.(request);
  if (short !== undefined) return short === '' ? noContent : { headers: LIST_HEADERS, content: short };
  const content = await beginning(listings.read(request, quotaOwner));
  return content === undefined ? noContent : { headers: LIST_HEADERS, content };
}

/** Returns the export as a zip named `PREFIX_{raiz}_{yyyyMMddHHmmss}`. Throws `unavailable`. */
export async function exportAnswer<Request extends ReadRequest>(
  listings: Reads<Request>,
  quotaOwner: QuotaOwner,
  clock: Clock,
  prefix: string,
  cpfCnpjRaiz: string,
  request: Request,
): Promise<Answer> {
  const now = clock.now();
  const name = `${prefix}_${cpfCnpjRaiz}_${compactDateTime(now)}`;
  const read = await listings.read(request, quotaOwner).begin();
  return {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="${name}.zip"`,
    },
    content: cutWith(read, zipOf(name, read, now)),
  };
}
