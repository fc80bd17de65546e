/** A product as the API hands it out, its address, and its words. */
import { type Member, withFirst } from '../../catalogue/members/member.ts';
import { PRODUCT, PRODUCT_WRITTEN, type WrittenName } from '../../catalogue/members/product.ts';
import type { Product } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';
import { ncmText } from '../words.ts';

/** The members of a product that its versions are made of. */
export type ProductContent = Omit<Product, 'cpfCnpjRaiz' | 'codigo' | 'versao' | 'situacao'>;

export const PRODUCTS = '/catp/api/ext/produto';
export const PRODUCT_PAGES = '/appliance/api/products';

/** `more`: what is shown of it. */
export const addressOf = (
  { cpfCnpjRaiz, codigo }: { readonly cpfCnpjRaiz: string; readonly codigo: string | number },
  more: Readonly<Record<string, string>> = {},
): string => `/produtos/${cpfCnpjRaiz}/${codigo}${queryOf(more)}`;

/** As a form asks them: the NCM before what hangs on it. */
export const WRITTEN = withFirst(['denominacao', 'descricao', 'ncm'], PRODUCT_WRITTEN);

export const MODALIDADES: Readonly<Record<string, string>> = PRODUCT.modalidade.choices;

/** What a member holds, in words; '' where it is empty. */
export function memberText(name: WrittenName, value: string | readonly string[] | null): string {
  if (value === null || typeof value !== 'string') return value?.join(', ') ?? '';
  if (name === 'ncm') return ncmText(value);
  const { choices = {} }: Member = PRODUCT[name];
  return choices[value] ?? value;
}
