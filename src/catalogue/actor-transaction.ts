/**
 * Transaction with its actor, who is stored with each version made or deactivated (contract section 14,
 * `madeBy`).
 */
import { type Actor, type Change, nameOf, proposalOf } from '../change.ts';
import type { Transaction } from '../db/writer.ts';
import type { Right } from '../right.ts';
import { requireRight } from '../session/guard.ts';
import { COMMAND_LINE, type Caller } from '../session/model.ts';

export interface ActorTransaction extends Transaction {
  readonly by: string;
  /** The author of the approved proposal that is carried out. `null`: there is none. */
  readonly proposedBy: string | null;
  /** Throws 403 unless the actor has that right over the company. Automatic changes have every right. */
  requireRight(cpfCnpjRaiz: string, right: Right): void;
  /** Records a change in the name of the actor. */
  record(change: Omit<Change, 'by'>): void;
}

/** `requireActorRight`: absent for automatic changes, which have every right. */
export const actorTransaction = (
  tx: Transaction,
  by: Actor,
  requireActorRight: ActorTransaction['requireRight'] = () => undefined,
): ActorTransaction => ({
  now: tx.now,
  afterCommit: (work) => tx.afterCommit(work),
  record: (change) => tx.record({ ...change, by }),
  by: nameOf(by),
  proposedBy: proposalOf(by)?.by ?? null,
  requireRight: requireActorRight,
});

/** A user of the command line has no documento. */
export const callerTransaction = (tx: Transaction, caller: Caller): ActorTransaction =>
  actorTransaction(tx, caller.documento === '' ? COMMAND_LINE : caller, (cpfCnpjRaiz, right) =>
    requireRight(caller, cpfCnpjRaiz, right),
  );
