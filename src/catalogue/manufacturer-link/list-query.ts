/** The links in force of a company as SQL, for the export (contract section 7). */
import type { Db } from '../../db/open.ts';
import type { StoredLink } from './model.ts';

export interface LinkFilter {
  readonly cpfCnpjRaiz: string;
}

interface Row extends Omit<StoredLink, 'conhecido'> {
  readonly conhecido: 0 | 1;
}

/** The order is that of the index, so that nothing is sorted, and depends on the links alone: equal catalogues give equal files. */
export const LINKS_IN_FORCE = `SELECT id, codigo_produto AS codigoProduto, conhecido, codigo_pais AS codigoPais,
    codigo_operador AS codigoOperadorEstrangeiro, cpf_cnpj_fabricante AS cpfCnpjFabricante, starts_on AS startsOn
  FROM manufacturer_link INDEXED BY manufacturer_link_once
  WHERE cpf_cnpj_raiz = ? AND unlinked_at IS NULL
  ORDER BY codigo_produto, conhecido, codigo_pais, ifnull(codigo_operador, ''), ifnull(cpf_cnpj_fabricante, '')`;

/** Runs the query on a reading connection. */
export function* iterateLinks(db: Db, { cpfCnpjRaiz }: LinkFilter): Generator<StoredLink> {
  for (const row of db.prepare<[string], Row>(LINKS_IN_FORCE).iterate(cpfCnpjRaiz)) yield toLink(row);
}

const toLink = (row: Row): StoredLink => ({ ...row, conhecido: row.conhecido === 1 });
