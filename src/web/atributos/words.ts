/** Types and words of the attribute pages (contract sections 8 and 13), as the API returns them. */
import type { InvalidProduct } from '../api/answers.ts';
import { folded, unpointed, wordsOf } from '../words.ts';

export const TABLES = '/appliance/api/attribute-tables';

export interface Changes<Item, Changed = Item> {
  readonly added: readonly Item[];
  readonly removed: readonly Item[];
  readonly changed: readonly Changed[];
}

export const productAddress = ({
  cpfCnpjRaiz,
  codigo,
}: Pick<InvalidProduct, 'cpfCnpjRaiz' | 'codigo'>): string => `/produtos/${cpfCnpjRaiz}/${codigo}`;

/**
 * Returns a test for products whose company, code, NCM or reasons contain every typed word. A code alone
 * matches that product only, not all codes that contain it.
 */
export function matching(typedText: string): (product: InvalidProduct) => boolean {
  const words = wordsOf(unpointed(typedText));
  return ({ cpfCnpjRaiz, codigo, ncm, problems }) => {
    const text = folded([ncm, cpfCnpjRaiz, ...problems.map(({ message }) => message)].join(' '));
    return words.every((word) => String(codigo) === word || text.includes(word));
  };
}
