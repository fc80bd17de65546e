/** Stored and printed forms of a product. */
import type { AttributeLists } from '../attribute/words/model.ts';
import { columnsBy, parsed, printerOf } from '../member-record.ts';
import { PRODUCT, PRODUCT_FORMS } from '../members/product.ts';
import type { VersionNumber } from '../version.ts';
import type { ProductColumns, Situacao, StoredAttributes } from './model.ts';

/** Members that a record prints, without its position in a list. */
export interface PrintedProduct extends ProductColumns, VersionNumber {
  readonly codigo: number;
  readonly situacao: Situacao;
}

export const { columnsOf, contentOf } = columnsBy(PRODUCT);

export const codigosInternoOf = ({ codigosInterno }: Pick<ProductColumns, 'codigosInterno'>) =>
  parsed<string>(codigosInterno);

export const attributesOf = (stored: StoredAttributes): AttributeLists => ({
  atributos: parsed(stored.atributos),
  atributosMultivalorados: parsed(stored.atributosMultivalorados),
  atributosCompostos: parsed(stored.atributosCompostos),
  atributosCompostosMultivalorados: parsed(stored.atributosCompostosMultivalorados),
});

export const printResponse = printerOf<PrintedProduct>(PRODUCT, PRODUCT_FORMS.response);
export const printListItem = printerOf<PrintedProduct>(PRODUCT, PRODUCT_FORMS.list);
/** Prints the list form without its position, with the time of the last change (contract section 14). */
export const printPageItem = printerOf<PrintedProduct>(PRODUCT, PRODUCT_FORMS.page);
