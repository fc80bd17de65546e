/** What an item of a batch or file means; the same in both modes (contract sections 4 and 7). */
import type { Transaction } from '../../db/writer.ts';
import type { Caller } from '../../session/model.ts';
import { asSchema } from '../../validation/schema.ts';
import { productProblems } from '../active-product.ts';
import { type AppliedItem, type ItemApplier, type ItemMode, type ItemOrigin, decodeItem } from '../batch.ts';
import { refuse } from '../codes.ts';
import type { ConcessionActItem, ConcessionActSchemas } from './model.ts';
import type { ConcessionActStore } from './store.ts';

export class ConcessionActItems implements ItemApplier {
  readonly #schemas: ConcessionActSchemas;
  readonly #store: ConcessionActStore;

  constructor(schemas: ConcessionActSchemas, store: ConcessionActStore) {
    this.#schemas = schemas;
    this.#store = store;
  }

  /** Includes an act; one that is there already stays as it is. */
  apply(
    tx: Transaction,
    caller: Caller,
    received: unknown,
    _mode: ItemMode,
    origin: ItemOrigin,
  ): AppliedItem {
    const item = decodeItem<ConcessionActItem>(asSchema(this.#schemas[origin]), received, caller);
    const { cpfCnpjRaiz, codigoProduto } = item;
    refuse(
      productProblems(
        cpfCnpjRaiz,
        codigoProduto,
        this.#store.findProductSituacao(cpfCnpjRaiz, codigoProduto),
      ),
    );
    const isNew = this.#store.insertNew(cpfCnpjRaiz, item, tx.now);
    return { codigo: String(codigoProduto), versao: null, outcome: isNew ? 'created' : 'unchanged' };
  }
}
