/**
 * Products that wait to be mended, each with what is wrong with it: those that the system deactivated, under the table in
 * force, the active ones that another table would not admit, those that a remote refused, and those that lack what will be
 * asked. Read aside: each of them is judged.
 */
import type { ItemProblem, Problem } from '../../errors.ts';
import type { AttributeLists, ListName } from '../attribute/words/model.ts';
import { attributeMember } from '../members/product.ts';
import { type AskedToMend, type ProductFilter, tableToMend } from '../product/filter.ts';
import { unaskedIn } from '../product/patch.ts';
import { type PrintedProduct, attributesOf } from '../product/record.ts';
import { SITUACOES } from '../versioned/model.ts';

/** Who finds products, and what is wrong with each. */
export interface Judging {
  /** `undefined` where others may have their turn. */
  readonly products: Iterable<PrintedProduct | undefined>;
  readonly problemsOf: (product: PrintedProduct) => readonly ItemProblem[];
}

export interface ProductToMend {
  readonly product: PrintedProduct;
  /** None: it may be activated as it is. */
  readonly problems: readonly ItemProblem[];
}

/** The question is asked of a filter. */
export type FilterToMend = ProductFilter & { readonly toMend: AskedToMend };

const ACTIVE = SITUACOES.indexOf('ATIVADO');

/** Some ms. */
const JUDGED_PER_TURN = 200;

/** In the order of their codes; `undefined` where others may have their turn. */
export function* productsToMend(
  { products, problemsOf }: Judging,
  toMend: AskedToMend,
): Generator<ProductToMend | undefined> {
  let judged = 0;
  for (const product of products) {
    judged += 1;
    if (judged % JUDGED_PER_TURN === 0 || product === undefined) yield undefined;
    if (product === undefined) continue;
    const problems = problemsOf(product);
    if (isAskedFor(problems, toMend)) yield { product, problems };
  }
}

/** The products that a table may be against. */
export const judgedByTable = ({ toMend, dataReferencia: _, ...others }: FilterToMend): ProductFilter =>
  tableToMend(toMend) === undefined
    ? { ...others, deactivatedBySystem: true }
    : { ...others, situacao: ACTIVE };

function isAskedFor(problems: readonly ItemProblem[], { source, reason, member }: AskedToMend): boolean {
  if (source === 'ready') return problems.length === 0;
  if (reason !== undefined || member !== undefined)
    return problems.some((one) => one.code === (reason ?? one.code) && one.member === (member ?? one.member));
  return source === 'deactivated' || problems.length > 0;
}

/** What a table finds wrong with a product. */
export function problemsToMend(
  found: readonly Problem[],
  product: PrintedProduct,
  asked: AskedToMend,
): readonly ItemProblem[] {
  // What the table in force does not ask for goes by itself when a product is activated: nobody has to mend that.
  const wrong =
    tableToMend(asked) === undefined ? found.filter((one) => unaskedIn(one) === undefined) : found;
  if (wrong.length === 0) return [];
  const lists = attributesOf(product);
  return wrong.map((problem) => withMember(problem, lists));
}

function withMember({ path, field, ...problem }: Problem, lists: AttributeLists): ItemProblem {
  const codigo = problem.about?.attribute;
  const member = codigo === undefined ? field : memberOf(codigo, path ?? '', lists);
  return { ...problem, path: path ?? '', ...(member !== null && { member }) };
}

/** `/atributosCompostos/0/valores/1/valor`: of a part the compound is the one that the path goes through. */
function memberOf(codigo: string, path: string, lists: AttributeLists): string {
  const [, list = '', index = ''] = path.split('/');
  const items = (lists as Partial<AttributeLists>)[list as ListName] as
    readonly { readonly atributo: string }[] | undefined;
  const around = list.startsWith('atributosCompostos') ? items?.[Number(index)]?.atributo : undefined;
  return around === undefined || index === '' || around === codigo
    ? attributeMember(codigo)
    : attributeMember(around, codigo);
}

/** Their codes; `''` where others may have their turn. */
export function* codesToMend(judging: Judging, toMend: AskedToMend): Generator<string, readonly number[]> {
  const codes: number[] = [];
  for (const one of productsToMend(judging, toMend))
    if (one === undefined) yield '';
    else codes.push(one.product.codigo);
  return codes;
}
