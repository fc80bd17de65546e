/** One request to a remote and what came of it; redirects are not followed. */
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import { type Clock, MINUTE_MS } from '../../clock.ts';
import { nodeHttp, nodeHttps } from '../../system/builtin.ts';

/** Contract section 18: a request has 60 s, an export 60 s without a byte. */
const PATIENCE_MS = MINUTE_MS;
/** Answers are records and refusals; an export goes to a file. */
const BODY_MAX_BYTES = 16 * 2 ** 20;

export interface Asked {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  /** Where the body of a 200 goes. */
  readonly to?: string | undefined;
  readonly tls: Pick<RequestOptions, 'ca' | 'cert' | 'key'>;
}

export type Exchanged =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: IncomingMessage['headers'];
      readonly text: string;
    }
  /** `code`: of the system, of TLS, or `LATE`, `CUT`, `HUGE`. */
  | { readonly kind: 'broken'; readonly code: string };

/** `stopping`: the process ends, and nobody waits for the answer. */
export function exchange(asked: Asked, clock: Clock, stopping: AbortSignal): Promise<Exchanged> {
  const { url, method, headers, body, to, tls } = asked;
  const { promise, resolve } = Promise.withResolvers<Exchanged>();
  const isSecure = url.protocol === 'https:';
  const options: RequestOptions = {
    method,
    headers,
    agent: false,
    ...(isSecure && { minVersion: 'TLSv1.2', ...tls }),
  };
  const request = isSecure ? nodeHttps().request(url, options) : nodeHttp().request(url, options);
  const end = (exchanged: Exchanged): void => {
    timer.cancel();
    stopping.removeEventListener('abort', isCut);
    resolve(exchanged);
    request.destroy();
  };
  const isCut = (): void => end({ kind: 'broken', code: 'CUT' });
  const isLate = (): void => end({ kind: 'broken', code: 'LATE' });
  if (stopping.aborted) queueMicrotask(isCut);
  else stopping.addEventListener('abort', isCut);
  let timer = clock.at(clock.now() + PATIENCE_MS, isLate);
  const broken = (error: Error & { code?: string }): void =>
    end({ kind: 'broken', code: error.code ?? error.message });
  request.on('error', broken);
  request.on('response', (response) => {
    const { statusCode: status = 0 } = response;
    response.on('error', broken);
    response.on('aborted', isCut);
    if (to !== undefined && status === 200) {
      response.on('data', () => {
        timer.cancel();
        timer = clock.at(clock.now() + PATIENCE_MS, isLate);
      });
      const file = createWriteStream(to, { mode: 0o600 });
      file.on('error', broken);
      file.on('finish', () =>
        end(
          response.complete
            ? { kind: 'answered', status, headers: response.headers, text: '' }
            : { kind: 'broken', code: 'CUT' },
        ),
      );
      response.pipe(file);
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > BODY_MAX_BYTES) return end({ kind: 'broken', code: 'HUGE' });
      chunks.push(chunk);
    });
    response.on('end', () =>
      end(
        response.complete
          ? {
              kind: 'answered',
              status,
              headers: response.headers,
              text: Buffer.concat(chunks).toString('utf8'),
            }
          : { kind: 'broken', code: 'CUT' },
      ),
    );
  });
  request.end(body);
  return promise;
}
