/** Reads the body of a request before its operation does. The operation then reads it as usual. */

import { bodyReader, readBytes } from './body.ts';

const NOTHING = new Uint8Array();

const bodies = new WeakMap<Request, Uint8Array>();

/**
 * Reads the whole body. `undefined`: the body is longer than `most` bytes or has no declared length; no byte
 * of it has been read. Hooks around a request use this. Over HTTP only chunked bodies have no length.
 * `chunked too`: reads such a body as far as the check needs it. A later reader gets that part first, and
 * then the rest.
 */
export async function readAhead(
  request: Request,
  most: number,
  unmeasured?: 'chunked too',
): Promise<Uint8Array | undefined> {
  const before = bodies.get(request);
  if (before !== undefined) return before.length <= most ? before : undefined;
  if (request.method === 'GET' || request.method === 'HEAD') return NOTHING;
  const declared = request.headers.get('content-length');
  if (declared === null) {
    const { body } = request; // read once: an observer may listen to this stream
    if (body === null) return NOTHING;
    return unmeasured === undefined ? undefined : readChunksAhead(request, most);
  }
  const length = Number(declared);
  if (length === 0) return NOTHING;
  if (!(length <= most)) return undefined;
  return remember(request, await readBytes(request, most));
}

function remember(request: Request, bytes: Uint8Array): Uint8Array {
  bodies.set(request, bytes);
  replaceBody(request, () => new Response(bytes as Uint8Array<ArrayBuffer>).body);
  return bytes;
}

export const replaceBody = (request: Request, get: () => ReadableStream<Uint8Array> | null): void =>
  void Object.defineProperty(request, 'body', { get, configurable: true });

async function readChunksAhead(request: Request, most: number): Promise<Uint8Array | undefined> {
  const read = bodyReader(request);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const chunk = await read();
    if (chunk === undefined) return remember(request, Buffer.concat(chunks));
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) break;
  }
  const whole = new ReadableStream<Uint8Array>({
    start: (controller) => chunks.forEach((chunk) => controller.enqueue(chunk)),
    async pull(controller) {
      const chunk = await read();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
  replaceBody(request, () => whole);
  return undefined;
}
