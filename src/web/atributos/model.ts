/** What the pages of attributes speak of (contract sections 8 and 13), as the API gives it. */

export const TABLES = '/appliance/api/attribute-tables';

export interface LoadedTable {
  readonly id: number;
  readonly versao: string;
  readonly ncms: number;
  readonly attributes: number;
}

export interface ListedTable extends LoadedTable {
  readonly loadedAt: string;
  readonly inForce: boolean;
  readonly scheduledOn: readonly string[];
}

export interface Changes<One, Changed = One> {
  readonly added: readonly One[];
  readonly removed: readonly One[];
  readonly changed: readonly Changed[];
}

export interface ChangedAttribute {
  readonly atributo: string;
  readonly members: readonly string[];
}

export interface RequiredPair {
  readonly ncm: string;
  readonly atributo: string;
  readonly modalidade: string;
}

export interface Difference {
  /** `null`: no table is in force. */
  readonly from: string | null;
  readonly to: string;
  readonly ncms: Changes<string>;
  readonly attributes: Changes<string, ChangedAttribute>;
  readonly requiredPairs: Changes<RequiredPair>;
}

export interface InvalidProduct {
  readonly cpfCnpjRaiz: string;
  readonly codigo: number;
  readonly ncm: string;
  readonly problems: readonly { readonly message: string; readonly path: string | null }[];
}

export interface Impact {
  readonly difference: Difference;
  readonly invalid: readonly InvalidProduct[];
  readonly total: number;
}

export interface Activation {
  readonly deactivated: number;
  readonly events: number;
}

/** `0901.21.00` */
export const dotted = (ncm: string): string =>
  /^\d{8}$/.test(ncm) ? `${ncm.slice(0, 4)}.${ncm.slice(4, 6)}.${ncm.slice(6)}` : ncm;

export const productAddress = ({
  cpfCnpjRaiz,
  codigo,
}: Pick<InvalidProduct, 'cpfCnpjRaiz' | 'codigo'>): string => `/produtos/${cpfCnpjRaiz}/${codigo}`;
