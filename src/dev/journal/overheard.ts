/** Copies a body into an excerpt, up to its limit, while the stream passes each chunk on at once. */
import { REAL_TIME, SECOND_MS, waited } from '../../clock.ts';
import { observeBody } from '../../http/body.ts';
import { observeStream } from '../../http/observe-stream.ts';
import { readAhead, replaceBody } from '../../http/read-ahead.ts';
import { EXCERPT_MAX_BYTES, type Excerpt } from './excerpt.ts';

export const copiedInto = (
  content: ReadableStream<Uint8Array>,
  excerpt: Excerpt,
): ReadableStream<Uint8Array> =>
  observeStream(content, {
    onChunk: (bytes) => {
      if (!excerpt.isCut) excerpt.keep(bytes);
    },
  });

/** The time limit for reading the rest of a refused request's body. */
const REST_MAX_MS = SECOND_MS;

/**
 * Runs `run`, and records the request body in `excerpt` while `run` reads it. If `run` did not read the body,
 * a short body is read afterwards, so that the journal also has the body of a refused request.
 */
export async function recordBody<T>(
  request: Request,
  excerpt: Excerpt,
  run: () => T | Promise<T>,
): Promise<T> {
  let body: ReadableStream<Uint8Array> | null | undefined;
  let isRecorded = false;
  const stopObserving = observeBody(request, (bytes) => {
    isRecorded = true;
    excerpt.keep(bytes);
  });
  replaceBody(request, () => {
    if (body !== undefined) return body;
    stopObserving();
    const sent = bodyOf.call(request);
    return (body = sent && copiedInto(sent, excerpt));
  });
  const answer = await run();
  if (body === undefined && !isRecorded) {
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
