/** Forwards what arrived to another handler, and brings its answer back. */
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface Handed {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Forwarded =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly type: string | undefined;
      readonly body: Buffer;
      readonly ms: number;
    }
  /** No usable answer. `code` is the system's error code, or `HUGE`. */
  | { readonly kind: 'unanswered'; readonly code: string; readonly ms: number };

export type Forward = (handed: Handed) => Promise<Forwarded>;

/** Headers of one connection, or headers that the forwarded request sets again. */
const NOT_HANDED_ON = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect'];
/** The timeout for the handler's answer. It is much longer than a delivery waits, to allow for a debugger. */
const PATIENCE_MS = 600_000;

/** The maximum of an answer. A handler's answer to a notification is short. */
const ANSWER_MAX_BYTES = 2 ** 20;

/**
 * Forwards to `target`. `now` returns a monotonic time in ms. The handler's certificate is not verified: the
 * handler belongs to the developer.
 */
export function forwardTo(target: URL, now: () => number): Forward {
  const isTls = target.protocol === 'https:';
  return ({ method, headers, body }) => {
    const { promise, resolve } = Promise.withResolvers<Forwarded>();
    const started = now();
    const ms = (): number => Math.round(now() - started);
    const fail = (error: NodeJS.ErrnoException): void =>
      resolve({ kind: 'unanswered', code: error.code ?? 'ECONNRESET', ms: ms() });
    const handed = Object.fromEntries(
      Object.entries(headers).filter(([name]) => !NOT_HANDED_ON.includes(name)),
    );
    const options = {
      method,
      headers: { ...handed, 'content-length': Buffer.byteLength(body) },
      agent: false as const,
      timeout: PATIENCE_MS,
    };
    const answered = (answer: IncomingMessage): void => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= ANSWER_MAX_BYTES) return void chunks.push(chunk);
        fail(Object.assign(new Error('huge'), { code: 'HUGE' }));
        outgoing.destroy();
      });
      answer.on('error', fail);
      answer.on('end', () =>
        resolve({
          kind: 'answered',
          status: answer.statusCode ?? 0,
          type: answer.headers['content-type'],
          body: Buffer.concat(chunks),
          ms: ms(),
        }),
      );
    };
    const outgoing = isTls
      ? httpsRequest(target, { ...options, rejectUnauthorized: false }, answered)
      : httpRequest(target, options, answered);
    outgoing.on('timeout', () => void outgoing.destroy());
    outgoing.on('error', fail);
    outgoing.on('close', () => fail(new Error('closed')));
    outgoing.end(body);
    return promise;
  };
}
