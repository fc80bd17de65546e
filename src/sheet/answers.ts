/** A table as a file to download. */
import type { Answer } from '../http/operation.ts';
import type { Reads } from '../reading/pool.ts';
import type { ReadRequest } from '../reading/protocol.ts';
import { beginning } from '../reading/stream.ts';
import type { Holder } from '../shares.ts';

const CSV_TYPE = 'text/csv; charset=utf-8';

/** `name`: of the file, without its ending. Throws `unavailable`. */
export async function csvAnswer<Request extends ReadRequest>(
  reads: Reads<Request>,
  holder: Holder,
  name: string,
  request: Request,
): Promise<Answer> {
  const content = await beginning(reads.read(request, holder));
  if (content === undefined) throw new Error('A table always has its headings.');
  return {
    headers: { 'Content-Type': CSV_TYPE, 'Content-Disposition': `attachment; filename="${name}.csv"` },
    content,
  };
}
