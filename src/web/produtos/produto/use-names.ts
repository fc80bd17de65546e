/**
 * Attribute names of a product from the table in force. Without a table, or without its NCM in it, codes are
 * shown.
 */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { AttributeDetail, NcmAttributes, ProductForm } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import type { AttributeLists } from '../../../catalogue/attribute/words/model.ts';
import { useResource } from '../../api/use-resource.ts';
import type { ProductContent } from '../product.ts';
import { type AttributeNames, namesOf, NO_NAMES } from './reading.ts';
import { isFullNcm } from '../../words.ts';

/** Returns `undefined` while names load. A product without attributes needs no names. */
export function useNames(product: ProductContent | undefined): AttributeNames | undefined {
  const { names, isLoading } = useNamesOf(
    product !== undefined && hasAttributes(product) ? product.ncm : null,
  );
  return product === undefined || isLoading ? undefined : names;
}

/** Fetches the names of a complete NCM. Other text has no names. */
export function useNamesOf(ncm: string | null): {
  readonly names: AttributeNames;
  readonly isLoading: boolean;
} {
  const isComplete = ncm !== null && isFullNcm(ncm);
  const form = useResource<ProductForm>(isComplete ? '/appliance/api/product-form' : undefined);
  const answer = useResource<NcmAttributes>(
    isComplete && form.value?.attributeTable != null
      ? `/cadatributos/api/ext/atributo-ncm/${ncm}`
      : undefined,
  );
  const names = useMemo(
    () => (answer.value === undefined ? NO_NAMES : namesOf(answer.value.detalhesAtributos)),
    [answer.value],
  );
  return { names, isLoading: form.isLoading || answer.isLoading };
}

/** Maximum NCMs whose names a list fetches. */
const NCMS_MAX = 30;

/**
 * Names by NCM, kept while the page lives: a table in force changes once a day at most. Without a table nothing
 * is requested.
 */
export function useNamesOfNcms(ncms: readonly string[]): AttributeNames {
  const form = useResource<ProductForm>(ncms.length > 0 ? '/appliance/api/product-form' : undefined);
  const requestedNcms = form.value?.attributeTable == null ? [] : ncms.slice(0, NCMS_MAX);
  const key = requestedNcms.join();
  const [details, setDetails] = useState<ReadonlyMap<string, readonly AttributeDetail[]>>(new Map());
  useEffect(() => {
    let isCurrent = true;
    for (const ncm of key.split(',').filter(Boolean))
      if (!details.has(ncm))
        void api.get<NcmAttributes>(`/cadatributos/api/ext/atributo-ncm/${ncm}`).then((answer) => {
          if (isCurrent)
            setDetails((before) => new Map(before).set(ncm, answer.ok ? answer.value.detalhesAtributos : []));
        });
    return () => {
      isCurrent = false;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- fetched names are not requested again
  }, [key]);
  return useMemo(() => namesOf(key.split(',').flatMap((ncm) => details.get(ncm) ?? [])), [key, details]);
}

export const hasAttributes = (lists: AttributeLists): boolean =>
  lists.atributos.length +
    lists.atributosMultivalorados.length +
    lists.atributosCompostos.length +
    lists.atributosCompostosMultivalorados.length >
  0;
