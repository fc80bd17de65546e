/** One attribute, one value, many products: what would become of each, before anything is sent. */
import type { AttributeDetail, AttributeLists, Modalidade } from '../../../catalogue/attribute/model.ts';
import type { PreparedNcm } from '../../../catalogue/attribute/check/prepare.ts';
import { attributeProblems, fieldsOf, filledLists } from '../../attribute/fields.ts';
import { valuesOf, withValues } from '../../attribute/values.ts';
import type { ListedProduct } from '../product.ts';

/** What the tables of the NCMs that are met say. */
export type Ncms = ReadonlyMap<string, PreparedNcm>;

export interface Wanted {
  readonly codigo: string;
  readonly valor: string;
  /** The day of the new versions, `yyyy-MM-dd`. */
  readonly day: string;
}

export interface Planned {
  readonly product: ListedProduct;
  /** `left`: it stays as it is, and `why` says why; `refused`: the server would not take it. */
  readonly kind: 'changes' | 'same' | 'refused' | 'left';
  readonly before: readonly string[];
  readonly why: string;
  /** Codes of the attributes that go with the change, since nothing asks for them any more. */
  readonly dropped: readonly string[];
  readonly lists: AttributeLists | undefined;
}

/** Attributes that some of these NCMs ask for, by the number of products; compounds are changed in the product itself. */
export function offeredOf(
  products: readonly ListedProduct[],
  ncms: Ncms,
): readonly { readonly detail: AttributeDetail; readonly products: number }[] {
  const offered = new Map<string, { detail: AttributeDetail; products: number }>();
  for (const { ncm } of products) {
    for (const { attribute } of ncms.get(ncm ?? '')?.scope.slots ?? []) {
      if (attribute.subattributes !== undefined) continue;
      const known = offered.get(attribute.codigo);
      if (known === undefined) offered.set(attribute.codigo, { detail: attribute.detail, products: 1 });
      else known.products += 1;
    }
  }
  return [...offered.values()].toSorted((a, b) => b.products - a.products);
}

export function plannedOf(product: ListedProduct, ncms: Ncms, { codigo, valor, day }: Wanted): Planned {
  const filled = valuesOf(product);
  const before = filled.values[codigo] ?? [];
  const left = (why: string): Planned => ({
    ...{ product, kind: 'left', before, why, dropped: [], lists: undefined },
  });
  const { situacao, ncm, modalidade } = product;
  if (situacao === 'DESATIVADO') return left('Está desativado: uma nova versão o ativaria.');
  if (ncm === null || modalidade === null) return left('É um rascunho sem NCM ou sem modalidade.');
  const prepared = ncms.get(ncm);
  if (prepared === undefined) return left(`A tabela de atributos em vigor não tem a NCM ${ncm}.`);
  const situated = { prepared, day, modalidade: modalidade as Modalidade }; // as the API has it
  const after = withValues(filled, codigo, [valor]);
  const fields = fieldsOf(situated, after);
  if (fields.every((field) => field.codigo !== codigo)) return left('O atributo não se aplica a ele.');
  if (before.length === 1 && before[0] === valor) return { ...left(''), kind: 'same' };
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
