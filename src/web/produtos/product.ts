/** Product as the API returns it, with its address and texts. */
import { type Member, withFirst } from '../../catalogue/members/member.ts';
import { PRODUCT, PRODUCT_WRITTEN, type WrittenName } from '../../catalogue/members/product.ts';
import type { Product } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';
import { ncmText } from '../words.ts';

/** Members of a product that a version contains. */
export type ProductContent = Omit<Product, 'cpfCnpjRaiz' | 'codigo' | 'versao' | 'situacao'>;

export const PRODUCTS = '/catp/api/ext/produto';
export const PRODUCT_PAGES = '/appliance/api/products';

/** `more`: query parameters of the view. */
export const addressOf = (
  { cpfCnpjRaiz, codigo }: { readonly cpfCnpjRaiz: string; readonly codigo: string | number },
  more: Readonly<Record<string, string>> = {},
): string => `/produtos/${cpfCnpjRaiz}/${codigo}${queryOf(more)}`;

/** Order of the form: the NCM before the members that depend on it. */
export const WRITTEN = withFirst(['denominacao', 'descricao', 'ncm'], PRODUCT_WRITTEN);

export const MODALIDADES: Readonly<Record<string, string>> = PRODUCT.modalidade.choices;

/** Returns the value of a member in words, or '' when it is empty. */
export function memberText(name: WrittenName, value: string | readonly string[] | null): string {
  if (value === null || typeof value !== 'string') return value?.join(', ') ?? '';
  if (name === 'ncm') return ncmText(value);
  const { choices = {} }: Member = PRODUCT[name];
  return choices[value] ?? value;
}
