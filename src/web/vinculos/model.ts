/** The link of a product with who makes it (contract section 4). */

interface LinkRequest {
  readonly codigoProduto: number;
  readonly conhecido: boolean;
  readonly codigoPais: string;
  readonly codigoOperadorEstrangeiro: string | null;
  readonly cpfCnpjFabricante: string | null;
}

/** Of a page of the list of links in force. */
export interface ListedLink extends LinkRequest {
  readonly denominacao: string;
  /** Of the operator. */
  readonly nome: string | null;
  readonly startsOn: string;
}

export const LINK_PAGES = '/appliance/api/manufacturer-links';
