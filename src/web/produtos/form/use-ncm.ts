/** What the NCM of the form asks, from the attribute table in force. */
import { useMemo } from 'preact/hooks';
import type { NcmAttributes, ProductForm } from '../../api/answers.ts';
import type { PreparedNcm } from '../../../catalogue/attribute/check/prepare.ts';
import { type ApiError, faultOf } from '../../api/result.ts';
import { useResource } from '../../api/use-resource.ts';
import { prepareNcm } from '../../attribute/ncm.ts';
import { ncmDigits } from './form-values.ts';

export interface AskedByNcm {
  /** `undefined`: not known, for want of an NCM, of a table, or of an answer. */
  readonly prepared: PreparedNcm | undefined;
  readonly loading: boolean;
  readonly error: ApiError | undefined;
  readonly reload: () => void;
}

const NOT_FOUND = 404;
const NCM = /^\d{8}$/;

export function useNcm(text: string, { attributeTable }: ProductForm): AskedByNcm {
  const ncm = ncmDigits(text);
  const isAsked = attributeTable !== null && NCM.test(ncm);
  const answer = useResource<NcmAttributes>(
    isAsked ? `/cadatributos/api/ext/atributo-ncm/${ncm}` : undefined,
  );
  const { value, error, loading, reload } = answer;
  const read = useMemo((): Pick<AskedByNcm, 'prepared' | 'error'> => {
    if (value === undefined) return { prepared: undefined, error: undefined };
    try {
      return { prepared: prepareNcm(value), error: undefined };
    } catch (fault) {
      return { prepared: undefined, error: faultOf(fault instanceof Error ? fault.message : String(fault)) };
    }
  }, [value]);
  return { prepared: read.prepared, error: error ?? read.error, loading, reload };
}

/** The NCM is not in the table: no fault of the connection. */
export const isUnknownNcm = (error: ApiError | undefined): boolean => error?.status === NOT_FOUND;
