import { AnswerReader } from './answer-reader.ts';
import type { Broken, Connection } from './connection.ts';
import type { Deadline } from './deadline.ts';
import { Excerpt } from './excerpt.ts';
import type { Phase } from './outcome.ts';

/** Limit of bytes read of a response's body. */
export const ANSWER_BODY_READ_BYTES = 64 * 1024;

/** The result of one HTTP exchange over one connection. */
export type Exchange =
  | { readonly kind: 'answered'; readonly status: number; readonly answer?: Excerpt }
  | (Broken & { readonly status?: number; readonly answer?: Excerpt })
  /** The receiver had closed the reused connection: no byte came back. */
  | { readonly kind: 'stale' }
  /** The request cannot be sent, for instance because a header has a line break. */
  | { readonly kind: 'unsendable'; readonly code: string };

export interface Call {
  readonly bytes: Buffer;
  /** Secrets that the request carries. They are masked in every kept response. */
  readonly secrets: readonly string[];
  /** The end of the deadline destroys the connection. The exchange then ends as `broken`. */
  readonly deadline: Pick<Deadline, 'hasEnded' | 'setCurrentStep'>;
  /** Called at each phase. `refusal` fixes the result: the rest of the response does not change it. */
  readonly onPhase: (phase: Phase, refusal?: Exchange) => void;
  /** Keeps the connection for reuse, for `keptSeconds`. Otherwise it is closed. */
  readonly keep: (keptSeconds: number | undefined) => void;
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * Sends one request over `connection`. Of a response that is not 2xx it reads only the part that is kept.
 * Never rejects.
 */
export function exchange(
  connection: Connection,
  { bytes, secrets, deadline, onPhase, keep }: Call,
): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  let phase: Phase = 'answer';
  let status: number | undefined;
  let refusal: Exchange | undefined;
  let hasReceived = false;
  let bodyBytes = 0;
  const excerpt = new Excerpt(secrets);

  const answered = (): Exchange => ({ kind: 'answered', status: status ?? 0, answer: excerpt });
  let hasEnded = false;
  const end = (result: Exchange, isConnectionGood = false): void => {
    if (hasEnded) return;
    hasEnded = true;
    deadline.setCurrentStep(undefined);
    if (isConnectionGood) keep(answer.keepAliveSeconds);
    else connection.destroy();
    resolve(result);
  };
  const fail = (code = 'ECONNRESET'): void => {
    if (refusal !== undefined) return end(refusal);
    if (connection.wasIdle && !hasReceived && RESETS.has(code)) return end({ kind: 'stale' });
    end({ kind: 'broken', phase, code, ...(status !== undefined && { status, answer: excerpt }) });
  };

  const answer = new AnswerReader({
    onHead: (receivedStatus) => {
      status = receivedStatus;
      if (isSuccess(receivedStatus)) onPhase((phase = 'body'));
      else onPhase(phase, (refusal = answered()));
    },
    onBody: (part) => {
      bodyBytes += part.length;
      excerpt.add(part);
    },
  });
  /** Returns true when enough has been read to know the result. */
  const hasReadEnough = (): boolean =>
    refusal === undefined ? bodyBytes >= ANSWER_BODY_READ_BYTES : excerpt.isFull;

  connection.use({
    onBytes: (part) => {
      hasReceived = true;
      const fault = answer.add(part);
      if (fault !== undefined) return fail(fault);
      // A connection is not reused after a failure.
      if (answer.isComplete) end(answered(), refusal === undefined && connection.hasSent);
      else if (hasReadEnough()) end(answered());
    },
    onEnd: (code) => (code === undefined && answer.end() ? end(answered()) : fail(code)),
  });
  if (connection.wasIdle) onPhase(phase);
  deadline.setCurrentStep(() => fail('ECONNABORTED'));
  if (!deadline.hasEnded) connection.send(bytes);
  return promise;
}

const RESETS: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_SOCKET_CLOSED']);
