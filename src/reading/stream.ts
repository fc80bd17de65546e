/** Streams of long answers that read only as fast as their reader. */
import type { LongRead } from './long-read.ts';

/** Approximate chunk size. Records are joined, because a chunk per record is slow to send. */
const CHUNK_CHARACTERS = 16 * 1024;

/** Yields the text of one JSON array in chunks. `undefined` among the records lets other work run. */
export function* arrayText(records: Iterable<object | undefined>): Generator<string, void, undefined> {
  let chunk = '[';
  let isFirst = true;
  for (const record of records) {
    if (record === undefined) {
      yield chunk;
      chunk = '';
      continue;
    }
    chunk += (isFirst ? '' : ',') + JSON.stringify(record);
    isFirst = false;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}]`;
}

/**
 * Returns the final result. Yields an empty text before it at each point where other reads may run. A read that
 * is stopped closes its open queries, because SQLite ends no transaction before.
 */
export function* finalResult<T>(reading: Generator<undefined, T>): Generator<string, T> {
  try {
    let step = reading.next();
    for (; step.done !== true; step = reading.next()) yield '';
    return step.value;
  } finally {
    reading.return(undefined as never);
  }
}

/** Yields the text of the final result, after the empty texts of `finalResult`. */
export function* resultText<T>(
  reading: Generator<undefined, T>,
  textOf: (found: T) => string = JSON.stringify,
): Generator<string> {
  yield textOf(yield* finalResult(reading));
}

/** Returns the whole text of a read. */
export const readText = async (read: LongRead): Promise<string> =>
  Buffer.concat(await Array.fromAsync(read)).toString();

/** Yields the lines of a text that ends with a line end. */
export async function* linesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

type Chunks =
  Iterator<string | Uint8Array, unknown, undefined> | AsyncIterator<string | Uint8Array, unknown, undefined>;

/**
 * Returns a stream of texts (as UTF-8) or bytes. Each pull takes one chunk. Cancellation ends the producer.
 */
export function streamOf(chunks: Chunks): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Starts a long read and waits for its first chunk, so that refusals come before the answer. `undefined`:
 * it is empty.
 */
export async function beginning(read: LongRead): Promise<ReadableStream<Uint8Array> | undefined> {
  const first = await read.next();
  if (first.done === true) return undefined;
  return cutWith(read, streamOf(after(first.value, read)));
}

function after(first: Uint8Array, rest: LongRead): AsyncIterator<Uint8Array, unknown, undefined> {
  let pending: Uint8Array | undefined = first;
  return {
    next: () => {
      if (pending === undefined) return rest.next();
      const value = pending;
      pending = undefined;
      return Promise.resolve({ done: false, value });
    },
    return: () => rest.return(),
  };
}

/** Aborts an answer when its read is cut, so that no client takes a part for the whole. */
export function cutWith(read: LongRead, content: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = content.getReader();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        read.cut.addEventListener('abort', () => controller.error(read.cut.reason), { once: true });
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (read.cut.aborted) return;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
