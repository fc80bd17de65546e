/** Reads the body of a request: size, content type, UTF-8, JSON, and the timeout for its next byte. */
import { REAL_TIME, type RealTime, SECOND_MS, endOfTurn } from '../clock.ts';
import { DomainError, malformed } from '../errors.ts';
import { readDocument } from '../validation/json-document.ts';
import { stayAwake } from './server.ts';

const JSON_CONTENT = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

export interface JsonBodyOptions {
  /** Bytes. */
  readonly limit: number;
  /** The body may be missing. */
  readonly optional: boolean;
  /** The body may carry secrets: an error about invalid JSON quotes no part of it (contract section 3). */
  readonly discreet?: boolean;
}

/** Reads the JSON value of a body. Throws 413, 415 or 400. `undefined`: the body is empty and optional. */
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

/** Limits for the bodies that the server receives. */
export interface Reception {
  /** Longest pause between two bytes (setting `servidor.segundosCorpo`). */
  readonly stallMs: number;
  readonly realTime: RealTime;
}

/** Counts further received bytes. A reader that keeps them in memory calls it. Throws 503. */
type Received = (bytes: number) => void;

const DEFAULT: Reception = { stallMs: 30 * SECOND_MS, realTime: REAL_TIME };
const receptions = new WeakMap<Request, Reception>();
const receivedBytes = new WeakMap<Request, Received>();
/** Receives a body that is read without a stream. */
type Observer = (bytes: Uint8Array) => void;
/** Observers that also replaced the stream of the body, to see a body that is read as a stream. */
const observers = new WeakMap<Request, Observer>();
/** Errors of bodies that timed out. A later reader of the same body gets the same error. */
const stalled = new WeakMap<Request, DomainError>();

const receptionOf = (request: Request): Reception => receptions.get(request) ?? DEFAULT;
export const receive = (request: Request, reception: Reception): void =>
  void receptions.set(request, reception);
/**
 * Calls `observer` once if the body is read without a stream. Returns the function that cancels this call.
 */
export function observeBody(request: Request, observer: Observer): () => void {
  observers.set(request, observer);
  return () => void observers.delete(request);
}

export const countBody = (request: Request, received: Received): void =>
  void receivedBytes.set(request, received);

/** Reads at most `limit` bytes of a body and counts them as they arrive. Throws 413, 408, 503. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared > limit) throw tooLarge(limit);
  const received = receivedBytes.get(request);
  const bytes = declared <= SMALL_BYTES ? await arrived(request) : undefined;
  if (bytes !== undefined) {
    received?.(bytes.length);
    return bytes;
  }
  const next = bodyReader(request);
  const read = () => next().catch(refuseBrokenOff);
  const chunks: Uint8Array[] = [];
  let size = 0;
  // A body that is complete needs no wait for its end.
  while (size !== declared) {
    const chunk = await read();
    if (chunk === undefined) break;
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    received?.(chunk.length);
    chunks.push(chunk);
  }
  // A new array each time: the caller may transfer its memory.
  const [first = new Uint8Array(), second] = chunks;
  return second === undefined ? first : Buffer.concat(chunks);
}

/** A body of this size fits into one read of the runtime. */
const SMALL_BYTES = 64 * 1024;

/**
 * Returns a small body without a stream. Nearly every small body is complete one turn after its headers, and
 * a stream, which reports each piece, costs as much as all other work of the request. `undefined`: the body
 * is incomplete, or a reader has begun to read it.
 */
async function arrived(request: Request): Promise<Uint8Array | undefined> {
  await endOfTurn();
  const observer = observers.get(request);
  const isReplaced = observer === undefined && Object.hasOwn(request, 'body');
  if (request.bodyUsed || stalled.has(request) || isReplaced) return undefined;
  const copy = request.clone().bytes(); // otherwise the request itself no longer reports how the body arrives
  copy.catch(() => undefined); // the reader of the request gets the error
  if (Bun.peek.status(copy) !== 'fulfilled') return undefined;
  const bytes = await copy;
  observers.delete(request);
  observer?.(bytes);
  return bytes;
}

/**
 * Refuses a body whose client closed the connection while sending. This is no fault of the server, and the
 * client gets no answer.
 */
function refuseBrokenOff(error: unknown): never {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
  throw new DomainError('malformed', 'A conexão terminou antes do fim do corpo; nada foi feito.', {
    cause: error,
  });
}

/**
 * Returns a function that gives the body piece by piece, and `undefined` at its end. It throws 408 when the
 * next piece does not arrive in time.
 */
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

/** The server does not read the rest of the body: the connection ends with the answer. */
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

/**
 * Refuses other content types of a streamed body. A body without `Content-Type` is recognised by its first
 * bytes.
 */
export function refuseOtherTypes(request: Request, accepted: readonly string[]): void {
  const type = request.headers.get('content-type')?.trim() ?? '';
  const [essence = ''] = type.toLowerCase().split(';');
  if (type !== '' && !accepted.includes(essence.trim())) throw unsupported(type, accepted);
}

/** Refuses a compressed body. Without this, the error could only report that its first byte is no JSON. */
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
