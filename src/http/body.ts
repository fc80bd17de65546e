/** Reads the body of a request: size, content type, UTF-8, JSON; and how long its next byte may take to come. */
import { REAL_TIME, type RealTime, SECOND_MS, endOfTurn } from '../clock.ts';
import { DomainError, malformed } from '../errors.ts';
import { readDocument } from '../validation/json-document.ts';
import { stayAwake } from './server.ts';

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

/** What a server says of the bodies that it receives. */
export interface Reception {
  /** How long no byte may come (setting `servidor.segundosCorpo`). */
  readonly stallMs: number;
  readonly realTime: RealTime;
}

/** More of it is here; whoever keeps it in memory asks. Throws 503. */
type Received = (bytes: number) => void;

const DEFAULT: Reception = { stallMs: 30 * SECOND_MS, realTime: REAL_TIME };
const receptions = new WeakMap<Request, Reception>();
const counted = new WeakMap<Request, Received>();
/** A body that did not come is asked for once: whoever reads afterwards is told the same. */
const stalled = new WeakMap<Request, DomainError>();

const receptionOf = (request: Request): Reception => receptions.get(request) ?? DEFAULT;
export const receive = (request: Request, how: Reception): void => void receptions.set(request, how);
export const countBody = (request: Request, received: Received): void => void counted.set(request, received);

/** The bytes of a body, at most `limit`, counted as they come. Throws 413, 408, 503. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared > limit) throw tooLarge(limit);
  const received = counted.get(request);
  const there = declared <= SMALL_BYTES ? await arrived(request) : undefined;
  if (there !== undefined) {
    received?.(there.length);
    return there;
  }
  const next = bodyReader(request);
  const read = () => next().catch(refuseBrokenOff);
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Of what has all come there is no end to wait for.
  while (size !== declared) {
    const chunk = await read();
    if (chunk === undefined) break;
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    received?.(chunk.length);
    chunks.push(chunk);
  }
  // Its own each time: who takes it may give its memory away.
  const [first = new Uint8Array(), second] = chunks;
  return second === undefined ? first : Buffer.concat(chunks);
}

/** One that fits into what the runtime reads at once. */
const SMALL_BYTES = 64 * 1024;

/**
 * Nearly every small body is whole a turn after its headers. Such a one is taken at once: a stream, which tells of each piece,
 * costs as much as all that the server does with it. `undefined`: more of it is to come, or somebody has begun to read it.
 */
async function arrived(request: Request): Promise<Uint8Array | undefined> {
  await endOfTurn();
  if (request.bodyUsed || stalled.has(request) || Object.hasOwn(request, 'body')) return undefined;
  const copy = request.clone().bytes(); // of the request itself nothing would tell any more how it comes
  copy.catch(() => undefined); // the reader of the request is told
  return Bun.peek.status(copy) === 'fulfilled' ? copy : undefined;
}

/** Whoever goes away while sending is no fault of ours, and hears no answer. */
function refuseBrokenOff(error: unknown): never {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
  throw new DomainError('malformed', 'A conexão terminou antes do fim do corpo; nada foi feito.', {
    cause: error,
  });
}

/** Gives the body piece by piece, `undefined` at its end. It throws 408 where the next one does not come. */
export function bodyReader(request: Request): () => Promise<Uint8Array | undefined> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const { stallMs, realTime } = receptionOf(request);
  return async () => {
    const before = stalled.get(request);
    if (before !== undefined) throw before;
    reader ??= request.body?.getReader();
    if (reader === undefined) return undefined;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = realTime.after(stallMs, () => {
      const refusal = tooSlow(stallMs);
      stalled.set(request, refusal);
      reject(refusal);
    });
    try {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return undefined;
      stayAwake(request);
      return value;
    } finally {
      timer.cancel();
    }
  };
}

/** What is left of the body will not be read: the connection ends with the answer. */
const tooSlow = (stallMs: number): DomainError =>
  new DomainError(
    'tooSlow',
    `Nenhum byte do corpo chegou em ${stallMs / SECOND_MS} segundos (servidor.segundosCorpo); nada desta requisição foi feito. Envie-a de novo, inteira.`,
    { headers: { Connection: 'close' } },
  );

export function unsupported(received: string, accepted: readonly string[]): DomainError {
  return new DomainError(
    'unsupportedMediaType',
    `Content-Type: recebido '${received.slice(0, 100)}'; aceita ${accepted.join(' ou ')}.`,
    { field: 'Content-Type', path: 'Content-Type' },
  );
}

/** Of a body that is taken as it comes; one without `Content-Type` is taken for what its first bytes say. */
export function refuseOtherTypes(request: Request, accepted: readonly string[]): void {
  const type = request.headers.get('content-type')?.trim() ?? '';
  const [essence = ''] = type.toLowerCase().split(';');
  if (type !== '' && !accepted.includes(essence.trim())) throw unsupported(type, accepted);
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
