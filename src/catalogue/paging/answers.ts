/** Reads a page in a Worker and returns it as a response: some orders read a whole company. */
import { JSON_TYPE } from '../../http/answers.ts';
import type { Answer } from '../../http/operation.ts';
import type { QuotaOwner } from '../../fair-shares.ts';
import type { Reads } from '../../reading/pool.ts';
import type { ReadRequest } from '../../reading/protocol.ts';
import { beginning } from '../../reading/stream.ts';

/** Throws `unavailable`. */
export async function pageAnswer<Request extends ReadRequest>(
  reads: Reads<Request>,
  quotaOwner: QuotaOwner,
  request: Request,
): Promise<Answer> {
  const content = await beginning(reads.read(request, quotaOwner));
  if (content === undefined) throw new Error('A page always has a text.');
  return { headers: { 'Content-Type': JSON_TYPE }, content };
}
