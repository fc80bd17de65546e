/** The decision to carry out a proposal (contract section 27), for the module that queues its import. */
import type { Proposed } from '../../change.ts';
import type { AlsoWrite } from '../../idempotency/service.ts';
import type { Expected } from '../brake.ts';

export interface Approval {
  readonly proposal: Proposed;
  /** The numbers that the approver confirms to the brakes. */
  readonly expected: Expected;
  /** Writes the decision, in the transaction that queues the import. Throws 422 if there is one already. */
  readonly decide: AlsoWrite;
}
