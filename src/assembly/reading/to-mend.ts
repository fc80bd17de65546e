/**
 * Products to correct, for reads in a Worker: selected from the list, validated by a table, described by
 * its names.
 */
import { judgeOf, standardOf } from '../../catalogue/attribute/activation/standard.ts';
import {
  type FilterToMend,
  type ProductsToCheck,
  codesToMend,
  judgedBy,
  judgedByTable,
  productsToMend,
} from '../../catalogue/mending/judged.ts';
import { type MendingRead, mendingTexts } from '../../catalogue/mending/reasons.ts';
import { codesInState } from '../../remote/standing/service.ts';
import { missingValues } from '../../catalogue/attribute/deadline/deadlines.ts';
import { identityOf } from '../../catalogue/product/content.ts';
import type { ProductFilter } from '../../catalogue/product/filter.ts';
import { iterateProducts } from '../../catalogue/product/list-query.ts';
import { repeatedCodes } from '../../catalogue/product/repeated-list-query.ts';
import { resolvedByText } from '../../catalogue/product/text-list-query.ts';
import { attributeText } from '../../catalogue/product/values.ts';
import { reasonWords } from '../../catalogue/sheet/reason-words.ts';
import type { Db } from '../../db/open.ts';
import type { ItemProblem } from '../../errors.ts';
import { dueProblems } from '../../catalogue/attribute/deadline/mending.ts';
import { refusedProblems } from '../../remote/standing/refused.ts';
import { attributesIn } from './known-attributes.ts';

/**
 * Sources that know the problems of products, by product code. Every other source is validated by a table.
 */
const KNOWN: Readonly<
  Record<
    string,
    (db: Db, filter: FilterToMend) => Generator<string, ReadonlyMap<number, readonly ItemProblem[]>>
  >
> = {
  refused: (db, { cpfCnpjRaiz }) => refusedProblems(db, cpfCnpjRaiz),
  due: (db, { cpfCnpjRaiz, ncm, toMend: { day: today } }) =>
    dueProblems(db, { today, companies: [cpfCnpjRaiz], ncm }),
};

/** Returns the products and their problems. `''`: other reads may run. Throws 422. */
function* judgingIn(db: Db, filter: FilterToMend): Generator<string, ProductsToCheck> {
  const { toMend, dataReferencia: _, ...others } = filter;
  const source = KNOWN[toMend.source];
  if (source === undefined) {
    const judge = judgeOf(db, toMend);
    return {
      products: iterateProducts(db, judgedByTable(filter)),
      judge: (product) => judgedBy(judge(product), product, toMend),
    };
  }
  const problems = yield* source(db, filter);
  return {
    products: iterateProducts(db, among(others, new Set(problems.keys()))),
    judge: ({ codigo }) => ({ problems: problems.get(codigo) ?? [], losesValues: false }),
  };
}

/** Filter that SQL can resolve. */
export interface ResolvedFilter {
  readonly filter: ProductFilter;
  /** Headings by target of the future requirements that the products lack. */
  readonly fills: ReadonlyMap<string, string>;
}

/**
 * Returns the filter restricted to the products that are to be corrected, lack a future requirement, or
 * repeat another one, or hold a rare text. `''`: other reads may run. Throws 422.
 */
export function* resolveFilter(db: Db, filter: ProductFilter): Generator<string, ResolvedFilter> {
  const { due, ...others } = filter;
  if (due === undefined) return { filter: yield* foundOut(db, others), fills: new Map() };
  const { cpfCnpjRaiz, ncm } = others;
  const { codes, headingsToFill } = yield* missingValues(db, { ...due, companies: [cpfCnpjRaiz], ncm });
  return { filter: yield* foundOut(db, among(others, codes)), fills: headingsToFill };
}

function* foundOut(
  db: Db,
  { toMend, atRemote, ...others }: Omit<ProductFilter, 'due'>,
): Generator<string, ProductFilter> {
  const { cpfCnpjRaiz } = others;
  let filter: ProductFilter = others;
  if (atRemote !== undefined) {
    const codes = yield* codesInState(db, cpfCnpjRaiz, atRemote);
    if (codes !== undefined) filter = among(filter, codes);
  }
  const { repeated, ...withoutRepeated } = filter;
  if (repeated === 'conteudo' || repeated === 'denominacao')
    filter = among(withoutRepeated, yield* repeatedCodes(db, cpfCnpjRaiz, repeated, identityOf));
  filter = yield* resolvedByText(db, filter);
  if (toMend === undefined) return filter;
  const request = { ...filter, toMend };
  return { ...filter, among: yield* codesToMend(yield* judgingIn(db, request), toMend) };
}

const among = (filter: ProductFilter, codes: ReadonlySet<number>): ProductFilter => ({
  ...filter,
  among: filter.among?.filter((codigo) => codes.has(codigo)) ?? [...codes],
});

export function* mendingReasons(db: Db, { filter, modalidadeAmbos }: MendingRead): Generator<string> {
  const judging = yield* judgingIn(db, filter);
  const attributes = attributesIn(db, () => standardOf(db, filter.toMend)?.tableId);
  yield* mendingTexts(productsToMend(judging, filter.toMend), {
    ...reasonWords({ tipo: 'produto', sheet: null, modalidadeAmbos, inWords: true }, attributes),
    textOf: (valor, codigo, part) => attributeText(valor, attributes().get(part ?? codigo)?.detail),
  });
}
