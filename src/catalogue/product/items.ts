/** What an item of a batch or file means (contract sections 5 and 7). */
import type { Transaction } from '../../db/writer.ts';
import { unprocessable } from '../../errors.ts';
import type { Caller } from '../../session/model.ts';
import { asSchema } from '../../validation/schema.ts';
import {
  type AppliedItem,
  type ItemApplier,
  type ItemMode,
  type ItemOrigin,
  decodeItem,
  situacaoIn,
  toApplied,
} from '../batch.ts';
import { violated } from '../codes.ts';
import { parseVersion } from '../version.ts';
import type { ChangedProduct, ProductChanges } from './changes.ts';
import type { ProductMirror } from './mirror.ts';
import { type ProductItem, type productSchemas, toContent } from './model.ts';

type Schemas = ReturnType<typeof productSchemas>;

export class ProductItems implements ItemApplier {
  readonly #schemas: Schemas;
  readonly #changes: ProductChanges;
  readonly #mirror: ProductMirror;

  constructor(schemas: Schemas, changes: ProductChanges, mirror: ProductMirror) {
    this.#schemas = schemas;
    this.#changes = changes;
    this.#mirror = mirror;
  }

  apply(tx: Transaction, caller: Caller, received: unknown, mode: ItemMode, origin: ItemOrigin): AppliedItem {
    const schema = asSchema(this.#schemaOf(received, mode, origin));
    const item = decodeItem<ProductItem>(schema, received, caller);
    return mode === 'espelho' ? this.#mirror.apply(tx, item) : this.#applyToBatch(tx, item);
  }

  #schemaOf(received: unknown, mode: ItemMode, origin: ItemOrigin) {
    const { Whole, Draft, Deactivation } = this.#schemas[origin];
    const situacao = situacaoIn(received);
    if (situacao === 'RASCUNHO') return Draft;
    return situacao === 'DESATIVADO' && mode === 'lote' ? Deactivation : Whole;
  }

  #applyToBatch(tx: Transaction, item: ProductItem): AppliedItem {
    const { cpfCnpjRaiz, codigo, situacao } = item;
    refuseReference(item);
    if (situacao === 'DESATIVADO') {
      if (codigo === undefined) throw codeRequired();
      const wasActive = this.#changes.get(cpfCnpjRaiz, codigo).situacao !== 'DESATIVADO';
      const product = this.#changes.deactivate(tx, cpfCnpjRaiz, codigo);
      return toApplied(product, wasActive ? 'newVersion' : 'unchanged');
    }
    const content = toContent(item);
    const number = item.versao === undefined ? undefined : parseVersion(item.versao);
    if (situacao === 'RASCUNHO')
      return codigo === undefined
        ? created(this.#changes.includeDraft(tx, cpfCnpjRaiz, content))
        : newVersionOf(this.#changes.editDraft(tx, cpfCnpjRaiz, codigo, content));
    if (codigo === undefined)
      return created(this.#changes.include(tx, cpfCnpjRaiz, content, item.dataReferencia));
    const isDraft = this.#changes.get(cpfCnpjRaiz, codigo).situacao === 'RASCUNHO';
    if (number === undefined || isDraft)
      return newVersionOf(this.#changes.newVersion(tx, cpfCnpjRaiz, codigo, content));
    return newVersionOf(this.#changes.rectify(tx, cpfCnpjRaiz, codigo, number, content));
  }
}

/** A reference day belongs to an inclusion; a product has no retroactive versions. */
function refuseReference({ codigo, situacao, dataReferencia }: ProductItem): void {
  if (dataReferencia === undefined) return;
  if (codigo === undefined && (situacao === undefined || situacao === 'ATIVADO')) return;
  const message = 'dataReferencia: só é aceita na inclusão de um produto ativo; retire-a deste item.';
  throw unprocessable([violated('referenceNotAllowed', '/dataReferencia', message)]);
}

function codeRequired() {
  const message = 'codigo: obrigatório para desativar um produto; informe o código do produto.';
  return unprocessable([violated('codeRequired', '/codigo', message)]);
}

const created = (product: ChangedProduct): AppliedItem => toApplied(product, 'created');

const newVersionOf = (product: ChangedProduct): AppliedItem => toApplied(product, 'newVersion');
