/** Reads the active products and judges them under a table; it writes nothing. */
import type { Day } from '../../../clock.ts';
import type { Problem } from '../../../errors.ts';
import {
  type ActiveProductStore,
  type SweepPosition,
  type VisitedProduct,
  afterGroup,
} from '../../product/active-store.ts';
import type { StoredAttributes } from '../../product/model.ts';
import { attributesOf } from '../../product/record.ts';
import type { Activation, ActivationStore } from './activation-store.ts';
import type { PreparedTables } from './prepared-tables.ts';
import { check } from '../check/rules.ts';
import type { AttributeTableStore } from '../table/store.ts';

/** Table and day that products are judged against. */
export interface Standard {
  readonly tableId: number;
  readonly day: Day;
  /** Skips NCMs that are the same in this table; `null`: skips none. */
  readonly sinceTableId: number | null;
}

export interface JudgedProduct extends SweepPosition {
  readonly problems: readonly Problem[];
}

export class ProductScan {
  readonly #tables: AttributeTableStore;
  readonly #activations: ActivationStore;
  readonly #prepared: PreparedTables;
  readonly #products: ActiveProductStore;

  constructor(
    tables: AttributeTableStore,
    activations: ActivationStore,
    prepared: PreparedTables,
    products: ActiveProductStore,
  ) {
    this.#tables = tables;
    this.#activations = activations;
    this.#prepared = prepared;
    this.#products = products;
  }

  /**
   * Yields every product after a position, also valid ones, in order, so that the caller can stop at any.
   */
  *judged(standard: Standard, after: SweepPosition): Generator<JudgedProduct> {
    const futureActivations = this.activationsAfter(standard);
    let position = after;
    let affectedGroup: string | undefined;
    for (;;) {
      const page = this.#products.visit(position);
      for (const product of page) {
        position = product;
        if (groupOf(product) !== affectedGroup && this.#isUnaffected(standard, product.ncm)) {
          position = afterGroup(product);
          break;
        }
        affectedGroup = groupOf(product);
        yield { ...product, problems: this.#problemsOf(standard, product, futureActivations) };
      }
      if (page.length === 0) return;
    }
  }

  /**
   * Returns the current problems of the product at a position; none when it is no longer active or has
   * another NCM.
   */
  judgeAgain(standard: Standard, { cpfCnpjRaiz, ncm, codigo }: SweepPosition): readonly Problem[] {
    const product = this.#products.findActive(cpfCnpjRaiz, codigo);
    if (product === undefined || product.ncm !== ncm) return [];
    return this.#problemsOf(standard, product, this.activationsAfter(standard));
  }

  activationsAfter(standard: Standard): readonly Activation[] {
    return futureActivationsOf(this.#activations.list(), standard);
  }

  #problemsOf(
    standard: Standard,
    product: VisitedProduct,
    futureActivations: readonly Activation[],
  ): readonly Problem[] {
    return product.isActive ? problemsUnder(this.#prepared, standard, futureActivations, product) : [];
  }

  #isUnaffected({ tableId, sinceTableId }: Standard, ncm: string): boolean {
    if (sinceTableId === null) return false;
    const fingerprint = this.#tables.findFingerprint(tableId, ncm);
    return fingerprint !== undefined && fingerprint === this.#tables.findFingerprint(sinceTableId, ncm);
  }
}

/**
 * Returns the activations of other tables after a day. Values for those tables are accepted: a product may have
 * them early to meet a deadline.
 */
export const futureActivationsOf = (
  activations: readonly Activation[],
  { tableId, day }: Omit<Standard, 'sinceTableId'>,
): readonly Activation[] =>
  activations.filter((activation) => activation.onDay > day && activation.tableId !== tableId);

/** Returns the problems of a product under a table; an empty list for a product without a modality. */
export function problemsUnder(
  prepared: PreparedTables,
  { tableId, day }: Omit<Standard, 'sinceTableId'>,
  futureActivations: readonly Activation[],
  product: Pick<VisitedProduct, 'ncm' | 'modalidade'> & StoredAttributes,
): readonly Problem[] {
  const { ncm, modalidade } = product;
  if (modalidade === null) return [];
  return check(prepared.find(tableId, ncm, futureActivations), day, modalidade, attributesOf(product), ncm);
}

export const groupOf = ({ cpfCnpjRaiz, ncm }: SweepPosition): string => `${cpfCnpjRaiz} ${ncm}`;

export const isProblematic = ({ problems }: JudgedProduct): boolean => problems.length > 0;
