import type { Operation } from '../http/operation.ts';
import type { DueWork, Job } from '../jobs/model.ts';
import type { Caller } from '../session/model.ts';
import type { OnDemand } from './on-demand.ts';

/**
 * The parts that a feature adds to the product, all optional. Other members serve other features. Each
 * feature is assembled in its file of `features/`, and app.ts lists them.
 */
export interface Feature {
  /** Returns its operations. Only a server calls it. */
  readonly operations?: () => readonly Operation<Caller>[];
  /**
   * Returns the operations whose modules are loaded with the first request that no other route answers. No
   * path of `operations` may match one of their addresses.
   */
  readonly lateOperations?: (routes: OnDemand) => readonly Operation<Caller>[];
  readonly jobs?: readonly Job[];
  /** Due work that a manual clock runs as it moves, in addition to the jobs. */
  readonly dueWork?: readonly DueWork[];
  /**
   * Repairs the state that a crash or an older version left, before the first request. Throws
   * `OperatorError`.
   */
  readonly prepare?: () => Promise<void>;
  /** Starts the background work. It is called again after a `stop`. */
  readonly start?: () => Promise<void> | void;
  /** Stops the background work. The running step has `graceMs` to finish. Requests are still served. */
  readonly stop?: (graceMs: number) => Promise<void>;
  /** Aborts the remaining work. No call follows it. Accepted work continues at the next start. */
  readonly close?: () => Promise<void> | void;
}
