/** Listings as answers: a streamed list (204 when it is empty) and an export file (contract sections 3 and 7). */
import type { Clock } from '../../clock.ts';
import { zipOf } from '../../files/zip-out.ts';
import { JSON_TYPE } from '../../http/answers.ts';
import { type Answer, noContent } from '../../http/operation.ts';
import { compactDateTime } from '../../validation/calendar.ts';
import type { ListingRequest } from './request.ts';
import type { Listings } from './service.ts';

/** The list streamed as it is read. The status is known with the first chunk. */
export async function listAnswer(listings: Listings, request: ListingRequest): Promise<Answer> {
  const chunks = listings.stream(request);
  const first = await chunks.next();
  if (first.done === true) return noContent;
  return { headers: { 'Content-Type': JSON_TYPE }, content: streamOf(first.value, chunks) };
}

function streamOf(
  first: Uint8Array<ArrayBuffer>,
  rest: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array> {
  let pending: Uint8Array<ArrayBuffer> | undefined = first;
  return new ReadableStream({
    async pull(controller) {
      if (pending !== undefined) {
        controller.enqueue(pending);
        pending = undefined;
        return;
      }
      const { done, value } = await rest.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await rest.return(undefined);
    },
  });
}

/** The export as a zip named `PREFIX_{raiz}_{yyyyMMddHHmmss}`. */
export function exportAnswer(
  listings: Listings,
  clock: Clock,
  prefix: string,
  cpfCnpjRaiz: string,
  request: ListingRequest,
): Answer {
  const now = clock.now();
  const name = `${prefix}_${cpfCnpjRaiz}_${compactDateTime(now)}`;
  return {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="${name}.zip"`,
    },
    content: zipOf(name, listings.stream(request), now),
  };
}
