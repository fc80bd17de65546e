import type { Operation } from '../http/operation.ts';
import type { Dated, Job } from '../jobs/model.ts';
import type { Caller } from '../session/model.ts';

/**
 * What a feature hands in to the product, all of it optional; what other features need of it stands beside this. Each is put
 * together in its file of `features/`, and app.ts lists them.
 */
export interface Feature {
  /** Its part of the API. Only a server asks for it. */
  readonly operations?: () => readonly Operation<Caller>[];
  readonly jobs?: readonly Job[];
  /** What a clock that is moved by hand does on its way, besides the jobs. */
  readonly dated?: readonly Dated[];
  /** Puts in order what a crash or an older version left, before the first request. Throws `OperatorError`. */
  readonly prepare?: () => Promise<void>;
  /** Begins what goes on by itself; again after a `stop`. */
  readonly start?: () => Promise<void> | void;
  /** Ends what goes on by itself, with the step under way, which gets so long. Requests are served on. */
  readonly stop?: (graceMs: number) => Promise<void>;
  /** Cuts short what is still under way; nothing is asked of it any more. What was accepted goes on at the next start. */
  readonly close?: () => Promise<void> | void;
}
