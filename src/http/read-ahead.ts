/** The body of a request, read before its operation does, which then reads it as if nobody had. */

const NOTHING = new Uint8Array();

const known = new WeakMap<Request, Uint8Array>();

/**
 * The whole body, or `undefined` where it is longer than `most` bytes or of no declared length: then nothing of it has been
 * read. Whoever attends a request asks; over HTTP only bodies that are sent in chunks have no length.
 */
export async function readAhead(request: Request, most: number): Promise<Uint8Array | undefined> {
  const before = known.get(request);
  if (before !== undefined) return before.length <= most ? before : undefined;
  if (request.method === 'GET' || request.method === 'HEAD') return NOTHING;
  const declared = request.headers.get('content-length');
  if (declared === null) return request.body === null ? NOTHING : undefined;
  const length = Number(declared);
  if (length === 0) return NOTHING;
  if (!(length <= most)) return undefined;
  const bytes = await request.bytes();
  known.set(request, bytes);
  Object.defineProperties(request, {
    bytes: { value: () => Promise.resolve(bytes) },
    body: { get: () => new Response(bytes).body },
  });
  return bytes;
}
