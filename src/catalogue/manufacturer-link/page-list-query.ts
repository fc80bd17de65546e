/**
 * Builds a page of the links in force of a company, of a product or of an operator, as SQL (contract section
 * 14).
 */
import type { Db } from '../../db/open.ts';
import { Conditions, NO_COMPANY, type Parameter, type Query, companyIdOf } from '../list-query.ts';
import { pageOfRows } from '../paging/list-query.ts';
import { EVERY_ROW, type Page, type PageRequest } from '../paging/model.ts';
import { KEYS_OF_COMPANY, keyIn } from '../versioned/model.ts';
import type { LinkOrder, ManufacturerLink } from './model.ts';

export interface LinkPageFilter {
  readonly cpfCnpjRaiz: string;
  readonly codigoProduto?: number;
  readonly codigoOperadorEstrangeiro?: string;
}

export interface PagedLink extends ManufacturerLink {
  readonly id: number;
  /** Name of the product. */
  readonly denominacao: string;
  /** Name of the operator; `null` if the link names none. */
  readonly nome: string | null;
  readonly startsOn: string;
}

type LinkPageRequest = PageRequest<LinkOrder>;

/** Reads a page on a read connection. */
export function linkPage(db: Db, filter: LinkPageFilter, request: LinkPageRequest): Page<PagedLink> {
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  const { sql, parameters } = linkPageQuery(filter, companyId, request);
  const rows = db.prepare<Parameter[], Row>(sql).all(...parameters);
  return pageOfRows(
    db,
    request,
    rows.map(toPaged),
    ({ codigoProduto, id }) => [codigoProduto, id],
    linksOf(filter, companyId),
  );
}

/** Yields all links. */
export function* iterateLinkPage(db: Db, filter: LinkPageFilter): Generator<PagedLink> {
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  const { sql, parameters } = linkPageQuery(filter, companyId, EVERY_ROW);
  for (const row of db.prepare<Parameter[], Row>(sql).iterate(...parameters)) yield toPaged(row);
}

type Row = Omit<PagedLink, 'conhecido'> & { readonly conhecido: unknown };

const toPaged = (row: Row): PagedLink => ({ ...row, conhecido: Number(row.conhecido) === 1 });

/** Returns the query of a page, and of one link after it. */
export function linkPageQuery(
  filter: LinkPageFilter,
  companyId: number,
  { after, from = 0, limit }: Pick<LinkPageRequest, 'after' | 'from' | 'limit'>,
): Query {
  const where = linksOf(filter, companyId);
  if (after !== undefined)
    where.add('(l.product_id, l.id) > (?, ?)', keyIn(companyId, Number(after[0])), Number(after[1]));
  const sql = `SELECT l.id, l.product_id % ${KEYS_OF_COMPANY} AS codigoProduto,
      (SELECT p.denominacao FROM product p WHERE p.id = l.product_id) AS denominacao, l.conhecido,
      l.codigo_pais AS codigoPais, l.codigo_operador AS codigoOperadorEstrangeiro,
      (SELECT o.nome FROM foreign_operator o INDEXED BY foreign_operator_by_codigo
        WHERE o.company_id = ${companyId} AND o.codigo = l.codigo_operador) AS nome,
      l.cpf_cnpj_fabricante AS cpfCnpjFabricante, l.starts_on AS startsOn
    FROM ${where.sql} ORDER BY l.product_id, l.id LIMIT ? OFFSET ?`;
  return { sql, parameters: [...where.parameters, limit + 1, from] };
}

function linksOf(
  { codigoProduto, codigoOperadorEstrangeiro }: LinkPageFilter,
  companyId: number,
): Conditions {
  const where = new Conditions();
  const index = codigoOperadorEstrangeiro === undefined ? 'of_product' : 'by_operator';
  where.add(`manufacturer_link l INDEXED BY manufacturer_link_${index} WHERE l.unlinked_at IS NULL`);
  where.when(codigoOperadorEstrangeiro, 'l.codigo_operador = +?');
  if (codigoProduto !== undefined) where.add('l.product_id = +?', keyIn(companyId, codigoProduto));
  else where.add('l.product_id > ? AND l.product_id < ?', keyIn(companyId, 0), keyIn(companyId + 1, 0));
  return where;
}
