/** Converts values by attribute from and to the four lists of a product (contract section 4). */
import type { AttributeLists, AttributeValue, FormaPreenchimento, ListName } from './model.ts';

/** Values of an attribute in order; groups of a compound, each value by the code of its part. */
export interface AttributeValues {
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly groups: Readonly<Record<string, readonly Group[]>>;
}

export type Group = Readonly<Record<string, string>>;

export const NO_VALUES: AttributeValues = { values: {}, groups: {} };

export function valuesOf(lists: Partial<AttributeLists>): AttributeValues {
  const { atributos = [], atributosMultivalorados = [] } = lists;
  const { atributosCompostos = [], atributosCompostosMultivalorados = [] } = lists;
  return {
    values: Object.fromEntries([
      ...atributos.map(({ atributo, valor }) => [atributo, [valor]] as const),
      ...atributosMultivalorados.map(({ atributo, valores }) => [atributo, valores] as const),
    ]),
    groups: Object.fromEntries([
      ...atributosCompostos.map(({ atributo, valores }) => [atributo, [groupOf(valores)]] as const),
      ...atributosCompostosMultivalorados.map(
        ({ atributo, valores }) => [atributo, valores.map(groupOf)] as const,
      ),
    ]),
  };
}

const groupOf = (valores: readonly AttributeValue[]): Group =>
  Object.fromEntries(valores.map(({ atributo, valor }) => [atributo, valor]));

export const withValues = (
  all: AttributeValues,
  codigo: string,
  values: readonly string[],
): AttributeValues => ({ ...all, values: { ...all.values, [codigo]: values } });

export const withGroups = (
  all: AttributeValues,
  codigo: string,
  groups: readonly Group[],
): AttributeValues => ({ ...all, groups: { ...all.groups, [codigo]: groups } });

/** Attribute with the list, of the four, for its values. */
export interface ListedAttribute {
  readonly codigo: string;
  readonly list: ListName;
  readonly forma: Forma;
  /** Parts of a compound. */
  readonly parts: ReadonlyMap<string, Forma>;
}

/** `undefined`: no table states the form. */
type Forma = FormaPreenchimento | undefined;

/** Returns the value that a text contains; `''` for a blank text. Only free texts keep blanks at their ends. */
export function valueOfText(text: string, forma: Forma): string {
  const trimmed = text.trim();
  return trimmed !== '' && (forma === undefined || forma === 'TEXTO') ? text : trimmed;
}

/** Returns the lists of a product, without empty values and with only the given attributes. */
export function listsOf(
  { values, groups }: AttributeValues,
  attributes: readonly ListedAttribute[],
): { [Name in ListName]: AttributeLists[Name] } {
  const filledValues = ({ codigo, forma }: ListedAttribute): readonly string[] =>
    (values[codigo] ?? []).map((text) => valueOfText(text, forma)).filter((value) => value !== '');
  const filledGroups = ({ codigo, parts }: ListedAttribute): readonly (readonly AttributeValue[])[] =>
    (groups[codigo] ?? [])
      .map((group) =>
        [...parts]
          .map(([atributo, forma]) => ({ atributo, valor: valueOfText(group[atributo] ?? '', forma) }))
          .filter(({ valor }) => valor !== ''),
      )
      .filter((group) => group.length > 0);
  const inList = (list: ListName): readonly ListedAttribute[] =>
    attributes.filter((attribute) => attribute.list === list);
  return {
    atributos: inList('atributos').flatMap((attribute) => {
      const [valor] = filledValues(attribute);
      return valor === undefined ? [] : [{ atributo: attribute.codigo, valor }];
    }),
    atributosMultivalorados: inList('atributosMultivalorados').flatMap((attribute) => {
      const valores = filledValues(attribute);
      return valores.length === 0 ? [] : [{ atributo: attribute.codigo, valores }];
    }),
    atributosCompostos: inList('atributosCompostos').flatMap((attribute) => {
      const [valores] = filledGroups(attribute);
      return valores === undefined ? [] : [{ atributo: attribute.codigo, valores }];
    }),
    atributosCompostosMultivalorados: inList('atributosCompostosMultivalorados').flatMap((attribute) => {
      const valores = filledGroups(attribute);
      return valores.length === 0 ? [] : [{ atributo: attribute.codigo, valores }];
    }),
  };
}
