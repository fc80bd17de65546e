/** What is filled in, attribute by attribute, and its way from and to the four lists of a product (contract section 4). */
import type { AttributeLists, AttributeValue, FormaPreenchimento, ListName } from './model.ts';

/** Of an attribute the values in their order; of a compound its groups, each value by the code of its part. */
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

/** An attribute, and in which of the four lists it belongs. */
export interface Placed {
  readonly codigo: string;
  readonly list: ListName;
  readonly forma: Forma;
  /** Of a compound: its parts. */
  readonly parts: ReadonlyMap<string, Forma>;
}

/** `undefined`: no table tells. */
type Forma = FormaPreenchimento | undefined;

/** The value that a text is, `''` where it is none: a free text keeps the blanks at its ends. */
export function valueIn(text: string, forma: Forma): string {
  const bare = text.trim();
  return bare !== '' && (forma === undefined || forma === 'TEXTO') ? text : bare;
}

/** The lists of a product, empty values left out; only what is `placed` is sent. */
export function listsOf(
  { values, groups }: AttributeValues,
  placed: readonly Placed[],
): { [Name in ListName]: AttributeLists[Name] } {
  const given = ({ codigo, forma }: Placed): readonly string[] =>
    (values[codigo] ?? []).map((text) => valueIn(text, forma)).filter((value) => value !== '');
  const filled = ({ codigo, parts }: Placed): readonly (readonly AttributeValue[])[] =>
    (groups[codigo] ?? [])
      .map((group) =>
        [...parts]
          .map(([atributo, forma]) => ({ atributo, valor: valueIn(group[atributo] ?? '', forma) }))
          .filter(({ valor }) => valor !== ''),
      )
      .filter((group) => group.length > 0);
  const inList = (list: ListName): readonly Placed[] => placed.filter((place) => place.list === list);
  return {
    atributos: inList('atributos').flatMap((place) => {
      const [valor] = given(place);
      return valor === undefined ? [] : [{ atributo: place.codigo, valor }];
    }),
    atributosMultivalorados: inList('atributosMultivalorados').flatMap((place) => {
      const valores = given(place);
      return valores.length === 0 ? [] : [{ atributo: place.codigo, valores }];
    }),
    atributosCompostos: inList('atributosCompostos').flatMap((place) => {
      const [valores] = filled(place);
      return valores === undefined ? [] : [{ atributo: place.codigo, valores }];
    }),
    atributosCompostosMultivalorados: inList('atributosCompostosMultivalorados').flatMap((place) => {
      const valores = filled(place);
      return valores.length === 0 ? [] : [{ atributo: place.codigo, valores }];
    }),
  };
}
