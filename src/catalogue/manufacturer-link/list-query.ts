/** Selects the links in force of a company as SQL, for the export (contract section 7). */
import type { Db } from '../../db/open.ts';
import { companyIdOf } from '../list-query.ts';
import { KEYS_OF_COMPANY, keyIn } from '../versioned/model.ts';
import type { StoredLink } from './model.ts';

export interface LinkFilter {
  readonly cpfCnpjRaiz: string;
  /** Only the links of this product. */
  readonly codigoProduto?: number;
}

interface Row extends Omit<StoredLink, 'conhecido'> {
  readonly conhecido: 0 | 1;
}

/**
 * The order is that of the index, so nothing is sorted, and depends on the links alone: equal catalogues
 * give equal files.
 */
export const LINKS_IN_FORCE = `SELECT id, product_id % ${KEYS_OF_COMPANY} AS codigoProduto, conhecido, codigo_pais AS codigoPais,
    codigo_operador AS codigoOperadorEstrangeiro, cpf_cnpj_fabricante AS cpfCnpjFabricante, starts_on AS startsOn
  FROM manufacturer_link INDEXED BY manufacturer_link_once
  WHERE product_id > ? AND product_id < ? AND unlinked_at IS NULL
  ORDER BY product_id, conhecido, codigo_pais, ifnull(codigo_operador, ''), ifnull(cpf_cnpj_fabricante, '')`;

/** Runs the query on a read connection. */
export function* iterateLinks(db: Db, { cpfCnpjRaiz, codigoProduto }: LinkFilter): Generator<StoredLink> {
  const companyId = companyIdOf(db, cpfCnpjRaiz);
  if (companyId === undefined) return;
  const links = db.prepare<[number, number], Row>(LINKS_IN_FORCE);
  const [after, before] =
    codigoProduto === undefined
      ? [keyIn(companyId, 0), keyIn(companyId + 1, 0)]
      : [keyIn(companyId, codigoProduto - 1), keyIn(companyId, codigoProduto + 1)];
  for (const row of links.iterate(after, before)) yield toLink(row);
}

const toLink = (row: Row): StoredLink => ({ ...row, conhecido: row.conhecido === 1 });
