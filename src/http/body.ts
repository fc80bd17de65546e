/** Reads the body of a request: size, content type, UTF-8, JSON. */
import { DomainError, malformed } from '../errors.ts';
import { readDocument } from '../validation/json-document.ts';

const JSON_CONTENT = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

export interface JsonBodyOptions {
  /** Bytes. */
  readonly limit: number;
  /** It may be missing. */
  readonly optional: boolean;
  /** It may carry secrets: nothing of it is shown where it is no JSON (contract section 3). */
  readonly discreet?: boolean;
}

/** The JSON value of a body. Throws 413, 415 or 400; `undefined` when it is empty and may be. */
export async function readJson(request: Request, options: JsonBodyOptions): Promise<unknown> {
  const { limit, optional, discreet = false } = options;
  const type = request.headers.get('content-type');
  // A body without Content-Type is read as JSON (contract section 2).
  if (type !== null && type.trim() !== '' && !JSON_CONTENT.test(type)) {
    if (optional) return undefined;
    throw unsupported(type, ['application/json']);
  }
  refuseCompressed(request);
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0 && optional) return undefined;
  const read = readDocument(bytes, { subject: 'O corpo', discreet });
  if (!read.ok) throw malformed(read.problems);
  return read.value;
}

/** The bytes of a body, at most `limit`. Throws 413. */
export function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared > limit) throw tooLarge(limit);
  if (!Number.isNaN(declared)) return request.bytes();
  return readChunks(request, limit);
}

/** A body without a declared length is counted as it comes. */
async function readChunks(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function unsupported(received: string, accepted: readonly string[]): DomainError {
  return new DomainError(
    'unsupportedMediaType',
    `Content-Type: recebido '${received.slice(0, 100)}'; aceita ${accepted.join(' ou ')}.`,
    { field: 'Content-Type', path: 'Content-Type' },
  );
}

/** Of a compressed body nothing could be told but that its first byte is no JSON. */
function refuseCompressed({ headers }: Request): void {
  const coding = headers.get('content-encoding')?.trim() ?? '';
  if (coding === '' || coding.toLowerCase() === 'identity') return;
  throw new DomainError(
    'unsupportedMediaType',
    `Content-Encoding: recebido '${coding.slice(0, 100)}'; envie o corpo sem compressão.`,
    { field: 'Content-Encoding', path: 'Content-Encoding' },
  );
}

export function tooLarge(limit: number): DomainError {
  return new DomainError('tooLarge', `O corpo passa do limite de ${limit} bytes.`);
}
