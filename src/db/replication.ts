import type { DomainError } from '../errors.ts';

/** Another place that has to have a group before it is answered. */
export interface Replication {
  /** Why nothing is taken now. */
  readonly refusal: DomainError | undefined;
  /** Called after each commit. Resolves with what the group is told instead, where the other place did not take it; `undefined`: nobody waits. */
  committed(): Promise<DomainError | undefined> | undefined;
}
