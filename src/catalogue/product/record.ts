/** Stored and printed forms of a product. */
import type { AttributeLists } from '../attribute/words/model.ts';
import { columnsBy, parsed, printerOf } from '../member-record.ts';
import { contentNames } from '../members/member.ts';
import { PRODUCT, PRODUCT_FORMS } from '../members/product.ts';
import type { VersionNumber } from '../version.ts';
import type { ProductColumns, ProductContent, Situacao, StoredAttributes } from './model.ts';

/** Members that a record prints, without its position in a list. */
export interface PrintedProduct extends ProductColumns, VersionNumber {
  readonly codigo: number;
  readonly situacao: Situacao;
}

const converters = columnsBy(PRODUCT);
export const { contentOf } = converters;

/** The columns that were made last, with their content. */
let latest: { readonly content: ProductContent; readonly columns: ProductColumns } | undefined;

export function columnsOf(content: ProductContent): ProductColumns {
  const columns = converters.columnsOf(content);
  latest = { content, columns };
  return columns;
}

const NAMES = contentNames(PRODUCT);

/**
 * Returns the content of columns that are being written. To parse them takes as long as their fingerprint, and
 * most of them were just made: equal columns have the same content.
 */
export function writtenContentOf(columns: ProductColumns): ProductContent {
  const last = latest;
  const isLatest = last !== undefined && NAMES.every((name) => last.columns[name] === columns[name]);
  return isLatest ? last.content : contentOf(columns);
}

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
