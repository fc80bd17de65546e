/**
 * Finds products to mend, each with its problems: those that the system deactivated, under the table in
 * force; active ones that another table would not admit; those that a remote refused; and those that lack
 * future requirements. Runs in a Worker: each product is judged.
 */
import type { ItemProblem, Problem } from '../../errors.ts';
import { type AttributeLists, type ListName, NO_LISTS } from '../attribute/words/model.ts';
import { attributeMember } from '../members/product.ts';
import { type ToMendFilter, type ProductFilter, tableToMend } from '../product/filter.ts';
import { superfluousIn } from '../product/patch.ts';
import { type PrintedProduct, attributesOf } from '../product/record.ts';
import { SITUACOES } from '../versioned/model.ts';

/** Products to check, and the function that checks each. */
export interface ProductsToCheck {
  /** `undefined` lets other reads run. */
  readonly products: Iterable<PrintedProduct | undefined>;
  readonly judge: (product: PrintedProduct) => CheckResult;
}

export interface CheckResult {
  /** Empty: the product can be activated. */
  readonly problems: readonly ItemProblem[];
  /** True if an activation would remove values that the table in force does not require. */
  readonly losesValues: boolean;
}

export interface ProductToMend extends CheckResult {
  readonly product: PrintedProduct;
}

/** Filter with the request for products to mend. */
export type FilterToMend = ProductFilter & { readonly toMend: ToMendFilter };

const ACTIVE = SITUACOES.indexOf('ATIVADO');

/** Number of products checked before other reads may run: some ms of work. */
const JUDGED_PER_TURN = 200;

/** Yields products in the order of their codes; `undefined` lets other reads run. */
export function* productsToMend(
  { products, judge }: ProductsToCheck,
  toMend: ToMendFilter,
): Generator<ProductToMend | undefined> {
  let count = 0;
  for (const product of products) {
    count += 1;
    if (count % JUDGED_PER_TURN === 0 || product === undefined) yield undefined;
    if (product === undefined) continue;
    const judged = judge(product);
    if (isRequested(judged.problems, toMend)) yield { product, ...judged };
  }
}

/** Returns the filter of products that a table may refuse: active ones, or the one that is named. */
export function judgedByTable({ toMend, dataReferencia: _, ...others }: FilterToMend): ProductFilter {
  if (tableToMend(toMend) === undefined) return { ...others, deactivatedBySystem: true };
  return others.codigo === undefined ? { ...others, situacao: ACTIVE } : others;
}

function isRequested(problems: readonly ItemProblem[], { source, reason, member }: ToMendFilter): boolean {
  if (source === 'ready') return problems.length === 0;
  if (reason !== undefined || member !== undefined)
    return problems.some(
      (itemProblem) =>
        itemProblem.code === (reason ?? itemProblem.code) &&
        itemProblem.member === (member ?? itemProblem.member),
    );
  return source === 'deactivated' || problems.length > 0;
}

/** Judges a product by the problems that a table finds in it. */
export function judgedBy(
  problems: readonly Problem[],
  product: PrintedProduct,
  filter: ToMendFilter,
): CheckResult {
  // An activation removes the attributes that the table in force does not require: users need not correct them.
  const isInvalid =
    tableToMend(filter) === undefined
      ? problems.filter((problem) => superfluousIn(problem) === undefined)
      : problems;
  const lists = isInvalid.length === 0 ? NO_LISTS : attributesOf(product);
  return {
    problems: isInvalid.map((problem) => withMember(problem, lists)),
    losesValues: isInvalid.length < problems.length,
  };
}

function withMember({ path, field, ...problem }: Problem, lists: AttributeLists): ItemProblem {
  const codigo = problem.about?.attribute;
  const member = codigo === undefined ? field : memberOf(codigo, path ?? '', lists);
  return { ...problem, path: path ?? '', ...(member !== null && { member }) };
}

/**
 * `/atributosCompostos/0/valores/1/valor`: the compound of a part is the item that the path passes through.
 */
function memberOf(codigo: string, path: string, lists: AttributeLists): string {
  const [, list = '', index = ''] = path.split('/');
  const items = (lists as Partial<AttributeLists>)[list as ListName] as
    readonly { readonly atributo: string }[] | undefined;
  const around = list.startsWith('atributosCompostos') ? items?.[Number(index)]?.atributo : undefined;
  return around === undefined || index === '' || around === codigo
    ? attributeMember(codigo)
    : attributeMember(around, codigo);
}

/** Returns the codes of the products to mend. Yields `''` to let other reads run. */
export function* codesToMend(
  judging: ProductsToCheck,
  toMend: ToMendFilter,
): Generator<string, readonly number[]> {
  const codes: number[] = [];
  for (const productToMend of productsToMend(judging, toMend))
    if (productToMend === undefined) yield '';
    else codes.push(productToMend.product.codigo);
  return codes;
}
