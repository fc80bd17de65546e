/** A transaction with who acts in it: what is made or deactivated keeps that (contract section 14, `madeBy`). */
import { type Actor, type Change, nameOf } from '../change.ts';
import type { Transaction } from '../db/writer.ts';
import { COMMAND_LINE, type Caller } from '../session/model.ts';

export interface ActorTransaction extends Transaction {
  readonly by: string;
  /** In the name of who acts. */
  record(change: Omit<Change, 'by'>): void;
}

export const actorTransaction = (tx: Transaction, by: Actor): ActorTransaction => ({
  now: tx.now,
  afterCommit: (work) => tx.afterCommit(work),
  record: (change) => tx.record({ ...change, by }),
  by: nameOf(by),
});

/** Who writes from the command line has no documento. */
export const callerTransaction = (tx: Transaction, caller: Caller): ActorTransaction =>
  actorTransaction(tx, caller.documento === '' ? COMMAND_LINE : caller);
