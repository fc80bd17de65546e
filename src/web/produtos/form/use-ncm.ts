import { useMemo } from 'preact/hooks';
import type { PreparedNcm } from '../../../catalogue/attribute/check/prepare.ts';
import type { NcmAttributes, ProductForm } from '../../api/answers.ts';
import type { ApiError } from '../../api/result.ts';
import { useResource } from '../../api/use-resource.ts';
import { ncmDigits } from '../../words.ts';
import { prepareNcm } from './ncm.ts';

export interface AskedByNcm {
  /** `undefined`: not known, for want of an NCM, of a table, or of an answer. */
  readonly prepared: PreparedNcm | undefined;
  readonly loading: boolean;
  readonly error: ApiError | undefined;
  readonly reload: () => void;
}

/** What the NCM of a form asks, from the attribute table in force, or on a day to come. */
export function useNcm(text: string, rules: ProductForm | undefined, data = ''): AskedByNcm {
  const ncm = ncmDigits(text);
  const isAsked = rules?.attributeTable != null && /^\d{8}$/.test(ncm);
  const path = isAsked ? `/cadatributos/api/ext/atributo-ncm/${ncm}` : undefined;
  const { value, ...asked } = useResource<NcmAttributes>(path, { query: { data } });
  // What only the next table asks is taken already. One that does not have the NCM asks nothing of it.
  const from = data === '' ? (rules?.nextTable?.on ?? '') : '';
  const next = useResource<NcmAttributes>(from === '' ? undefined : path, { query: { data: from } });
  const coming = next.value?.codigoNcm === value?.codigoNcm ? next.value : undefined;
  return {
    ...asked,
    loading: asked.loading || next.loading,
    prepared: useMemo(
      () => value && prepareNcm(value, coming && { from, asked: coming }),
      [value, coming, from],
    ),
  };
}

const NOT_FOUND = 404;

/** The NCM is not in the table: no fault of the connection. */
export const isUnknownNcm = (error: ApiError | undefined): boolean => error?.status === NOT_FOUND;
