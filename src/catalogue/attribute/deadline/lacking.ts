/**
 * Yields the products that lack a value for a future requirement, company by company: one line of JSON for each
 * event. Runs in a reading Worker.
 */
import type { Db } from '../../../db/open.ts';
import type { Requirement } from './requirements.ts';
import { productsWithRequirements } from './deadlines.ts';
import type { DeadlineFilter, LackingProduct, Warning } from './model.ts';

export interface LackingRead {
  readonly kind: 'lacking';
  readonly filter: DeadlineFilter;
}

/** Maximum number of products in one event (contract section 19). */
const PRODUCTS_PER_WARNING = 1000;

type ProductsByRequirement = Map<
  string,
  { readonly requirement: Requirement; readonly products: LackingProduct[] }
>;

/** Yields an empty text to let other reads run. */
export function* lackingTexts(db: Db, { filter }: LackingRead): Generator<string> {
  let company = '';
  let byRequirement: ProductsByRequirement = new Map();
  for (const product of productsWithRequirements(db, filter)) {
    if (product === undefined) {
      yield '';
      continue;
    }
    if (product.cpfCnpjRaiz !== company) {
      yield* linesOf(company, byRequirement);
      company = product.cpfCnpjRaiz;
      byRequirement = new Map();
    }
    for (const requirement of product.missing) {
      const key = [requirement.on, requirement.kind, requirement.codigo, requirement.modalidade].join(' ');
      const group = byRequirement.get(key) ?? { requirement, products: [] };
      byRequirement.set(key, group);
      group.products.push([product.ncm, product.codigo]);
    }
  }
  yield* linesOf(company, byRequirement);
}

function* linesOf(cpfCnpjRaiz: string, byRequirement: ProductsByRequirement): Generator<string> {
  for (const { requirement, products } of byRequirement.values())
    for (let from = 0; from < products.length; from += PRODUCTS_PER_WARNING) {
      const { on, kind, codigo, modalidade } = requirement;
      const part = products.slice(from, from + PRODUCTS_PER_WARNING);
      const isLast = from + PRODUCTS_PER_WARNING >= products.length;
      const line: Warning = { cpfCnpjRaiz, on, kind, codigo, modalidade, products: part, isLast };
      yield `${JSON.stringify(line)}\n`;
    }
}
