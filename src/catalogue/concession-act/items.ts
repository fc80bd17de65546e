/** Interprets an item of a batch or file; the same in both modes (contract sections 4 and 7). */
import type { Transaction } from '../../db/writer.ts';
import type { Caller } from '../../session/model.ts';
import { asSchema } from '../../validation/schema.ts';
import { productProblems } from '../product/active.ts';
import { type AppliedItem, type ItemApplier, type ItemMode, type ItemReading, decodeItem } from '../batch.ts';
import { refuse } from '../codes.ts';
import { callerTransaction } from '../actor-transaction.ts';
import type { ProductHead, Products } from '../product/model.ts';
import type { ConcessionActItem, ConcessionActSchemas } from './model.ts';
import type { ConcessionActStore } from './store.ts';

export class ConcessionActItems implements ItemApplier {
  readonly #schemas: ConcessionActSchemas;
  readonly #store: ConcessionActStore;
  readonly #products: Products;

  constructor(schemas: ConcessionActSchemas, store: ConcessionActStore, products: Products) {
    this.#schemas = schemas;
    this.#store = store;
    this.#products = products;
  }

  /** Includes an act; an existing one stays unchanged. */
  apply(
    tx: Transaction,
    caller: Caller,
    received: unknown,
    _mode: ItemMode,
    reading: ItemReading,
  ): AppliedItem {
    const item = decodeItem<ConcessionActItem>(
      asSchema(this.#schemas[reading.origin]),
      received,
      caller,
      reading,
    );
    const { cpfCnpjRaiz, codigoProduto } = item;
    const actorTx = callerTransaction(tx, caller);
    actorTx.requireRight(cpfCnpjRaiz, 'aprovacao');
    const product = this.#products.findHead(cpfCnpjRaiz, codigoProduto);
    refuse(productProblems(cpfCnpjRaiz, codigoProduto, product?.situacao));
    const { id } = product as ProductHead; // the rule requires it
    const isNew = this.#store.insertNew(id, item, tx.now);
    if (isNew) {
      const key = `${cpfCnpjRaiz}/${codigoProduto}/${item.numeroAto}/${item.numeroItem}`;
      const { numeroAto, numeroItem } = item;
      const after = { codigoProduto, numeroAto, numeroItem };
      actorTx.record({ action: 'INCLUSAO', kind: 'ato-concessorio', key, before: null, after });
    }
    return { codigo: String(codigoProduto), versao: null, outcome: isNew ? 'created' : 'unchanged' };
  }
}
