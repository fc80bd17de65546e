/** Undoes what the rows of an import did, row by row (contract section 24). */
import type { SubjectKind } from '../../change.ts';
import type { Transaction } from '../../db/writer.ts';
import { requireRepresentation } from '../../session/guard.ts';
import type { Caller } from '../../session/model.ts';
import type { AppliedItem, ItemApplier } from '../batch.ts';
import { callerTransaction } from '../actor-transaction.ts';
import type { Undo } from '../undo.ts';
import type { UndoItem } from './undo-rows.ts';

/** The undo operation of each kind of record. */
export type Undos = Partial<Readonly<Record<SubjectKind, Undo>>>;

export const undoApplier = (undos: Undos): ItemApplier => ({
  apply(tx: Transaction, caller: Caller, received: unknown): AppliedItem {
    const { codigo, did } = received as UndoItem; // written by this program
    const actorTx = callerTransaction(tx, caller);
    const done = did.map((one) => {
      const [cpfCnpjRaiz = ''] = one.key.split('/', 1);
      requireRepresentation(caller, cpfCnpjRaiz);
      const undo = undos[one.kind];
      if (undo === undefined) throw new Error(`Nobody takes back what was done to a ${one.kind}.`);
      return undo(actorTx, cpfCnpjRaiz, one);
    });
    // The result of a product and its links is that of the product.
    const mainResult = done.find(({ versao }) => versao !== null) ?? done[0];
    const { versao = null, outcome = 'unchanged' } = mainResult ?? {};
    return { codigo, versao, outcome, changes: done.flatMap(({ changes }) => changes) };
  },
});
