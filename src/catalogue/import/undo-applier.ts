/** Undoes the changes of an import, row by row (contract section 24). */
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
    const { codigo, did: appliedChanges } = received as UndoItem; // written by this program
    const actorTx = callerTransaction(tx, caller);
    const results = appliedChanges.map((change) => {
      const [cpfCnpjRaiz = ''] = change.key.split('/', 1);
      requireRepresentation(caller, cpfCnpjRaiz);
      const undo = undos[change.kind];
      if (undo === undefined) throw new Error(`A change of a record of kind ${change.kind} has no undo.`);
      return undo(actorTx, cpfCnpjRaiz, change);
    });
    // The result of a product and its links is that of the product.
    const mainResult = results.find(({ versao }) => versao !== null) ?? results[0];
    const { versao = null, outcome = 'unchanged' } = mainResult ?? {};
    return { codigo, versao, outcome, changes: results.flatMap(({ changes }) => changes) };
  },
});
