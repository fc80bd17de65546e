import { AnswerReader } from './answer-reader.ts';
import type { Broken, Connection } from './connection.ts';
import type { Deadline } from './deadline.ts';
import { Excerpt } from './excerpt.ts';
import type { Phase } from './outcome.ts';

/** An answer is read to its end or up to here, and no further. */
export const ANSWER_BODY_READ_BYTES = 64 * 1024;

/** How one HTTP exchange over one connection ended. */
export type Exchange =
  | { readonly kind: 'answered'; readonly status: number; readonly answer?: Excerpt }
  | (Broken & { readonly status?: number; readonly answer?: Excerpt })
  /** The reused connection had been closed by the receiver: no byte came back. */
  | { readonly kind: 'stale' }
  /** This cannot be sent: a header with a line break, for instance. */
  | { readonly kind: 'unsendable'; readonly code: string };

export interface Call {
  readonly bytes: Buffer;
  /** What goes along, and is kept of no answer. */
  readonly secrets: readonly string[];
  /** Its end destroys the connection; the exchange then ends as `broken`. */
  readonly deadline: Pick<Deadline, 'hasEnded' | 'setUnderWay'>;
  /** Told with `refusal` too: from then on it is how this ends, however much of the answer is still to come. */
  readonly onPhase: (phase: Phase, refusal?: Exchange) => void;
  /** The connection may serve again, for so many seconds; otherwise it is closed. */
  readonly keep: (keptSeconds: number | undefined) => void;
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Sends one request over `connection`. Of an answer that is not 2xx no more is read than is kept. Never rejects. */
export function exchange(
  connection: Connection,
  { bytes, secrets, deadline, onPhase, keep }: Call,
): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  let phase: Phase = 'answer';
  let status: number | undefined;
  let refusal: Exchange | undefined;
  let hasAnyCome = false;
  let bodyBytes = 0;
  const excerpt = new Excerpt(secrets);

  const answered = (): Exchange => ({ kind: 'answered', status: status ?? 0, answer: excerpt });
  let hasEnded = false;
  const end = (result: Exchange, isConnectionGood = false): void => {
    if (hasEnded) return;
    hasEnded = true;
    deadline.setUnderWay(undefined);
    if (isConnectionGood) keep(answer.keptSeconds);
    else connection.destroy();
    resolve(result);
  };
  const fail = (code = 'ECONNRESET'): void => {
    if (refusal !== undefined) return end(refusal);
    if (connection.hasRested && !hasAnyCome && RESETS.has(code)) return end({ kind: 'stale' });
    end({ kind: 'broken', phase, code, ...(status !== undefined && { status, answer: excerpt }) });
  };

  const answer = new AnswerReader({
    onHead: (said) => {
      status = said;
      if (isSuccess(said)) onPhase((phase = 'body'));
      else onPhase(phase, (refusal = answered()));
    },
    onBody: (part) => {
      bodyBytes += part.length;
      excerpt.add(part);
    },
  });
  /** Enough of it has come to know how this ends. */
  const isRead = (): boolean =>
    refusal === undefined ? bodyBytes >= ANSWER_BODY_READ_BYTES : excerpt.isFull;

  connection.use({
    onBytes: (part) => {
      hasAnyCome = true;
      const fault = answer.add(part);
      if (fault !== undefined) return fail(fault);
      // After a failure a connection is not used again.
      if (answer.isComplete) end(answered(), refusal === undefined && connection.hasSent);
      else if (isRead()) end(answered());
    },
    onEnd: (code) => (code === undefined && answer.end() ? end(answered()) : fail(code)),
  });
  if (connection.hasRested) onPhase(phase);
  deadline.setUnderWay(() => fail('ECONNABORTED'));
  if (!deadline.hasEnded) connection.send(bytes);
  return promise;
}

const RESETS: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_SOCKET_CLOSED']);
