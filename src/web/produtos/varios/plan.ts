/** One attribute, one value, many products: what would become of each, before anything is sent. */
import type { AttributeDetail, AttributeLists, Modalidade } from '../../../catalogue/attribute/model.ts';
import type { PreparedNcm } from '../../../catalogue/attribute/check/prepare.ts';
import {
  type Field,
  type Situated,
  attributeProblems,
  fieldsOf,
  filledLists,
} from '../../attribute/fields.ts';
import {
  type AttributeValues,
  type Group,
  valuesOf,
  withGroups,
  withValues,
} from '../../../catalogue/attribute/values.ts';
import type { ListedProduct } from '../product.ts';

/** What the tables of the NCMs that are met say. */
export type Ncms = ReadonlyMap<string, PreparedNcm>;

/** What one attribute holds: values or, of a compound, groups. */
export interface Content {
  readonly values: readonly string[];
  readonly groups: readonly Group[];
}

export const NO_CONTENT: Content = { values: [], groups: [] };

/** Without what is empty. */
export const tidied = ({ values, groups }: Content): Content => ({
  values: values.map((value) => value.trim()).filter((value) => value !== ''),
  groups: groups
    .map((group) => Object.fromEntries(Object.entries(group).filter(([, value]) => value.trim() !== '')))
    .filter((group) => Object.keys(group).length > 0),
});

export const isEmpty = ({ values, groups }: Content): boolean => values.length + groups.length === 0;

export interface Wanted {
  readonly codigo: string;
  /** Not empty. */
  readonly content: Content;
  /** The day of the new versions, `yyyy-MM-dd`. */
  readonly day: string;
}

export interface Planned {
  readonly product: ListedProduct;
  /** `left`: it stays as it is, and `why` says why; `refused`: the server would not take it. */
  readonly kind: 'changes' | 'same' | 'refused' | 'left';
  readonly before: Content;
  readonly why: string;
  /** Codes of the attributes that go with the change, since nothing asks for them any more. */
  readonly dropped: readonly string[];
  readonly lists: AttributeLists | undefined;
}

/** Attributes that some of these NCMs ask for, by the number of products. */
export function offeredOf(
  products: readonly ListedProduct[],
  ncms: Ncms,
): readonly { readonly detail: AttributeDetail; readonly products: number }[] {
  const offered = new Map<string, { detail: AttributeDetail; products: number }>();
  for (const { ncm } of products) {
    for (const { attribute } of ncms.get(ncm ?? '')?.scope.slots ?? []) {
      const known = offered.get(attribute.codigo);
      if (known === undefined) offered.set(attribute.codigo, { detail: attribute.detail, products: 1 });
      else known.products += 1;
    }
  }
  return [...offered.values()].toSorted((a, b) => b.products - a.products);
}

/** How the attribute is filled in: as the first product has it that asks for it with this content. */
export function fieldFor(products: readonly ListedProduct[], ncms: Ncms, wanted: Wanted): Field | undefined {
  for (const product of products) {
    const situated = situatedOf(product, ncms, wanted.day);
    if (situated === undefined) continue;
    const found = fieldsOf(situated, withContent(valuesOf(product), wanted));
    const field = found.find(({ codigo }) => codigo === wanted.codigo);
    if (field !== undefined) return field;
  }
  return undefined;
}

function situatedOf({ ncm, modalidade }: ListedProduct, ncms: Ncms, day: string): Situated | undefined {
  const prepared = ncms.get(ncm ?? '');
  if (prepared === undefined || modalidade === null) return undefined;
  return { prepared, day, modalidade: modalidade as Modalidade }; // as the API has it
}

const withContent = (
  filled: AttributeValues,
  { codigo, content: { values, groups } }: Wanted,
): AttributeValues =>
  groups.length > 0 ? withGroups(filled, codigo, groups) : withValues(filled, codigo, values);

const contentOf = ({ values, groups }: AttributeValues, codigo: string): Content => ({
  ...{ values: values[codigo] ?? [], groups: groups[codigo] ?? [] },
});

/** Whatever the order of the parts of a group. */
const isSame = (one: Content, other: Content): boolean => textOf(one) === textOf(other);

const textOf = ({ values, groups }: Content): string =>
  JSON.stringify([
    values,
    groups.map((group) => Object.entries(group).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  ]);

export function plannedOf(product: ListedProduct, ncms: Ncms, wanted: Wanted): Planned {
  const { codigo, content, day } = wanted;
  const filled = valuesOf(product);
  const before = contentOf(filled, codigo);
  const left = (why: string): Planned => ({
    ...{ product, kind: 'left', before, why, dropped: [], lists: undefined },
  });
  const { situacao, ncm, modalidade } = product;
  if (situacao === 'DESATIVADO') return left('Está desativado: uma nova versão o ativaria.');
  if (ncm === null || modalidade === null) return left('É um rascunho sem NCM ou sem modalidade.');
  const situated = situatedOf(product, ncms, day);
  if (situated === undefined) return left(`A tabela de atributos em vigor não tem a NCM ${ncm}.`);
  const after = withContent(filled, wanted);
  const fields = fieldsOf(situated, after);
  if (fields.every((field) => field.codigo !== codigo)) return left('O atributo não se aplica a ele.');
  if (isSame(before, content)) return { ...left(''), kind: 'same' };
  const lists = filledLists(fields, after);
  const problems = situacao === 'RASCUNHO' ? [] : attributeProblems(situated, lists);
  const kept = codesOf(lists);
  return {
    ...{ product, before, lists },
    kind: problems.length > 0 ? 'refused' : 'changes',
    why: problems.map(({ message }) => message).join(' '),
    dropped: [...codesOf(product)].filter((code) => !kept.has(code)),
  };
}

const codesOf = (lists: AttributeLists): ReadonlySet<string> =>
  new Set(
    [
      ...lists.atributos,
      ...lists.atributosMultivalorados,
      ...lists.atributosCompostos,
      ...lists.atributosCompostosMultivalorados,
    ].map(({ atributo }) => atributo),
  );

/** Why products do not change, or lose something else: each reason once, with their number, the most frequent first. */
export function reasonsIn(
  planned: readonly Planned[],
  nameOf: (codigo: string) => string,
): readonly { readonly why: string; readonly products: number }[] {
  const reasons = new Map<string, number>();
  for (const { kind, why, dropped } of planned) {
    const gone = dropped.map(nameOf).join(', ');
    const said = kind === 'changes' ? (gone === '' ? '' : `Deixa de valer, e sai: ${gone}.`) : why;
    if (said !== '') reasons.set(said, (reasons.get(said) ?? 0) + 1);
  }
  return [...reasons]
    .map(([why, products]) => ({ why, products }))
    .toSorted((a, b) => b.products - a.products);
}
