/** Bodies that are read while they come or go: what passes is kept up to its limit, and handed on at once. */
import { readAhead } from '../../http/read-ahead.ts';
import { EXCERPT_MAX_BYTES, type Excerpt } from './excerpt.ts';

export function overheard(content: ReadableStream<Uint8Array>, excerpt: Excerpt): ReadableStream<Uint8Array> {
  const reader = content.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        if (!excerpt.isCut) excerpt.keep(value);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** A short body is read at once, so that it is known of a refused request too; a long one when its operation reads it. */
export async function listen(request: Request, excerpt: Excerpt): Promise<void> {
  const bytes = await readAhead(request, EXCERPT_MAX_BYTES).catch(() => undefined);
  // Whoever breaks off while sending is answered by the operation that reads it.
  if (bytes === undefined) overhear(request, excerpt);
  else excerpt.keep(bytes, true);
}

function overhear(request: Request, excerpt: Excerpt): void {
  let stream: ReadableStream<Uint8Array> | undefined;
  Object.defineProperties(request, {
    bytes: {
      configurable: true,
      value: async () => {
        const bytes = await Request.prototype.bytes.call(request);
        excerpt.keep(bytes);
        return bytes;
      },
    },
    body: {
      configurable: true,
      get: () => (stream ??= overheardBody(request, excerpt)),
    },
  });
}

const { get: bodyOf } = Object.getOwnPropertyDescriptor(Request.prototype, 'body') as {
  get: (this: Request) => ReadableStream<Uint8Array> | null;
};

function overheardBody(request: Request, excerpt: Excerpt): ReadableStream<Uint8Array> | undefined {
  const stream = bodyOf.call(request);
  return stream === null ? undefined : overheard(stream, excerpt);
}
