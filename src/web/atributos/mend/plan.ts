/** What one value, given to many products, would make of each of them: by the server's own rules, before anything is sent. */
import type { PreparedNcm } from '../../../catalogue/attribute/check/prepare.ts';
import type { AttributeDetail, AttributeLists, Modalidade } from '../../../catalogue/attribute/model.ts';
import { attributeProblems, fieldsOf, filledLists } from '../../attribute/fields.ts';
import { valuesOf, withValues } from '../../../catalogue/attribute/values.ts';
import { type ListedProduct, addressOf } from '../../produtos/product.ts';
import { NO_CONTENT, type Planned as ToSend } from '../../produtos/varios/plan.ts';

/** A product that is not valid, or would not be, and why. */
export interface Waiting {
  readonly product: ListedProduct;
  readonly problems: readonly string[];
}

/** What each NCM asks today; one that is not in the table is not here. */
export type Rules = ReadonlyMap<string, PreparedNcm>;

/** The value of each attribute that is filled in. */
export type Fills = Readonly<Record<string, string>>;

export interface Fillable {
  readonly codigo: string;
  readonly detail: AttributeDetail;
  readonly isSeveral: boolean;
  /** How many of the products have a problem with it. */
  readonly products: number;
}

/** As the rules begin their messages: `Atributo ATT_1 (Forma): …`. */
const NAMED = /^Atributo ([^\s(]+)/;

/** Attributes that stand in the way of products and that one value could mend, those of most products first. */
export function fillableIn(waiting: readonly Waiting[], rules: Rules): readonly Fillable[] {
  const found = new Map<string, Fillable>();
  for (const { product, problems } of waiting)
    for (const codigo of new Set(problems.flatMap((problem) => NAMED.exec(problem)?.[1] ?? []))) {
      const slot = rules.get(product.ncm ?? '')?.scope.byCode.get(codigo);
      if (slot === undefined || slot.attribute.subattributes !== undefined) continue;
      const { detail } = slot.attribute;
      const isSeveral = slot.claims.every(({ list }) => list === 'atributosMultivalorados');
      const products = (found.get(codigo)?.products ?? 0) + 1;
      found.set(codigo, { codigo, detail, isSeveral, products });
    }
  return [...found.values()].toSorted((a, b) => b.products - a.products || (a.codigo < b.codigo ? -1 : 1));
}

export interface Planned {
  readonly product: ListedProduct;
  readonly lists: AttributeLists;
  /** Attributes whose value changes, and those that the NCM no longer asks for. */
  readonly filled: readonly string[];
  readonly dropped: readonly string[];
  /** Why the server would refuse it still. */
  readonly problems: readonly string[];
}

export function planOf(
  waiting: readonly Waiting[],
  rules: Rules,
  day: string,
  fills: Fills,
): readonly Planned[] {
  return waiting.map(({ product }) => planned(product, rules.get(product.ncm ?? ''), day, fills));
}

function planned(
  product: ListedProduct,
  prepared: PreparedNcm | undefined,
  day: string,
  fills: Fills,
): Planned {
  const { atributos, atributosMultivalorados, atributosCompostos, atributosCompostosMultivalorados } =
    product;
  const before = { atributos, atributosMultivalorados, atributosCompostos, atributosCompostosMultivalorados };
  if (prepared === undefined) {
    const problems = [`A NCM ${product.ncm ?? ''} não está na tabela em vigor; troque a NCM do produto.`];
    return { product, lists: before, filled: [], dropped: [], problems };
  }
  const modalidade = (product.modalidade ?? 'AMBOS') as Modalidade; // as the server stores it
  const situated = { prepared, day, modalidade };
  const given = Object.entries(fills).filter(([, value]) => value.trim() !== '');
  const values = given.reduce((all, [codigo, value]) => withValues(all, codigo, [value]), valuesOf(before));
  const fields = fieldsOf(situated, values);
  const lists = filledLists(fields, values);
  const shown = new Set(fields.map(({ codigo }) => codigo));
  const filled = given.map(([codigo]) => codigo).filter((codigo) => shown.has(codigo));
  return {
    ...{ product, lists, filled },
    dropped: codesIn(before).filter((codigo) => !shown.has(codigo)),
    problems: attributeProblems(situated, lists).map(({ message }) => message),
  };
}

const codesIn = (lists: AttributeLists): readonly string[] =>
  Object.values(lists).flatMap((list: readonly { readonly atributo: string }[]) =>
    list.map(({ atributo }) => atributo),
  );

/** Mended: it would be taken, and it would not be what it is already. */
export const isReady = ({ product, filled, dropped, problems }: Planned): boolean =>
  problems.length === 0 && (filled.length + dropped.length > 0 || product.situacao !== 'ATIVADO');

/** As it is sent: a new version makes active what the system had deactivated. */
export const toSend = ({ product, lists, dropped }: Planned): ToSend => ({
  product: { ...product, situacao: 'ATIVADO' },
  ...{ kind: 'changes', before: NO_CONTENT, why: '', dropped, lists },
});

export const placeOf = ({ product }: Pick<Waiting, 'product'>): string => addressOf(product);
