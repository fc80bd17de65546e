import type { ClientRequest, IncomingMessage } from 'node:http';
import { nodeHttp, nodeHttps } from '../../../system/builtin.ts';
import type { ConnectionOptions } from './connections.ts';
import type { Deadline } from './deadline.ts';
import { Excerpt } from './excerpt.ts';
import type { Phase } from './outcome.ts';

/** An answer is read to its end or up to here, and no further. */
export const ANSWER_BODY_READ_BYTES = 64 * 1024;

/** How one HTTP exchange over one connection ended. */
export type Exchange =
  | { readonly kind: 'answered'; readonly status: number; readonly answer?: Excerpt }
  | {
      readonly kind: 'broken';
      readonly phase: Phase;
      readonly code: string;
      readonly status?: number;
      readonly answer?: Excerpt;
    }
  /** The reused connection had been closed by the receiver: no byte came back. */
  | { readonly kind: 'stale' }
  /** Node refuses to send this: a header with a line break, for instance. */
  | { readonly kind: 'unsendable'; readonly code: string };

export interface Call {
  readonly options: ConnectionOptions;
  readonly body: Buffer;
  /** What goes along, and is kept of no answer. */
  readonly secrets: readonly string[];
  /** Its end destroys the connection; the exchange then ends as `broken`. */
  readonly deadline: Pick<Deadline, 'hasEnded' | 'setUnderWay'>;
  /** Told with `refusal` too: from then on it is how this ends, however much of the answer is still to come. */
  readonly onPhase: (phase: Phase, refusal?: Exchange) => void;
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Sends one request. Of an answer that is not 2xx no more is read than is kept. Never rejects. */
export function exchange({ options, body, secrets, deadline, onPhase }: Call): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  let phase: Phase = 'connection';
  let status: number | undefined;
  let refusal: Exchange | undefined;
  const excerpt = new Excerpt(secrets);
  /** Of a connection that served before. */
  let bytesReadBefore: number | undefined;
  const enter = (next: Phase): void => onPhase((phase = next));

  // Already over, or withdrawn, while the name was looked up: not even a connection is made.
  if (deadline.hasEnded) return Promise.resolve({ kind: 'broken', phase, code: 'ECONNABORTED' });
  const open = openRequest(options);
  if (!('request' in open)) return Promise.resolve(open);
  const outgoing = open.request;

  let hasEnded = false;
  const end = (result: Exchange): void => {
    hasEnded = true;
    deadline.setUnderWay(undefined);
    resolve(result);
  };
  const fail = (error?: Error): void => {
    if (hasEnded) return;
    if (refusal !== undefined) return end(refusal);
    const nothingCame = bytesReadBefore === outgoing.socket?.bytesRead;
    const isStale = phase === 'answer' && nothingCame && isReset(error);
    if (isStale) end({ kind: 'stale' });
    else {
      const answer = status === undefined ? {} : { status, answer: excerpt };
      end({ kind: 'broken', phase, code: codeOf(error), ...answer });
    }
  };
  const answered = (answer: IncomingMessage): void => {
    status = answer.statusCode ?? 0;
    const { socket } = answer;
    const done = { kind: 'answered', status, answer: excerpt } as const;
    answer.on('error', fail);
    if (isSuccess(status)) enter('body');
    else onPhase(phase, (refusal = done));
    let received = 0;
    answer.on('data', (chunk: Buffer) => {
      received += chunk.length;
      excerpt.add(chunk);
      if (refusal === undefined ? received < ANSWER_BODY_READ_BYTES : !excerpt.isFull) return;
      end(done);
      answer.destroy();
    });
    answer.on('end', () => {
      if (!answer.complete) return fail();
      end(done);
      // After a failure a connection is not used again; by now the answer knows it no more.
      if (refusal !== undefined) socket.destroy();
    });
  };

  enter('connection');
  outgoing.on('socket', (socket) => {
    if (outgoing.reusedSocket) {
      bytesReadBefore = socket.bytesRead;
      return enter('answer');
    }
    socket.once('connect', () => enter(options.protocol === 'http:' ? 'answer' : 'tls'));
    socket.once('secureConnect', () => enter('answer'));
  });
  outgoing.on('response', answered);
  outgoing.on('upgrade', ({ statusCode = 0 }, socket) => {
    end({ kind: 'answered', status: statusCode });
    socket.destroy();
  });
  outgoing.on('error', fail);
  outgoing.on('close', () => fail());
  deadline.setUnderWay(() => void outgoing.destroy());
  outgoing.end(body);
  return promise;
}

function openRequest(options: ConnectionOptions): { request: ClientRequest } | Exchange {
  try {
    return { request: (options.protocol === 'http:' ? nodeHttp() : nodeHttps()).request(options) };
  } catch (error) {
    // What Node refuses to send is the caller's input; anything else is our fault and stays an exception.
    const code = codeOf(error);
    if (code === 'ERR_INVALID_CHAR' || code === 'ERR_UNESCAPED_CHARACTERS')
      return { kind: 'unsendable', code };
    throw error;
  }
}

const RESETS = ['ECONNRESET', 'EPIPE', 'ERR_SOCKET_CLOSED'];

const isReset = (error: Error | undefined): boolean => RESETS.includes(codeOf(error));

function codeOf(error: unknown): string {
  const code: unknown = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : 'ECONNRESET';
}
