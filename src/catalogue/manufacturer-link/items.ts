/** Interprets an item of a batch or file (contract sections 4 and 7). */
import type { Transaction } from '../../db/writer.ts';
import type { Caller } from '../../session/model.ts';
import { asSchema } from '../../validation/schema.ts';
import {
  type AppliedItem,
  type ItemApplier,
  type ItemMode,
  type ItemReading,
  type ItemOutcome,
  decodeItem,
} from '../batch.ts';
import { type ActorTransaction, callerTransaction } from '../actor-transaction.ts';
import type { LinkChanges } from './changes.ts';
import { type LinkItem, type LinkSchemas, type ManufacturerLink, toLink } from './model.ts';

export class LinkItems implements ItemApplier {
  readonly #schemas: LinkSchemas;
  readonly #changes: LinkChanges;

  constructor(schemas: LinkSchemas, changes: LinkChanges) {
    this.#schemas = schemas;
    this.#changes = changes;
  }

  apply(
    tx: Transaction,
    caller: Caller,
    received: unknown,
    mode: ItemMode,
    reading: ItemReading,
  ): AppliedItem {
    const item = decodeItem<LinkItem>(asSchema(this.#schemas[reading.origin]), received, caller, reading);
    const link = toLink(item);
    const actorTx = callerTransaction(tx, caller);
    const outcome =
      item.vincular === false
        ? this.#unlink(actorTx, item, link)
        : this.#link(actorTx, item, link, mode === 'espelho');
    return { codigo: String(link.codigoProduto), versao: null, outcome };
  }

  /** Links a product. A mirrored catalogue may repeat links, and link records that are deactivated now. */
  #link(actorTx: ActorTransaction, item: LinkItem, link: ManufacturerLink, isMirror: boolean): ItemOutcome {
    const { cpfCnpjRaiz, dataReferencia } = item;
    if (isMirror && this.#changes.isLinked(cpfCnpjRaiz, link)) return 'unchanged';
    this.#changes.link(actorTx, cpfCnpjRaiz, link, { dataReferencia, mayBeInactive: isMirror });
    return 'created';
  }

  #unlink(
    actorTx: ActorTransaction,
    { cpfCnpjRaiz, dataReferencia }: LinkItem,
    link: ManufacturerLink,
  ): ItemOutcome {
    this.#changes.unlink(actorTx, cpfCnpjRaiz, link, dataReferencia);
    return 'newVersion';
  }
}
