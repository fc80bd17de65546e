import { useMemo } from 'preact/hooks';
import type { PreparedNcm } from '../../../catalogue/attribute/check/prepare.ts';
import type { NcmAttributes, ProductForm } from '../../api/answers.ts';
import type { ApiError } from '../../api/result.ts';
import { useResource } from '../../api/use-resource.ts';
import { ncmDigits, isFullNcm } from '../../words.ts';
import { prepareNcm } from './ncm.ts';

export interface NcmRequirements {
  /** `undefined` without an NCM, a table or an answer. */
  readonly prepared: PreparedNcm | undefined;
  readonly isLoading: boolean;
  readonly error: ApiError | undefined;
  readonly reload: () => void;
}

/** Fetches the requirements of an NCM from the attribute table in force, or on a future date. */
export function useNcm(text: string, rules: ProductForm | undefined, data = ''): NcmRequirements {
  const ncm = ncmDigits(text);
  const isRequested = rules?.attributeTable != null && isFullNcm(ncm);
  const path = isRequested ? `/cadatributos/api/ext/atributo-ncm/${ncm}` : undefined;
  const { value, ...resource } = useResource<NcmAttributes>(path, { query: { data } });
  // Attributes that only the next table requires are already accepted. A next table without the NCM adds
  // none.
  const from = data === '' ? (rules?.nextTable?.on ?? '') : '';
  const next = useResource<NcmAttributes>(from === '' ? undefined : path, { query: { data: from } });
  const coming = next.value?.codigoNcm === value?.codigoNcm ? next.value : undefined;
  return {
    ...resource,
    isLoading: resource.isLoading || next.isLoading,
    prepared: useMemo(
      () => value && prepareNcm(value, coming && { from, answer: coming }),
      [value, coming, from],
    ),
  };
}

const NOT_FOUND = 404;

/** Returns true when the table lacks the NCM. The connection is not at fault. */
export const isUnknownNcm = (error: ApiError | undefined): boolean => error?.status === NOT_FOUND;
