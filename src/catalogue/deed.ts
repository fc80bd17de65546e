/** A transaction with who acts in it: what is made or deactivated keeps that (contract section 14, `madeBy`). */
import type { Transaction } from '../db/writer.ts';
import { type Actor, COMMAND_LINE, type Caller } from '../session/model.ts';

export interface Deed extends Transaction {
  readonly by: Actor;
}

export const deedOf = (tx: Transaction, by: Actor): Deed => ({
  now: tx.now,
  afterCommit: (work) => tx.afterCommit(work),
  record: (change) => tx.record(change),
  by,
});

/** Who writes from the command line has no documento. */
export const deedOfCaller = (tx: Transaction, { documento }: Caller): Deed =>
  deedOf(tx, documento === '' ? COMMAND_LINE : documento);
