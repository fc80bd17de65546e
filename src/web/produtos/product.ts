/** A product as the API hands it out, its address, and its words. */
import type { Product } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';

/** The members of a product that its versions are made of. */
export type ProductContent = Omit<Product, 'cpfCnpjRaiz' | 'codigo' | 'versao' | 'situacao'>;

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
