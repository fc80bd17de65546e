/** How the table in force calls the attributes of a product; without a table, or without its NCM in it, codes must do. */
import { useMemo } from 'preact/hooks';
import type { NcmAttributes, ProductForm } from '../../api/answers.ts';
import type { AttributeLists } from '../../../catalogue/attribute/words/model.ts';
import { useResource } from '../../api/use-resource.ts';
import type { ProductContent } from '../product.ts';
import { type AttributeNames, namesOf, NO_NAMES } from './reading.ts';

/** `undefined` while they are on their way. What has no attributes needs no names. */
export function useNames(product: ProductContent | undefined): AttributeNames | undefined {
  const ncm = product !== undefined && hasAttributes(product) ? product.ncm : null;
  const form = useResource<ProductForm>(ncm === null ? undefined : '/appliance/api/product-form');
  const isAsked = ncm !== null && form.value?.attributeTable != null;
  const answer = useResource<NcmAttributes>(
    isAsked ? `/cadatributos/api/ext/atributo-ncm/${ncm}` : undefined,
  );
  const names = useMemo(
    () => (answer.value === undefined ? NO_NAMES : namesOf(answer.value.detalhesAtributos)),
    [answer.value],
  );
  if (product === undefined || form.loading || answer.loading) return undefined;
  return names;
}

const hasAttributes = (lists: AttributeLists): boolean =>
  lists.atributos.length +
    lists.atributosMultivalorados.length +
    lists.atributosCompostos.length +
    lists.atributosCompostosMultivalorados.length >
  0;
