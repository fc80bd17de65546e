import type { DomainError } from '../errors.ts';

/** A replica that must hold a group before its requests are answered. */
export interface Replication {
  /** Reason to refuse writes now. */
  readonly refusal: DomainError | undefined;
  /**
   * Called after each commit. Resolves with the error for the group when the replica did not take it. Returns
   * `undefined` when no wait is needed.
   */
  committed(): Promise<DomainError | undefined> | undefined;
}
