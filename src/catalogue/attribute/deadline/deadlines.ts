/**
 * Computes the deadlines of some companies' products from the stored data, NCM by NCM: future requirements
 * of an NCM are computed once, and only products of such NCMs are checked. Runs on a read connection.
 */
import type { Db } from '../../../db/open.ts';
import { NO_COMPANY, companyIdOf } from '../../list-query.ts';
import { attributeMember } from '../../members/product.ts';
import { ActiveProductStore } from '../../product/active-store.ts';
import { attributeHeading } from '../../product/values.ts';
import type { AttributeDetail } from '../words/model.ts';
import { askedByNcm } from './asked-by-ncm.ts';
import type { Ask } from './asks.ts';
import { standingOf } from './lack.ts';
import type { Deadline, DeadlineFilter } from './model.ts';

/** Product with a future requirement. */
export interface AskedProduct {
  readonly cpfCnpjRaiz: string;
  readonly ncm: string;
  readonly codigo: number;
  readonly asked: readonly Ask[];
  /** Requirements for which it has no value. */
  readonly lacked: readonly Ask[];
}

/** Some ms of work, after which other reads may run. */
const LOOKS_PER_TURN = 500;
/** Cost of computing the requirements of an NCM, in product checks. */
const LOOKS_OF_AN_NCM = 25;

/** Yields every product with a future requirement, once each; `undefined` lets other reads run. */
export function* askedProducts(
  db: Db,
  filter: DeadlineFilter,
  asksIn = askedByNcm(db, filter),
): Generator<AskedProduct | undefined> {
  const products = new ActiveProductStore(db);
  if (filter.product !== undefined) {
    const product = products.findActive(filter.product.cpfCnpjRaiz, filter.product.codigo);
    const askedProduct = product && askedOf(product, asksIn.of(product.ncm));
    if (askedProduct !== undefined) yield askedProduct;
    return;
  }
  let looked = 0;
  for (const cpfCnpjRaiz of filter.companies ?? products.companies()) {
    const companyId = companyIdOf(db, cpfCnpjRaiz) ?? NO_COMPANY;
    for (const ncm of filter.ncm === undefined ? products.ncmsOf(companyId) : [filter.ncm]) {
      looked += asksIn.knows(ncm) ? 1 : LOOKS_OF_AN_NCM;
      if (looked >= LOOKS_PER_TURN) {
        yield undefined;
        looked = 0;
      }
      const asks = asksIn.of(ncm);
      if (asks.length === 0) continue;
      for (const page of products.activeOf(companyId, ncm))
        for (const product of page) {
          if (++looked >= LOOKS_PER_TURN) {
            yield undefined;
            looked = 0;
          }
          const askedProduct = askedOf({ ...product, cpfCnpjRaiz, ncm }, asks);
          if (askedProduct !== undefined) yield askedProduct;
        }
    }
  }
}

/** Returns `undefined` when nothing is required of it. */
function askedOf(
  product: Pick<AskedProduct, 'cpfCnpjRaiz' | 'ncm'> & Parameters<typeof standingOf>[0],
  asks: readonly Ask[],
): AskedProduct | undefined {
  const { cpfCnpjRaiz, ncm, codigo } = product;
  const standing = standingOf(product);
  const [requirements, gaps]: [Ask[], Ask[]] = [[], []];
  for (const ask of asks) {
    const is = standing(ask);
    if (is !== 'not asked') requirements.push(ask);
    if (is === 'lacks it') gaps.push(ask);
  }
  return requirements.length === 0
    ? undefined
    : { cpfCnpjRaiz, ncm, codigo, asked: requirements, lacked: gaps };
}

type Counted = { -readonly [Name in keyof Deadline]: Deadline[Name] };

/** Yields the deadlines in order. A filter with an NCM also yields those that concern no product. */
export function* deadlinesOf(db: Db, filter: DeadlineFilter): Generator<undefined, readonly Deadline[]> {
  const asksIn = askedByNcm(db, filter);
  const rows = new Map<Ask, Counted>();
  const rowOf = (ncm: string, ask: Ask): Counted => {
    const existingRow = rows.get(ask);
    if (existingRow !== undefined) return existingRow;
    const { on, kind, overdue, modalidade, codigo, nome, table } = ask;
    const row = { on, kind, overdue, ncm, modalidade, codigo, nome, table, products: 0, missing: 0 };
    rows.set(ask, row);
    return row;
  };
  if (filter.ncm !== undefined) for (const ask of asksIn.of(filter.ncm)) rowOf(filter.ncm, ask);
  for (const product of askedProducts(db, filter, asksIn)) {
    if (product === undefined) {
      yield undefined;
      continue;
    }
    for (const ask of product.asked) rowOf(product.ncm, ask).products += 1;
    for (const ask of product.lacked) rowOf(product.ncm, ask).missing += 1;
  }
  yield undefined;
  return [...rows.values()].sort(compareDeadlines);
}

/** Orders by day, NCM, attribute and modality. */
function compareDeadlines(a: Deadline, b: Deadline): number {
  const [left, right] = [orderKey(a), orderKey(b)];
  const at = left.findIndex((value, index) => value !== right[index]);
  return at === -1 ? 0 : (left[at] ?? '') < (right[at] ?? '') ? -1 : 1;
}

/** Returns the key that orders and identifies a deadline. */
export const orderKey = ({
  on,
  ncm,
  codigo,
  modalidade,
  kind,
}: Pick<Deadline, 'on' | 'ncm' | 'codigo' | 'modalidade' | 'kind'>) =>
  [on, ncm, codigo ?? '', modalidade ?? '', kind] as const;

/** Products of a company that lack something, and what they lack. */
export interface Lacking {
  readonly codes: ReadonlySet<number>;
  /** Attributes to fill in: headings by target, in the order of their days. */
  readonly fills: ReadonlyMap<string, string>;
}

/** Yields `''` to let other reads run. */
export function* lackingIn(db: Db, filter: DeadlineFilter): Generator<string, Lacking> {
  const codes = new Set<number>();
  const asks = new Set<Ask>();
  for (const product of askedProducts(db, filter))
    if (product === undefined) yield '';
    else if (product.lacked.length > 0) {
      codes.add(product.codigo);
      for (const ask of product.lacked) asks.add(ask);
    }
  const inOrder = [...asks].toSorted((a, b) => (a.on < b.on ? -1 : 1));
  return { codes, fills: new Map(inOrder.flatMap(fillsOf)) };
}

/** Returns the columns of what is required, a compound's by its parts. An NCM that ends is a member. */
function fillsOf(ask: Ask): readonly (readonly [target: string, heading: string])[] {
  if (ask.codigo === null) return [];
  return ask.places.flatMap(({ compound, slot: { attribute } }) => {
    const [whole, ...parts] =
      compound === undefined
        ? [attribute, ...(attribute.subattributes?.slots ?? []).map((part) => part.attribute)]
        : [compound.attribute, attribute];
    const named = namedBy(whole.detail);
    if (parts.length === 0) return [[attributeMember(named.codigo), attributeHeading(named)] as const];
    return parts.map(({ detail }): readonly [string, string] => [
      attributeMember(named.codigo, detail.codigo),
      attributeHeading(named, namedBy(detail)),
    ]);
  });
}

const namedBy = ({ codigo, nomeApresentacao }: AttributeDetail) => ({ codigo, name: nomeApresentacao });
