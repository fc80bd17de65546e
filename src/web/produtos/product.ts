/** A product as the API hands it out, its address, and its words. */
import type { AttributeLists } from '../../catalogue/attribute/words/model.ts';
import { queryOf } from '../api/client.ts';

/** The members of a product that its versions are made of. */
export interface ProductContent extends AttributeLists {
  readonly descricao: string | null;
  readonly denominacao: string;
  readonly modalidade: string | null;
  readonly ncm: string | null;
  readonly codigosInterno: readonly string[];
}

export interface Product extends ProductContent {
  readonly cpfCnpjRaiz: string;
  readonly codigo: number;
  readonly versao: string;
  readonly situacao: string;
}

/** Of a page of the list (contract section 14). */
export interface ListedProduct extends Product {
  readonly changedAt: string;
}

export const PRODUCTS = '/catp/api/ext/produto';
export const PRODUCT_PAGES = '/appliance/api/products';

/** `more`: what is shown of it. */
export const addressOf = (
  { cpfCnpjRaiz, codigo }: Pick<Product, 'cpfCnpjRaiz' | 'codigo'>,
  more: Readonly<Record<string, string>> = {},
): string => `/produtos/${cpfCnpjRaiz}/${codigo}${queryOf(more)}`;

export const MODALIDADES: Readonly<Record<string, string>> = {
  IMPORTACAO: 'Importação',
  EXPORTACAO: 'Exportação',
  AMBOS: 'Importação e exportação',
};

export const modalidadeText = (modalidade: string | null): string =>
  modalidade === null ? '–' : (MODALIDADES[modalidade] ?? modalidade);
