/** Bodies that are read while they come or go: what passes is kept up to its limit, and handed on at once. */
import { REAL_TIME, SECOND_MS, waited } from '../../clock.ts';
import { passing } from '../../http/passing.ts';
import { readAhead, replaceBody } from '../../http/read-ahead.ts';
import { EXCERPT_MAX_BYTES, type Excerpt } from './excerpt.ts';

export const overheard = (
  content: ReadableStream<Uint8Array>,
  excerpt: Excerpt,
): ReadableStream<Uint8Array> =>
  passing(content, {
    chunk: (bytes) => {
      if (!excerpt.isCut) excerpt.keep(bytes);
    },
  });

/** What is left of a refused request's body is waited for so long. */
const REST_MAX_MS = SECOND_MS;

/**
 * Runs while its body is listened to, whoever reads it. A short one that nobody has read is read then, so that it is known
 * of a refused request too.
 */
export async function listened<T>(request: Request, excerpt: Excerpt, run: () => T | Promise<T>): Promise<T> {
  let body: ReadableStream<Uint8Array> | null | undefined;
  replaceBody(request, () => {
    if (body !== undefined) return body;
    const sent = bodyOf.call(request);
    return (body = sent && overheard(sent, excerpt));
  });
  const answer = await run();
  if (body === undefined) {
    const rest = readAhead(request, EXCERPT_MAX_BYTES).then(
      () => undefined,
      () => undefined,
    );
    await waited(REAL_TIME, REST_MAX_MS, rest);
  }
  return answer;
}

const { get: bodyOf } = Object.getOwnPropertyDescriptor(Request.prototype, 'body') as {
  get: (this: Request) => ReadableStream<Uint8Array> | null;
};
