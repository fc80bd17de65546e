/** Undo for every kind of record (contract section 24). */
import type { ItemOutcome } from './batch.ts';
import type { ActorTransaction } from './actor-transaction.ts';
import type { AppliedChange, MemberChange } from './record.ts';

/** Result of an undo. */
export interface Undone {
  /** Version of a record that has versions. */
  readonly versao: string | null;
  readonly outcome: ItemOutcome;
  readonly changes: readonly MemberChange[];
}

/** Undoes a change of a record of one kind. Throws 404, 422. */
export type Undo = (actorTx: ActorTransaction, cpfCnpjRaiz: string, change: AppliedChange) => Undone;
