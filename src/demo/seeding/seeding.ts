/**
 * Generates an invented catalogue of any size. The same seed gives the same catalogue, and each record passes
 * the rules for an imported file.
 */
import { REAL_TIME } from '../../clock.ts';
import type { Core } from '../../assembly/core.ts';
import type { AppliedItem } from '../../catalogue/batch.ts';
import type { Transaction } from '../../db/writer.ts';
import { type Caller, CATALOGUE_PROFILE } from '../../session/model.ts';
import { SeededRandom } from '../../seeded-random.ts';
import { linkItem, operatorItem, productItem } from './records.ts';

export interface Sowing {
  readonly cpfCnpjRaiz: string;
  readonly seed: string;
  readonly products: number;
  readonly operators: number;
  readonly links: number;
  /** True if no other process uses the folder. */
  readonly isAlone: boolean;
  /** Called after each transaction with the number of records so far. */
  readonly onProgress: (done: number) => void;
}

export interface Sown {
  readonly products: number;
  readonly productVersions: number;
  readonly drafts: number;
  readonly deactivatedProducts: number;
  readonly operators: number;
  readonly operatorVersions: number;
  readonly deactivatedOperators: number;
  readonly links: number;
}

/** Percentages of products. */
const DRAFT_PERCENT = 6;
const DEACTIVATED_PERCENT = 4;
/** The percentage of records with a second version, of those with a third, and so on. */
const FURTHER_VERSION_PERCENT = 25;
const MOST_VERSIONS = 5;

/** Records per transaction when no other process writes. */
const AT_ONCE = 1000;
/**
 * Records per transaction, and the pause after it in ms, next to a running server. SQLite admits one writer
 * at a time, and the pause lets the server write.
 */
const AT_ONCE_BESIDE = 100;
const PAUSE_BESIDE_MS = 4;

export class Sower {
  readonly #core: Core;
  readonly #sowing: Sowing;
  readonly #caller: Caller;
  readonly #rules;
  readonly #activeProducts: number[] = [];
  readonly #activeOperators: { codigo: string; codigoPais: string }[] = [];
  readonly #sown = {
    products: 0,
    productVersions: 0,
    drafts: 0,
    deactivatedProducts: 0,
    operators: 0,
    operatorVersions: 0,
    deactivatedOperators: 0,
    links: 0,
  };

  constructor(core: Core, sowing: Sowing) {
    const { cpfCnpjRaiz, seed } = sowing;
    this.#core = core;
    this.#sowing = sowing;
    const { product, operator } = core.catalogue;
    this.#rules = {
      cpfCnpjRaiz,
      seed,
      mayBeAmbos: core.settings['produto.modalidadeAmbos'],
      products: product.store.versions.countOf(cpfCnpjRaiz),
      operators: operator.store.versions.countOf(cpfCnpjRaiz),
    };
    this.#caller = {
      documento: '',
      nome: 'catp seed',
      tipo: 'PRIV',
      orgao: null,
      administrador: false,
      perfil: CATALOGUE_PROFILE,
      companies: new Map([[cpfCnpjRaiz, 'aprovacao']]),
      key: null,
    };
  }

  async sow(): Promise<Sown> {
    const { products, operators, links } = this.#sowing;
    await this.#each(products, (tx, index) => this.#product(tx, index));
    await this.#each(operators, (tx, index) => this.#operator(tx, index));
    await this.#each(links, (tx, index) => this.#link(tx, index));
    return this.#sown;
  }

  /**
   * Runs `work` for each index, one transaction per slice. The returned functions count the records after the
   * commit, so a rolled-back slice is not counted.
   */
  async #each(count: number, work: (tx: Transaction, index: number) => () => void): Promise<void> {
    const { isAlone, onProgress } = this.#sowing;
    const atOnce = isAlone ? AT_ONCE : AT_ONCE_BESIDE;
    for (let from = 0; from < count; from += atOnce) {
      const slice = Array.from({ length: Math.min(atOnce, count - from) }, (_, index) => from + index);
      const done = await this.#core.writer.write((tx) => slice.map((index) => work(tx, index)));
      for (const note of done) note();
      const { products, operators, links } = this.#sown;
      onProgress(products + operators + links);
      if (!isAlone) await new Promise<void>((resolve) => void REAL_TIME.after(PAUSE_BESIDE_MS, resolve));
    }
  }

  #product(tx: Transaction, index: number): () => void {
    const random = new SeededRandom(this.#sowing.seed, 'produto', index);
    const { items } = this.#core.catalogue.product;
    const apply = (item: object): AppliedItem =>
      items.apply(tx, this.#caller, item, 'lote', { origin: 'file' });
    const item = (version: number) => productItem(random, index, version, this.#rules);
    const isDraft = random.chance(DRAFT_PERCENT);
    const versions = isDraft ? 1 : versionsOf(random);
    const isDeactivated = !isDraft && random.chance(DEACTIVATED_PERCENT);
    const first = apply(isDraft ? { ...item(1), situacao: 'RASCUNHO' } : item(1));
    const codigo = Number(first.codigo);
    for (let version = 2; version <= versions; version += 1) apply({ ...item(version), codigo });
    if (isDeactivated) apply({ ...item(versions), codigo, situacao: 'DESATIVADO' });
    return () => {
      this.#sown.products += 1;
      this.#sown.productVersions += versions;
      if (isDraft) this.#sown.drafts += 1;
      else if (isDeactivated) this.#sown.deactivatedProducts += 1;
      else this.#activeProducts.push(codigo);
    };
  }

  #operator(tx: Transaction, index: number): () => void {
    const random = new SeededRandom(this.#sowing.seed, 'operador', index);
    const { items } = this.#core.catalogue.operator;
    const apply = (item: object): AppliedItem =>
      items.apply(tx, this.#caller, item, 'lote', { origin: 'file' });
    const item = (version: number) => operatorItem(random, index, version, this.#rules);
    const versions = versionsOf(random);
    const isDeactivated = random.chance(DEACTIVATED_PERCENT);
    const first = item(1);
    const { codigo } = apply(first);
    for (let version = 2; version <= versions; version += 1) apply({ ...item(version), codigo });
    if (isDeactivated) apply({ ...item(versions), codigo, situacao: 'DESATIVADO' });
    return () => {
      this.#sown.operators += 1;
      this.#sown.operatorVersions += versions;
      if (isDeactivated) this.#sown.deactivatedOperators += 1;
      else this.#activeOperators.push({ codigo, codigoPais: first.codigoPais });
    };
  }

  #link(tx: Transaction, index: number): () => void {
    const random = new SeededRandom(this.#sowing.seed, 'vinculo', index);
    const linkable = { products: this.#activeProducts, operators: this.#activeOperators };
    const item = linkItem(random, index, linkable, this.#sowing.cpfCnpjRaiz);
    this.#core.catalogue.link.items.apply(tx, this.#caller, item, 'lote', { origin: 'file' });
    return () => (this.#sown.links += 1);
  }
}

function versionsOf(random: SeededRandom): number {
  let versions = 1;
  while (versions < MOST_VERSIONS && random.chance(FURTHER_VERSION_PERCENT)) versions += 1;
  return versions;
}
