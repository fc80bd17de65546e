/** Reads the body of a request: size, content type, UTF-8, JSON. */
import { DomainError, malformed } from '../errors.ts';
import { MALFORMED_CODE } from '../validation/decode.ts';
import { parseJsonText } from '../validation/json.ts';

const JSON_CONTENT = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** The JSON value of a body. Throws 413, 415 or 400; `undefined` when it is empty and may be. */
export async function readJson(request: Request, limit: number, optional: boolean): Promise<unknown> {
  const type = request.headers.get('content-type');
  // A body without Content-Type is read as JSON (contract section 2).
  if (type !== null && type.trim() !== '' && !JSON_CONTENT.test(type)) {
    if (optional) return undefined;
    throw unsupported(type, ['application/json']);
  }
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0 && optional) return undefined;
  return parseJson(bytes);
}

/** The bytes of a body, at most `limit`. Throws 413. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
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

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw unreadable('O corpo não é UTF-8 válido.');
  }
  try {
    return parseJsonText(text);
  } catch (error) {
    // The parser quotes the word that it stopped at, which may be a secret.
    const reason =
      error instanceof Error ? error.message.replace(/^JSON Parse error: /, '').replace(/ ".*"$/s, '') : '';
    throw unreadable(
      text.trim() === '' ? 'O corpo está vazio; envie um documento JSON.' : `O corpo não é JSON: ${reason}.`,
    );
  }
}

function unreadable(message: string): DomainError {
  return malformed([{ code: MALFORMED_CODE, message, field: null, path: '' }]);
}

export function unsupported(received: string, accepted: readonly string[]): DomainError {
  return new DomainError(
    'unsupportedMediaType',
    `Content-Type: recebido '${received.slice(0, 100)}'; aceita ${accepted.join(' ou ')}.`,
    { field: 'Content-Type', path: 'Content-Type' },
  );
}

export function tooLarge(limit: number): DomainError {
  return new DomainError('tooLarge', `O corpo passa do limite de ${limit} bytes.`);
}
