/** What taking back means for every kind of record (contract section 24). */
import type { ItemOutcome } from './batch.ts';
import type { ActorTransaction } from './actor-transaction.ts';
import type { Did, MemberChange } from './record.ts';

/** What taking it back did. */
export interface Undone {
  /** Of a record that has versions. */
  readonly versao: string | null;
  readonly outcome: ItemOutcome;
  readonly changes: readonly MemberChange[];
}

/** Takes back what was done to a record of one kind. Throws 404, 422. */
export type Undo = (actorTx: ActorTransaction, cpfCnpjRaiz: string, did: Did) => Undone;
