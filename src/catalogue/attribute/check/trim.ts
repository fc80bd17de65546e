/**
 * Removes blanks around domain codes, which fixed-width fields add (contract section 4); texts keep theirs.
 */
import type { AttributeLists } from '../words/model.ts';
import type { PreparedNcm, Scope } from './prepare.ts';
import { takesDomain } from './value.ts';

interface Valued {
  readonly atributo: string;
  readonly valor: string;
}

/** Returns true if any value has blanks at its ends. Most products have none, which saves a lookup of domains. */
export const hasPaddedValues = (lists: AttributeLists): boolean =>
  lists.atributos.some(hasPaddedValue) ||
  lists.atributosMultivalorados.some(({ valores }) => valores.some(isPaddedText)) ||
  lists.atributosCompostos.some(({ valores }) => valores.some(hasPaddedValue)) ||
  lists.atributosCompostosMultivalorados.some(({ valores }) =>
    valores.some((group) => group.some(hasPaddedValue)),
  );

const isPaddedText = (value: string): boolean => value !== value.trim();
const hasPaddedValue = ({ valor }: Valued): boolean => isPaddedText(valor);

export function withTrimmedDomains({ scope }: PreparedNcm, lists: AttributeLists): AttributeLists {
  const trimSubattribute = (codigo: string) => trimIn(scope.byCode.get(codigo)?.attribute.subattributes);
  return {
    atributos: lists.atributos.map(trimIn(scope)),
    atributosMultivalorados: lists.atributosMultivalorados.map((item) =>
      isOfDomain(scope, item.atributo)
        ? { ...item, valores: item.valores.map((value) => value.trim()) }
        : item,
    ),
    atributosCompostos: lists.atributosCompostos.map((item) => ({
      ...item,
      valores: item.valores.map(trimSubattribute(item.atributo)),
    })),
    atributosCompostosMultivalorados: lists.atributosCompostosMultivalorados.map((item) => ({
      ...item,
      valores: item.valores.map((group) => group.map(trimSubattribute(item.atributo))),
    })),
  };
}

const trimIn =
  (scope: Scope | undefined) =>
  <T extends Valued>(item: T): T =>
    isOfDomain(scope, item.atributo) ? { ...item, valor: item.valor.trim() } : item;

function isOfDomain(scope: Scope | undefined, codigo: string): boolean {
  const slot = scope?.byCode.get(codigo);
  return slot !== undefined && takesDomain(slot.attribute.value.forma);
}
