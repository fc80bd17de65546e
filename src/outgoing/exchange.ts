/** Sends one request to another server and returns the result. Redirects are not followed. */
import { type WriteStream, createWriteStream } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import { MINUTE_MS, type RealTime, type Timer } from '../clock.ts';
import { nodeHttp, nodeHttps } from '../system/builtin.ts';
import { reasonOf } from '../system/errors.ts';

export interface OutgoingRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
  /** Ends at the headers of the answer. The body is neither awaited nor counted. */
  readonly headersOnly?: true;
  /** A local socket that replaces the host of `url`. */
  readonly socketPath?: string | undefined;
  /** The file that receives the body of a 200. */
  readonly to?: string | undefined;
  /** `socket`: a tunnel that ends at the server. */
  readonly tls?: Pick<RequestOptions, 'ca' | 'cert' | 'key'> & { readonly socket?: unknown };
}

const MIB = 2 ** 20;

/** Size limits of answers in bytes. A longer answer is cut while it arrives (contract section 16). */
export const MAX_BYTES = { answer: MIB, list: 20 * MIB, export: 200 * MIB, table: 64 * MIB } as const;

/** Timeout of a whole exchange (contract section 16). */
const TOTAL_MS = 10 * MINUTE_MS;

export interface Patience {
  readonly time: Pick<RealTime, 'after'>;
  /** Timeout of the whole exchange. Default: 10 minutes. */
  readonly totalMs?: number;
  /** Timeout without a byte. */
  readonly idleMs?: number;
  /** Limit of the body of a 200. Any other status has the limit `answer`. */
  readonly maxBytes: number;
  /** Aborts when the process ends and nobody waits for the answer. */
  readonly stopping: AbortSignal;
}

export type Exchanged =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: IncomingMessage['headers'];
      /** Empty when the body went to a file. */
      readonly body: Buffer;
    }
  /**
   * `code`: from the system, from TLS, or `LATE`, `STALLED`, `CUT`, `HUGE`. `unsent`: the request could not
   * be built, so nothing left.
   */
  | { readonly kind: 'broken'; readonly code: string; readonly unsent?: true };

export function exchange(outgoing: OutgoingRequest, patience: Patience): Promise<Exchanged> {
  const { url, method, headers, body, headersOnly, socketPath, to, tls } = outgoing;
  const { time, totalMs = TOTAL_MS, idleMs, stopping } = patience;
  const { promise, resolve } = Promise.withResolvers<Exchanged>();
  const isSecure = url.protocol === 'https:';
  const options: RequestOptions = {
    method,
    headers,
    agent: false,
    ...(socketPath !== undefined && { socketPath }),
    ...(isSecure && { minVersion: 'TLSv1.2', ...tls }),
  };
  let request: ClientRequest;
  try {
    request = isSecure ? nodeHttps().request(url, options) : nodeHttp().request(url, options);
  } catch (error) {
    // An invalid authority or header: people configured these values.
    return Promise.resolve({ kind: 'broken', code: reasonOf(error), unsent: true });
  }
  let idle: Timer | undefined;
  let file: WriteStream | undefined;
  let isOver = false;
  const end = (exchanged: Exchanged): void => {
    isOver = true;
    deadline.cancel();
    idle?.cancel();
    stopping.removeEventListener('abort', isCut);
    resolve(exchanged);
    request.destroy();
    file?.destroy();
  };
  const breaksWith = (code: string) => (): void => end({ kind: 'broken', code });
  const isCut = breaksWith('CUT');
  const deadline = time.after(totalMs, breaksWith('LATE'));
  const waitForNext = (): void => {
    idle?.cancel();
    if (idleMs !== undefined) idle = time.after(idleMs, breaksWith('STALLED'));
  };
  waitForNext();
  if (stopping.aborted) queueMicrotask(isCut);
  else stopping.addEventListener('abort', isCut);
  const broken = (error: Error & { code?: string }): void =>
    end({ kind: 'broken', code: error.code ?? error.message });
  request.on('error', broken);
  request.on('response', (response) => {
    const { statusCode: status = 0 } = response;
    if (headersOnly === true) {
      response.on('error', () => undefined); // ignores the error of an answer that is cut
      end({ kind: 'answered', status, headers: response.headers, body: Buffer.alloc(0) });
      return;
    }
    const whether = (whole: Buffer): void =>
      end(
        response.complete
          ? { kind: 'answered', status, headers: response.headers, body: whole }
          : { kind: 'broken', code: 'CUT' },
      );
    response.on('error', broken);
    response.on('aborted', isCut);
    const maxBytes = status === 200 ? patience.maxBytes : Math.min(patience.maxBytes, MAX_BYTES.answer);
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      if (isOver) return;
      waitForNext();
      bytes += chunk.length;
      if (bytes > maxBytes) end({ kind: 'broken', code: 'HUGE' });
    });
    if (to !== undefined && status === 200) {
      file = createWriteStream(to, { mode: 0o600 });
      file.on('error', broken);
      file.on('finish', () => whether(Buffer.alloc(0)));
      response.pipe(file);
      return;
    }
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => {
      if (!isOver) chunks.push(chunk);
    });
    response.on('end', () => whether(Buffer.concat(chunks)));
  });
  request.end(body);
  return promise;
}

/** Codes of OpenSSL's chain verification, and Node's own codes of the name check. */
const NOT_TRUSTED = /CERT|ISSUER|SIGNATURE|HOSTNAME|_CA$|PATH_LENGTH/;

/** Returns true when the certificate of the server was not accepted. */
export const isUntrusted = (code: string): boolean => NOT_TRUSTED.test(code);
