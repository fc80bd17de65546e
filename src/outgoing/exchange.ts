/** One request to another server and what came of it; redirects are not followed. */
import { type WriteStream, createWriteStream } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import { MINUTE_MS, type RealTime, type Timer } from '../clock.ts';
import { nodeHttp, nodeHttps } from '../system/builtin.ts';
import { reasonOf } from '../system/errors.ts';

export interface Asked {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
  /** Ends at the headers of the answer: its body is not waited for, and counts for nothing. */
  readonly headersOnly?: true;
  /** A socket of this machine at which the server listens, in the place of the host of `url`. */
  readonly socketPath?: string | undefined;
  /** Where the body of a 200 goes. */
  readonly to?: string | undefined;
  /** `socket`: of a tunnel that ends at the server. */
  readonly tls?: Pick<RequestOptions, 'ca' | 'cert' | 'key'> & { readonly socket?: unknown };
}

const MIB = 2 ** 20;

/** Bytes of an answer of another server, cut off while it arrives (contract section 16). */
export const MAX_BYTES = { answer: MIB, list: 20 * MIB, export: 200 * MIB, table: 64 * MIB } as const;

/** For all of an exchange, whatever it brings (contract section 16). */
const WHOLE_MS = 10 * MINUTE_MS;

export interface Patience {
  readonly time: Pick<RealTime, 'after'>;
  /** For all of it; 10 minutes where it is not given. */
  readonly wholeMs?: number;
  /** Without a byte. */
  readonly idleMs?: number;
  /** Of the body of a 200; that of any other status is an `answer`. */
  readonly maxBytes: number;
  /** The process ends, and nobody waits for the answer. */
  readonly stopping: AbortSignal;
}

export type Exchanged =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: IncomingMessage['headers'];
      /** Empty where it went to a file. */
      readonly body: Buffer;
    }
  /** `code`: of the system, of TLS, or `LATE`, `STALLED`, `CUT`, `HUGE`. `unsent`: it could not even be made, nothing has left. */
  | { readonly kind: 'broken'; readonly code: string; readonly unsent?: true };

export function exchange(asked: Asked, patience: Patience): Promise<Exchanged> {
  const { url, method, headers, body, headersOnly, socketPath, to, tls } = asked;
  const { time, wholeMs = WHOLE_MS, idleMs, stopping } = patience;
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
    // An authority that is none, a header that cannot be one: what is asked with was given by people.
    return Promise.resolve({ kind: 'broken', code: reasonOf(error), unsent: true });
  }
  let idle: Timer | undefined;
  let file: WriteStream | undefined;
  let isOver = false;
  const end = (exchanged: Exchanged): void => {
    isOver = true;
    whole.cancel();
    idle?.cancel();
    stopping.removeEventListener('abort', isCut);
    resolve(exchanged);
    request.destroy();
    file?.destroy();
  };
  const breaksWith = (code: string) => (): void => end({ kind: 'broken', code });
  const isCut = breaksWith('CUT');
  const whole = time.after(wholeMs, breaksWith('LATE'));
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
      response.on('error', () => undefined); // what is cut off here
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

/** The codes of OpenSSL's chain verification, and Node's own of the name check. */
const NOT_TRUSTED = /CERT|ISSUER|SIGNATURE|HOSTNAME|_CA$|PATH_LENGTH/;

/** Whether the certificate of the other side was not accepted. */
export const isUntrusted = (code: string): boolean => NOT_TRUSTED.test(code);
