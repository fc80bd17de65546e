/** How the table in force calls the attributes of an NCM; without a table, or without that NCM in it, codes must do. */
import { useMemo } from 'preact/hooks';
import { useResource } from '../../api/use-resource.ts';
import { type AttributeNames, type DetailAnswer, namesOf, NO_NAMES } from './reading.ts';

interface NcmAnswer {
  readonly detalhesAtributos: readonly DetailAnswer[];
}

/** `undefined` while they are on their way. */
export function useNames(ncm: string | null | undefined): AttributeNames | undefined {
  const asked = ncm === undefined || ncm === null ? undefined : `/cadatributos/api/ext/atributo-ncm/${ncm}`;
  const { value, error } = useResource<NcmAnswer>(asked);
  const names = useMemo(() => (value === undefined ? NO_NAMES : namesOf(value.detalhesAtributos)), [value]);
  const isKnown = value !== undefined || error !== undefined || ncm === null;
  return isKnown ? names : undefined;
}
