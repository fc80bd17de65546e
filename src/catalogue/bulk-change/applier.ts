/** Applies change instructions to one product after the other, as the items of an import (contract section 25). */
import type { Transaction } from '../../db/writer.ts';
import { unprocessable } from '../../errors.ts';
import { requireRepresentation } from '../../session/guard.ts';
import type { Caller } from '../../session/model.ts';
import type { AppliedItem, ItemApplier } from '../batch.ts';
import { violated } from '../codes.ts';
import { type ActorTransaction, callerTransaction } from '../actor-transaction.ts';
import type { MemberChange } from '../record.ts';
import { type ManufacturerLink, linkChange, toLink } from '../manufacturer-link/model.ts';
import type { ProductPatch, ProductPatches } from '../product/patch.ts';
import { versionText } from '../version.ts';
import {
  type ChangeInstructions,
  type CorrectedInstructions,
  type ProductSet,
  correctedSets,
  patchOf,
} from './change-request.ts';

/** An item of the file that this program writes for the chosen products. The stored names never change. */
export interface ChangeItem {
  readonly codigo: number;
  readonly denominacao: string | null;
  /** The changes that a dry run showed. If other changes would result now, the product is not changed. */
  readonly seen?: readonly MemberChange[];
}

/** Operations on links that a bulk change uses. */
export interface LinkOperations {
  isLinked(cpfCnpjRaiz: string, link: ManufacturerLink): boolean;
  link(actorTx: ActorTransaction, cpfCnpjRaiz: string, link: ManufacturerLink): void;
  unlink(actorTx: ActorTransaction, cpfCnpjRaiz: string, link: ManufacturerLink): void;
}

export function changeApplier(
  patches: ProductPatches,
  links: LinkOperations,
  instructions: CorrectedInstructions,
): ItemApplier {
  const { cpfCnpjRaiz } = instructions;
  const patch = patchOf(instructions);
  const patchOfSet = new Map<ProductSet, ProductPatch>();
  const corrected = correctedSets(instructions);
  const patchFor = (codigo: number): ProductPatch => {
    const set = corrected.get(codigo);
    if (set === undefined) return patch;
    const correctedPatch = patchOfSet.get(set) ?? patchOf({ ...instructions, set });
    patchOfSet.set(set, correctedPatch);
    return correctedPatch;
  };
  return {
    apply(tx: Transaction, caller: Caller, received: unknown): AppliedItem {
      const { codigo, seen: expectedChanges } = received as ChangeItem; // written by this program
      requireRepresentation(caller, cpfCnpjRaiz);
      const actorTx = callerTransaction(tx, caller);
      const key = { cpfCnpjRaiz, codigo };
      const { changed, changes } =
        instructions.deactivate === true
          ? patches.deactivate(actorTx, key)
          : patches.apply(actorTx, key, patchFor(codigo));
      const all = [...changes, ...changeLinks(actorTx, links, codigo, instructions)];
      if (expectedChanges !== undefined && JSON.stringify(expectedChanges) !== JSON.stringify(all))
        throw changedSince(codigo);
      return {
        codigo: String(codigo),
        versao: versionText(changed.version),
        outcome:
          all.length === 0 ? 'unchanged' : instructions.deactivate === true ? 'deactivated' : 'newVersion',
        changes: all,
      };
    },
  };
}

/** Changes the links of a product. Skips links that already exist, or that are already removed. */
function changeLinks(
  actorTx: ActorTransaction,
  links: LinkOperations,
  codigoProduto: number,
  { cpfCnpjRaiz, links: requestedLinks = {} }: ChangeInstructions,
): MemberChange[] {
  const changes: MemberChange[] = [];
  for (const request of requestedLinks.remove ?? []) {
    const link = toLink({ ...request, codigoProduto });
    if (!links.isLinked(cpfCnpjRaiz, link)) continue;
    links.unlink(actorTx, cpfCnpjRaiz, link);
    changes.push(linkChange(link, false));
  }
  for (const request of requestedLinks.add ?? []) {
    const link = toLink({ ...request, codigoProduto });
    if (links.isLinked(cpfCnpjRaiz, link)) continue;
    links.link(actorTx, cpfCnpjRaiz, link);
    changes.push(linkChange(link, true));
  }
  return changes;
}

function changedSince(codigo: number) {
  const message = `mudouDepois: o produto ${codigo} mudou depois da simulação; simule de novo para ver o que mudaria agora.`;
  return unprocessable([violated('changedSince', null, message)]);
}
