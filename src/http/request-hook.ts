/**
 * Hooks that a development instance runs around each request, before the pipeline reads it and after the
 * answer (contract section 15). A production server has none: its routes call the pipeline directly.
 */
import type { Problem } from '../errors.ts';
import type { Operation, RawParams } from './operation.ts';
import type { Exchange } from './exchange.ts';

/** A request before its answer. Hooks record in it what other hooks need. */
export interface Arrival<Caller> {
  readonly request: Request;
  /** `undefined`: no operation has this path and method. */
  readonly operation: Operation<Caller> | undefined;
  readonly params: RawParams;
  /** The kind of the fault that was applied. */
  fault?: string;
  /** An answer that a hook gave without the pipeline, or in place of the pipeline's answer. */
  substitute?: SubstituteAnswer;
}

export interface SubstituteAnswer {
  /** `null`: no answer, the connection was cut. */
  readonly status: number | null;
  readonly headers: Headers;
  readonly body: string | null;
  readonly tag?: string;
  readonly problems?: readonly Problem[];
}

/**
 * Answers a request. `run` is the pipeline, which never throws. A hook may return the answer of `run`,
 * replace it, or skip the pipeline by not calling `run`.
 */
export type RequestHook<Caller> = (arrival: Arrival<Caller>, run: Run) => Response | Promise<Response>;
export type Run = () => Response | Promise<Response>;

/** Nests two hooks. The outer one sees the request first and the answer last. */
export const nestHooks =
  <Caller>(outer: RequestHook<Caller>, inner: RequestHook<Caller>): RequestHook<Caller> =>
  (arrival, run) =>
    outer(arrival, () => inner(arrival, run));

/** Receives events of the pipeline. Both methods run synchronously and must not throw. */
export interface Watch {
  /**
   * Receives every exchange, also of a request that no hook received (too many requests under way, headers
   * too long).
   */
  exchange(exchange: Exchange): void;
  /** Wraps a streamed answer. Passes the content on without delay and does not keep it whole. */
  streamed(request: Request, content: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>;
}
