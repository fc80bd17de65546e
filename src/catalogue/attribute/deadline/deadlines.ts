/**
 * Computes the deadlines of some companies' products from the stored data: future requirements of an NCM are
 * computed once, and only products of NCMs that may have one are read. Runs on a read connection.
 */
import type { Db } from '../../../db/open.ts';
import { NO_COMPANY, companyIdOf } from '../../list-query.ts';
import { attributeMember } from '../../members/product.ts';
import { ActiveProductStore } from '../../product/active-store.ts';
import { attributeHeading } from '../../product/values.ts';
import type { AttributeDetail } from '../words/model.ts';
import { requirementsByNcm } from './requirements-by-ncm.ts';
import type { Requirement } from './requirements.ts';
import { fulfilmentOf } from './lack.ts';
import type { Deadline, DeadlineCompany, DeadlineFilter } from './model.ts';

/** Product with a future requirement. */
export interface ProductWithRequirements {
  readonly cpfCnpjRaiz: string;
  readonly ncm: string;
  readonly codigo: number;
  readonly requirements: readonly Requirement[];
  /** Requirements for which it has no value. */
  readonly missing: readonly Requirement[];
}

/** Number of product checks after which other reads may run: some ms of work. */
const CHECKS_PER_TURN = 500;
/** Cost of computing the requirements of an NCM, in product checks. */
const CHECKS_PER_NCM = 25;
/** Number of NCMs whose products one statement finds. */
const NCMS_PER_STATEMENT = 500;
/** Cost of looking up that many NCMs, in product checks. */
const CHECKS_PER_STATEMENT = 250;

/** Yields every product with a future requirement, once each; `undefined` lets other reads run. */
export function* productsWithRequirements(
  db: Db,
  filter: DeadlineFilter,
  requirementsIn = requirementsByNcm(db, filter),
): Generator<ProductWithRequirements | undefined> {
  const products = new ActiveProductStore(db);
  if (filter.product !== undefined) {
    const product = products.findActive(filter.product.cpfCnpjRaiz, filter.product.codigo);
    const match = product && requirementsOfProduct(product, requirementsIn.find(product.ncm));
    if (match !== undefined) yield match;
    return;
  }
  const ncms = filter.ncm === undefined ? yield* requirementsIn.candidates() : [filter.ncm];
  const groups = Array.from({ length: Math.ceil(ncms.length / NCMS_PER_STATEMENT) }, (_, index) =>
    JSON.stringify(ncms.slice(index * NCMS_PER_STATEMENT, (index + 1) * NCMS_PER_STATEMENT)),
  );
  if (groups.length === 0) return;
  let checked = 0;
  for (const cpfCnpjRaiz of filter.companies ?? products.companies()) {
    const companyId = companyIdOf(db, cpfCnpjRaiz) ?? NO_COMPANY;
    for (const group of groups) {
      checked += CHECKS_PER_STATEMENT;
      for (const product of products.activeIn(group, companyId)) {
        checked += requirementsIn.isCached(product.ncm) ? 1 : CHECKS_PER_NCM;
        if (checked >= CHECKS_PER_TURN) {
          yield undefined;
          checked = 0;
        }
        const requirements = requirementsIn.find(product.ncm);
        if (requirements.length === 0) continue;
        const match = requirementsOfProduct({ ...product, cpfCnpjRaiz }, requirements);
        if (match !== undefined) yield match;
      }
      if (checked < CHECKS_PER_TURN) continue;
      yield undefined;
      checked = 0;
    }
  }
}

/** Returns the requirements that concern a product. `undefined`: none. */
function requirementsOfProduct(
  product: Pick<ProductWithRequirements, 'cpfCnpjRaiz' | 'ncm'> & Parameters<typeof fulfilmentOf>[0],
  requirements: readonly Requirement[],
): ProductWithRequirements | undefined {
  const { cpfCnpjRaiz, ncm, codigo } = product;
  const fulfilment = fulfilmentOf(product);
  const [applicable, missing]: [Requirement[], Requirement[]] = [[], []];
  for (const requirement of requirements) {
    const result = fulfilment(requirement);
    if (result !== 'not required') applicable.push(requirement);
    if (result === 'missing') missing.push(requirement);
  }
  return applicable.length === 0
    ? undefined
    : { cpfCnpjRaiz, ncm, codigo, requirements: applicable, missing };
}

type Mutable<Counts> = { -readonly [Name in keyof Counts]: Counts[Name] };

interface DeadlineCounts extends Mutable<Omit<Deadline, 'companies'>> {
  readonly perCompany: Map<string, Mutable<DeadlineCompany>>;
}

