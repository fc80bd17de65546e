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

/** Returns true if any value has blanks at its ends. This is rare; otherwise no lookup is needed. */
export const isPadded = (lists: AttributeLists): boolean =>
  lists.atributos.some(isPaddedOne) ||
  lists.atributosMultivalorados.some(({ valores }) => valores.some(isPaddedText)) ||
  lists.atributosCompostos.some(({ valores }) => valores.some(isPaddedOne)) ||
  lists.atributosCompostosMultivalorados.some(({ valores }) =>
    valores.some((group) => group.some(isPaddedOne)),
  );

const isPaddedText = (value: string): boolean => value !== value.trim();
const isPaddedOne = ({ valor }: Valued): boolean => isPaddedText(valor);

export function trimmedDomains({ scope }: PreparedNcm, lists: AttributeLists): AttributeLists {
  const subs = (codigo: string) => trimmedIn(scope.byCode.get(codigo)?.attribute.subattributes);
  return {
    atributos: lists.atributos.map(trimmedIn(scope)),
    atributosMultivalorados: lists.atributosMultivalorados.map((one) =>
      isOfDomain(scope, one.atributo) ? { ...one, valores: one.valores.map((value) => value.trim()) } : one,
    ),
    atributosCompostos: lists.atributosCompostos.map((one) => ({
      ...one,
      valores: one.valores.map(subs(one.atributo)),
    })),
    atributosCompostosMultivalorados: lists.atributosCompostosMultivalorados.map((one) => ({
      ...one,
      valores: one.valores.map((group) => group.map(subs(one.atributo))),
    })),
  };
}

const trimmedIn =
  (scope: Scope | undefined) =>
  <T extends Valued>(one: T): T =>
    isOfDomain(scope, one.atributo) ? { ...one, valor: one.valor.trim() } : one;

function isOfDomain(scope: Scope | undefined, codigo: string): boolean {
  const slot = scope?.byCode.get(codigo);
  return slot !== undefined && takesDomain(slot.attribute.value.forma);
}
