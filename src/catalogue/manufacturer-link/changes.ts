/**
 * Applies every change of a link in one transaction: rules first, then the row, then the event. Contract
 * section 4.
 */
import { type StatesOfChange, type Members, membersChanged } from '../../change.ts';
import type { Day } from '../../clock.ts';
import { dayOf } from '../../validation/calendar.ts';
import type { ActorTransaction } from '../actor-transaction.ts';
import { productProblems } from '../product/active.ts';
import { referenceProblems, refuse } from '../codes.ts';
import type { CatalogueEvents, LinkOperation } from '../event.ts';
import type { ProductHead, Products } from '../product/model.ts';
import type { ManufacturerLink } from './model.ts';
import { type LinkRules, endReferenceProblems, unknownLinkProblems } from './rules.ts';
import type { LinkStore } from './store.ts';

export interface LinkOptions {
  /** First day of the link; today if absent. */
  readonly dataReferencia?: Day | undefined;
  /** Accepts a deactivated product or operator. */
  readonly mayBeInactive?: boolean;
}

export class LinkChanges {
  readonly #store: LinkStore;
  readonly #products: Products;
  readonly #rules: LinkRules;
  readonly #events: CatalogueEvents;

  constructor(store: LinkStore, products: Products, rules: LinkRules, events: CatalogueEvents) {
    this.#store = store;
    this.#products = products;
    this.#rules = rules;
    this.#events = events;
  }

  /** Links a manufacturer or producer to a product. Throws 422. */
  link(
    actorTx: ActorTransaction,
    cpfCnpjRaiz: string,
    link: ManufacturerLink,
    options: LinkOptions = {},
  ): void {
    actorTx.requireRight(cpfCnpjRaiz, 'aprovacao');
    const { dataReferencia, mayBeInactive = false } = options;
    const today = dayOf(actorTx.now);
    const product = this.#products.findHead(cpfCnpjRaiz, link.codigoProduto);
    refuse([
      ...referenceProblems(dataReferencia, today, '/dataReferencia'),
      ...this.#rules.linkProblems(cpfCnpjRaiz, link, product, mayBeInactive),
    ]);
    const { id } = product as ProductHead; // the rules refuse an unknown product
    this.#store.insert(id, link, dataReferencia ?? today, actorTx.now);
    this.#publish(actorTx, cpfCnpjRaiz, link, 'VINCULACAO');
  }

  /**
   * Removes a link, which is not in force any more at the end of today. Throws 422, also for a reference day in
   * an item.
   */
  unlink(actorTx: ActorTransaction, cpfCnpjRaiz: string, link: ManufacturerLink, dataReferencia?: Day): void {
    actorTx.requireRight(cpfCnpjRaiz, 'aprovacao');
    const product = this.#products.findHead(cpfCnpjRaiz, link.codigoProduto);
    const id = product && this.#store.find(product.id, link);
    refuse([
      ...endReferenceProblems(dataReferencia),
      ...productProblems(cpfCnpjRaiz, link.codigoProduto, product?.situacao),
      ...unknownLinkProblems(id),
    ]);
    this.#store.end(id as number, dayOf(actorTx.now), actorTx.now); // the rules refuse an unknown link
    this.#publish(actorTx, cpfCnpjRaiz, link, 'DESVINCULACAO');
  }

  /** Returns true if that link is in force. */
  isLinked(cpfCnpjRaiz: string, link: ManufacturerLink): boolean {
    const product = this.#products.findHead(cpfCnpjRaiz, link.codigoProduto);
    return product !== undefined && this.#store.find(product.id, link) !== undefined;
  }

  #publish(
    actorTx: ActorTransaction,
    cpfCnpjRaiz: string,
    link: ManufacturerLink,
    operacao: LinkOperation,
  ): void {
    const { codigoProduto, codigoPais, codigoOperadorEstrangeiro, cpfCnpjFabricante } = link;
    const maker = codigoOperadorEstrangeiro ?? cpfCnpjFabricante;
    const key = `${cpfCnpjRaiz}/${codigoProduto}/${codigoPais}${maker === null ? '' : `/${maker}`}`;
    const { before, after } =
      operacao === 'VINCULACAO'
        ? membersChanged(undefined, membersOf(link))
        : membersChanged(membersOf(link), undefined);
    actorTx.record({
      action: operacao,
      kind: 'vinculo',
      key,
      before,
      after,
      states: () => statesOfChange(link, operacao),
    });
    this.#events.linkChanged(actorTx, cpfCnpjRaiz, { codigo: link.codigoProduto, ...link }, operacao);
  }
}

const membersOf = (link: ManufacturerLink): Members => {
  const { codigoProduto, conhecido, codigoPais, codigoOperadorEstrangeiro, cpfCnpjFabricante } = link;
  return {
    codigoProduto,
    conhecido,
    codigoPais,
    ...(codigoOperadorEstrangeiro !== null && { codigoOperadorEstrangeiro }),
    ...(cpfCnpjFabricante !== null && { cpfCnpjFabricante }),
  };
};

/** State of an existing link. */
const LINKED = 'VINCULADO';

/** Returns the states of a link before and after a change, with its content: the key does not contain it. */
function statesOfChange(link: ManufacturerLink, operacao: LinkOperation): StatesOfChange {
  return operacao === 'VINCULACAO'
    ? { was: null, is: LINKED, held: link }
    : { was: LINKED, is: null, held: link };
}