/** Yields the deadlines in order. A filter with an NCM also yields those that concern no product. */
export function* deadlinesOf(db: Db, filter: DeadlineFilter): Generator<undefined, readonly Deadline[]> {
  const requirementsIn = requirementsByNcm(db, filter);
  const rows = new Map<Requirement, DeadlineCounts>();
  const rowOf = (ncm: string, requirement: Requirement): DeadlineCounts => {
    const existingRow = rows.get(requirement);
    if (existingRow !== undefined) return existingRow;
    const { on, kind, overdue, modalidade, codigo, nome, table } = requirement;
    const about = { on, kind, overdue, ncm, modalidade, codigo, nome, table };
    const row = {
      ...about,
      products: 0,
      missing: 0,
      perCompany: new Map<string, Mutable<DeadlineCompany>>(),
    };
    rows.set(requirement, row);
    return row;
  };
  const names = new Map(filter.listed?.map(({ cpfCnpjRaiz, nome }) => [cpfCnpjRaiz, nome]));
  const count = (
    { ncm, cpfCnpjRaiz }: ProductWithRequirements,
    requirement: Requirement,
    what: 'products' | 'missing',
  ) => {
    const row = rowOf(ncm, requirement);
    row[what] += 1;
    const nome = names.get(cpfCnpjRaiz);
    if (nome === undefined) return;
    const company = row.perCompany.get(cpfCnpjRaiz) ?? { cpfCnpjRaiz, nome, products: 0, missing: 0 };
    company[what] += 1;
    row.perCompany.set(cpfCnpjRaiz, company);
  };
  if (filter.ncm !== undefined)
    for (const requirement of requirementsIn.find(filter.ncm)) rowOf(filter.ncm, requirement);
  for (const product of productsWithRequirements(db, filter, requirementsIn)) {
    if (product === undefined) {
      yield undefined;
      continue;
    }
    for (const requirement of product.requirements) count(product, requirement, 'products');
    for (const requirement of product.missing) count(product, requirement, 'missing');
  }
  yield undefined;
  return [...rows.values()].sort(compareDeadlines).map(({ perCompany, ...row }) => ({
    ...row,
    ...(filter.listed !== undefined && {
      companies: [...perCompany.values()].sort((a, b) => a.nome.localeCompare(b.nome, 'pt-BR')),
    }),
  }));
}

type Ordered = Pick<Deadline, 'on' | 'ncm' | 'codigo' | 'modalidade' | 'kind'>;

/** Orders by day, NCM, attribute and modality. */
function compareDeadlines(a: Ordered, b: Ordered): number {
  const [left, right] = [orderKey(a), orderKey(b)];
  const index = left.findIndex((value, index) => value !== right[index]);
  return index === -1 ? 0 : (left[index] ?? '') < (right[index] ?? '') ? -1 : 1;
}

/** Returns the key that orders and identifies a deadline. */
export const orderKey = ({ on, ncm, codigo, modalidade, kind }: Ordered) =>
  [on, ncm, codigo ?? '', modalidade ?? '', kind] as const;

/** Products of a company that lack required values, and the attributes of these values. */
export interface MissingValues {
  readonly codes: ReadonlySet<number>;
  /** Attributes to fill in: headings by target, in the order of their days. */
  readonly headingsToFill: ReadonlyMap<string, string>;
}

/** Yields `''` to let other reads run. */
export function* missingValues(db: Db, filter: DeadlineFilter): Generator<string, MissingValues> {
  const codes = new Set<number>();
  const requirements = new Set<Requirement>();
  for (const product of productsWithRequirements(db, filter))
    if (product === undefined) yield '';
    else if (product.missing.length > 0) {
      codes.add(product.codigo);
      for (const requirement of product.missing) requirements.add(requirement);
    }
  const inOrder = [...requirements].toSorted((a, b) => (a.on < b.on ? -1 : 1));
  return { codes, headingsToFill: new Map(inOrder.flatMap(missingColumns)) };
}

/** Returns the columns of the attribute; of a compound, those of its sub-attributes. An NCM that ends has none. */
function missingColumns(requirement: Requirement): readonly (readonly [target: string, heading: string])[] {
  if (requirement.codigo === null) return [];
  return requirement.positions.flatMap(({ compound, slot: { attribute } }) => {
    const [mainAttribute, ...parts] =
      compound === undefined
        ? [attribute, ...(attribute.subattributes?.slots ?? []).map((part) => part.attribute)]
        : [compound.attribute, attribute];
    const namedAttribute = nameOf(mainAttribute.detail);
    if (parts.length === 0)
      return [[attributeMember(namedAttribute.codigo), attributeHeading(namedAttribute)] as const];
    return parts.map(({ detail }): readonly [string, string] => [
      attributeMember(namedAttribute.codigo, detail.codigo),
      attributeHeading(namedAttribute, nameOf(detail)),
    ]);
  });
}

const nameOf = ({ codigo, nomeApresentacao }: AttributeDetail) => ({ codigo, name: nomeApresentacao });
