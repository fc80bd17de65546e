/** What is filled in, attribute by attribute, and its way from and to the four lists of a product (contract section 4). */
import type { AttributeLists, AttributeValue, ListName } from './model.ts';

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
  /** Of a compound: its parts. */
  readonly parts: readonly string[];
}

/** The lists of a product, empty values left out; only what is `placed` is sent. */
export function listsOf(
  { values, groups }: AttributeValues,
  placed: readonly Placed[],
): { [Name in ListName]: AttributeLists[Name] } {
  const given = (codigo: string): readonly string[] =>
    (values[codigo] ?? []).map((value) => value.trim()).filter((value) => value !== '');
  const filled = ({ codigo, parts }: Placed): readonly (readonly AttributeValue[])[] =>
    (groups[codigo] ?? [])
      .map((group) =>
        parts
          .map((atributo) => ({ atributo, valor: (group[atributo] ?? '').trim() }))
          .filter(({ valor }) => valor !== ''),
      )
      .filter((group) => group.length > 0);
  const inList = (list: ListName): readonly Placed[] => placed.filter((place) => place.list === list);
  return {
    atributos: inList('atributos').flatMap(({ codigo }) => {
      const [valor] = given(codigo);
      return valor === undefined ? [] : [{ atributo: codigo, valor }];
    }),
    atributosMultivalorados: inList('atributosMultivalorados').flatMap(({ codigo }) => {
      const valores = given(codigo);
      return valores.length === 0 ? [] : [{ atributo: codigo, valores }];
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
