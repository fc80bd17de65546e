/** Long answers as streams that read only as fast as they are read. */

/** Records are joined into chunks of about this size: a chunk per record is slow to send. */
const CHUNK_CHARACTERS = 16 * 1024;

/** The text of one JSON array, in chunks. */
export function* arrayText(records: Iterable<object>): Generator<string> {
  let chunk = '[';
  let isFirst = true;
  for (const record of records) {
    chunk += (isFirst ? '' : ',') + JSON.stringify(record);
    isFirst = false;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}]`;
}

/** Texts as a stream of UTF-8; each read takes one. A reader that cancels ends their producer. */
export function streamOf(
  texts: Generator<string, void, undefined> | AsyncGenerator<string, void, undefined>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await texts.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await texts.return();
      },
    },
    { highWaterMark: 0 },
  );
}
