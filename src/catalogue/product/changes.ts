/** Every change of a product, inside one transaction: rules first, then the rows, then the event. Contract sections 5 and 6. */
import type { Day } from '../../clock.ts';
import type { Transaction } from '../../db/writer.ts';
import { notFound, unprocessable } from '../../errors.ts';
import { dayOf } from '../../validation/calendar.ts';
import { refuse, versionProblems, violated } from '../codes.ts';
import type { CatalogueEvents, ProductOperation } from '../event.ts';
import { type VersionNumber, FOREVER, laterOf, validities, versionText } from '../version.ts';
import type { ProductCodeStore } from './code-store.ts';
import { headOf } from './content.ts';
import {
  CODIGO_MAX,
  type ProductContent,
  type ProductVersion,
  type Situacao,
  STILL_DRAFT,
  situacaoOf,
} from './model.ts';
import { parseLists } from './record.ts';
import { columnsOf, marksOf, newVersion } from './new-version.ts';
import type { ProductRules } from './rules.ts';
import type { NewVersion, Product, ProductStore } from './store.ts';

export interface ChangedProduct extends ProductVersion {
  readonly codigo: number;
  readonly situacao: Situacao;
}

export interface ProductChangesParts {
  readonly store: ProductStore;
  readonly codes: ProductCodeStore;
  readonly rules: ProductRules;
  readonly events: CatalogueEvents;
}

export class ProductChanges {
  readonly #parts: ProductChangesParts;

  constructor(parts: ProductChangesParts) {
    this.#parts = parts;
  }

