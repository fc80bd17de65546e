/** What the pages of attributes speak of (contract sections 8 and 13), as the API gives it. */
import type { InvalidProduct } from '../api/answers.ts';

export const TABLES = '/appliance/api/attribute-tables';

export interface Changes<One, Changed = One> {
  readonly added: readonly One[];
  readonly removed: readonly One[];
  readonly changed: readonly Changed[];
}

/** `0901.21.00` */
export const dotted = (ncm: string): string =>
  /^\d{8}$/.test(ncm) ? `${ncm.slice(0, 4)}.${ncm.slice(4, 6)}.${ncm.slice(6)}` : ncm;

export const productAddress = ({
  cpfCnpjRaiz,
  codigo,
}: Pick<InvalidProduct, 'cpfCnpjRaiz' | 'codigo'>): string => `/produtos/${cpfCnpjRaiz}/${codigo}`;
