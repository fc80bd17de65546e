/**
 * What a development instance does around each request, before anything of it is looked at and after it is answered
 * (contract section 15). A server of record has none of it: its routes call the pipeline and nothing else.
 */
import type { Problem } from '../errors.ts';
import type { Operation, RawParams } from './operation.ts';
import type { Exchange } from './exchange.ts';

/** A request that is about to be answered. Whoever attends writes down here what the others should know. */
export interface Arrival<Caller> {
  readonly request: Request;
  /** Absent: nothing has this path and method. */
  readonly operation: Operation<Caller> | undefined;
  readonly params: RawParams;
  /** The kind of the fault that acted on it. */
  fault?: string;
  /** What was answered without the pipeline, or in place of its answer. */
  instead?: Instead;
}

export interface Instead {
  /** `null`: nothing at all, the connection was cut. */
  readonly status: number | null;
  readonly headers: Headers;
  readonly body: string | null;
  readonly tag?: string;
  readonly problems?: readonly Problem[];
}

/** Answers by `run` (the pipeline, which never throws), by itself, or by both; whoever never calls `run` does nothing. */
export type Attend<Caller> = (arrival: Arrival<Caller>, run: Run) => Response | Promise<Response>;
export type Run = () => Response | Promise<Response>;

/** The outer one sees the request first and the answer last. */
export const nested =
  <Caller>(outer: Attend<Caller>, inner: Attend<Caller>): Attend<Caller> =>
  (arrival, run) =>
    outer(arrival, () => inner(arrival, run));

/** Told by the pipeline; both are called at once and must not throw. */
export interface Watch {
  /** Every exchange, also of a request that nobody attended (too many under way, headers too long). */
  exchange(exchange: Exchange): void;
  /** An answer that is streamed: hands on what comes through, no slower and not kept whole. */
  streamed(request: Request, content: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>;
}