  /** Includes a product as version "1", valid from `dataReferencia` or now. Throws 422. */
  include(
    tx: Transaction,
    cpfCnpjRaiz: string,
    content: ProductContent,
    dataReferencia?: Day,
  ): ChangedProduct {
    const { rules } = this.#parts;
    const today = dayOf(tx.now);
    refuse([
      ...rules.referenceProblems(dataReferencia, today),
      ...rules.contentProblems(cpfCnpjRaiz, content, today, undefined),
    ]);
    const version = newVersion(content, { family: 1, rectification: 0 }, dataReferencia ?? today, tx.now);
    const codigo = this.#nextCodigo(cpfCnpjRaiz);
    return this.#insert(
      tx,
      cpfCnpjRaiz,
      codigo,
      version,
      content,
      dataReferencia === undefined ? 'INCLUSAO' : 'INCLUSAO_RETROATIVA',
    );
  }

  /** Includes a draft: nothing but its form is checked. */
  includeDraft(tx: Transaction, cpfCnpjRaiz: string, content: ProductContent): ChangedProduct {
    refuse(this.#parts.rules.draftProblems(content));
    const version = newVersion(content, { family: 1, rectification: 0 }, dayOf(tx.now), tx.now, {
      draftUntil: STILL_DRAFT,
    });
    const codigo = this.#nextCodigo(cpfCnpjRaiz);
    return this.#insert(tx, cpfCnpjRaiz, codigo, version, content, 'INCLUSAO');
  }

  /** Makes the next version; of a draft, replaces its content and activates it as version "1". Throws 404, 422. */
  newVersion(tx: Transaction, cpfCnpjRaiz: string, codigo: number, content: ProductContent): ChangedProduct {
    const product = this.get(cpfCnpjRaiz, codigo);
    const today = dayOf(tx.now);
    // The current version need not have the highest number: the clock may have been put back.
    const number = { family: this.#parts.store.lastFamily(product.id) + 1, rectification: 0 };
    refuse([
      ...versionProblems(number),
      ...this.#parts.rules.contentProblems(cpfCnpjRaiz, content, today, codigo),
    ]);
    if (product.situacao === 'RASCUNHO') return this.#writeDraft(tx, cpfCnpjRaiz, product, content, tx.now);
    const version = newVersion(content, number, this.#startOfNext(product, today), tx.now);
    return this.#append(tx, cpfCnpjRaiz, product, version, content, 'NOVA_VERSAO');
  }

  /** Replaces the content of a draft, which stays one. Throws 404, 422. */
  editDraft(tx: Transaction, cpfCnpjRaiz: string, codigo: number, content: ProductContent): ChangedProduct {
    const product = this.get(cpfCnpjRaiz, codigo);
    refuse([...this.#parts.rules.draftProblems(content), ...this.#parts.rules.notADraft(product)]);
    return this.#writeDraft(tx, cpfCnpjRaiz, product, content, STILL_DRAFT);
  }

  /** Makes the next rectification of the family of `number`, for the same validity. Throws 404, 422. */
  rectify(
    tx: Transaction,
    cpfCnpjRaiz: string,
    codigo: number,
    number: VersionNumber,
    content: ProductContent,
  ): ChangedProduct {
    const { store, rules } = this.#parts;
    const product = this.get(cpfCnpjRaiz, codigo);
    if (store.findVersion(cpfCnpjRaiz, codigo, number) === undefined) throw unknownVersion(codigo, number);
    const family = store.listVersions(product.id).filter((version) => version.family === number.family);
    const latest = family.at(-1) as ProductVersion;
    const next = { family: number.family, rectification: latest.rectification + 1 };
    refuse([
      ...versionProblems(next),
      ...rules.rectificationProblems(product, latest, content),
      ...rules.contentProblems(cpfCnpjRaiz, content, dayOf(tx.now), codigo),
    ]);
    const version = newVersion(content, next, latest.startsOn, tx.now, {
      deactivatedAt: latest.deactivatedAt,
      draftUntil: latest.draftUntil,
    });
    return this.#append(tx, cpfCnpjRaiz, product, version, content, 'RETIFICACAO');
  }

  /** Deactivates the current version, a draft too; a second time changes nothing. Throws 404. */
  deactivate(
    tx: Transaction,
    cpfCnpjRaiz: string,
    codigo: number,
    operacao: 'DESATIVACAO' | 'DESATIVACAO_SISTEMA' = 'DESATIVACAO',
  ): ChangedProduct {
    const { store } = this.#parts;
    const product = this.get(cpfCnpjRaiz, codigo);
    const current = store.getVersion(product.currentVersion);
    if (product.situacao === 'DESATIVADO') return { ...current, codigo, situacao: 'DESATIVADO' };
    const deactivated = { ...current, deactivatedAt: tx.now };
    store.deactivateVersion(current.id, tx.now);
    store.updateHead(product.id, current.id, tx.now, headOf(deactivated));
    return this.#changed(tx, cpfCnpjRaiz, codigo, deactivated, operacao);
  }

  /** Writes a product that comes with its code, version and situation; the caller has checked it (mirror.ts). */
  mirrorNew(
    tx: Transaction,
    cpfCnpjRaiz: string,
    codigo: number,
    number: VersionNumber,
    content: ProductContent,
    situacao: Situacao,
    startsOn: Day = dayOf(tx.now),
  ): ChangedProduct {
    this.#parts.codes.reserve(cpfCnpjRaiz, codigo);
    const version = newVersion(content, number, startsOn, tx.now, marksOf(situacao, tx.now));
    return this.#insert(tx, cpfCnpjRaiz, codigo, version, content, 'INCLUSAO');
  }

  /** Adds a version that comes with its number and situation; the caller has checked it (mirror.ts). */
  mirrorVersion(
    tx: Transaction,
    cpfCnpjRaiz: string,
    product: Product,
    number: VersionNumber,
    content: ProductContent,
    situacao: Situacao,
  ): ChangedProduct {
    const family = this.#parts.store
      .listVersions(product.id)
      .filter(({ family }) => family === number.family);
    const startsOn = family.at(-1)?.startsOn ?? this.#startOfNext(product, dayOf(tx.now));
    const version = newVersion(content, number, startsOn, tx.now, marksOf(situacao, tx.now));
    return this.#append(
      tx,
      cpfCnpjRaiz,
      product,
      version,
      content,
      family.length > 0 ? 'RETIFICACAO' : 'NOVA_VERSAO',
    );
  }

  /** The product of that code. Throws 404. */
  get(cpfCnpjRaiz: string, codigo: number): Product {
    const product = this.#parts.store.find(cpfCnpjRaiz, codigo);
    if (product === undefined)
      throw notFound(`Não existe produto com o código ${codigo} no catálogo de ${cpfCnpjRaiz}.`);
    return product;
  }

  /** A clock that was put back does not make a new version older than the one that it replaces. */
  #startOfNext(product: Product, today: Day): Day {
    return laterOf(this.#parts.store.getVersion(product.currentVersion).startsOn, today);
  }

  /** The next code of the company. Throws 422 when there is none of ten digits left. */
  #nextCodigo(cpfCnpjRaiz: string): number {
    const codigo = this.#parts.codes.next(cpfCnpjRaiz);
    if (codigo !== undefined) return codigo;
    const message = `codigo: o catálogo de ${cpfCnpjRaiz} já usou todos os códigos de produto, de 1 a ${CODIGO_MAX}.`;
    throw unprocessable([violated('numbersUsedUp', null, message)]);
  }

  /** Writes a product that is not there yet, with its only version. */
  #insert(
    tx: Transaction,
    cpfCnpjRaiz: string,
    codigo: number,
    version: NewVersion,
    content: ProductContent,
    operacao: ProductOperation,
  ): ChangedProduct {
    const { store } = this.#parts;
    const productId = store.insertProduct(cpfCnpjRaiz, codigo, tx.now, headOf(version, content));
    const id = store.insertVersion(productId, version);
    store.setCurrentVersion(productId, id);
    store.addValidity(productId, { versionId: id, fromDay: version.startsOn, untilDay: FOREVER });
    store.replaceInternalCodes(cpfCnpjRaiz, productId, [], content.codigosInterno);
    return this.#changed(tx, cpfCnpjRaiz, codigo, { ...version, id }, operacao);
  }

  /** Adds a version to a product and works out again which one is in force when. */
  #append(
    tx: Transaction,
    cpfCnpjRaiz: string,
    product: Product,
    version: NewVersion,
    content: ProductContent,
    operacao: ProductOperation,
  ): ChangedProduct {
    const { store } = this.#parts;
    const id = store.insertVersion(product.id, version);
    const periods = validities(store.listVersions(product.id));
    store.replaceValidities(product.id, periods);
    if (periods.at(-1)?.versionId === id) {
      const before = parseLists(store.getVersion(product.currentVersion).lists).codigosInterno;
      store.updateHead(product.id, id, tx.now, headOf(version, content));
      store.replaceInternalCodes(cpfCnpjRaiz, product.id, before, content.codigosInterno);
    } else {
      store.touch(product.id, tx.now);
    }
    return this.#changed(tx, cpfCnpjRaiz, product.codigo, { ...version, id }, operacao);
  }

  /** Replaces a draft in place; `draftUntil` now activates it. */
  #writeDraft(
    tx: Transaction,
    cpfCnpjRaiz: string,
    product: Product,
    content: ProductContent,
    draftUntil: number,
  ): ChangedProduct {
    const { store } = this.#parts;
    const before = store.getVersion(product.currentVersion);
    const draft: ProductVersion = { ...before, ...columnsOf(content), draftUntil };
    store.replaceDraft(draft.id, draft);
    store.updateHead(product.id, draft.id, tx.now, headOf(draft, content));
    store.replaceInternalCodes(
      cpfCnpjRaiz,
      product.id,
      parseLists(before.lists).codigosInterno,
      content.codigosInterno,
    );
    return this.#changed(
      tx,
      cpfCnpjRaiz,
      product.codigo,
      draft,
      draftUntil === STILL_DRAFT ? 'NOVA_VERSAO' : 'ATIVACAO',
    );
  }

  #changed(
    tx: Transaction,
    cpfCnpjRaiz: string,
    codigo: number,
    version: ProductVersion,
    operacao: ProductOperation,
  ): ChangedProduct {
    const situacao = situacaoOf(version);
    const record = { codigo, versao: versionText(version), situacao };
    this.#parts.events.productChanged(tx, cpfCnpjRaiz, record, operacao);
    return { ...version, codigo, situacao };
  }
}

export const unknownVersion = (codigo: number, number: VersionNumber) =>
  notFound(`O produto ${codigo} não tem a versão ${versionText(number)}.`);
