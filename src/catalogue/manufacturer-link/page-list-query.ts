/** A page of the links in force of a company, of a product or of an operator, as SQL (contract section 14). */
import type { Db } from '../../db/open.ts';
import { Conditions, NO_COMPANY, type Parameter, type Query, companyIdOf } from '../list-query.ts';
import type { Page, PageRequest } from '../paging/model.ts';
import { KEYS_OF_COMPANY, keyIn } from '../versioned/model.ts';
import type { LinkOrder, ManufacturerLink } from './model.ts';

export interface LinkPageFilter {
  readonly cpfCnpjRaiz: string;
  readonly codigoProduto?: number;
  readonly codigoOperadorEstrangeiro?: string;
}

export interface PagedLink extends ManufacturerLink {
  readonly id: number;
  /** Of the product. */
  readonly denominacao: string;
  /** Of the operator; `null` where the link names none. */
  readonly nome: string | null;
  readonly startsOn: string;
}

type Asked = PageRequest<LinkOrder>;

/** What a filter finds is counted up to so many: some ten ms. */
const COUNTED_MAX = 20_000;

/** Reads a page on a reading connection. */
export function linkPage(db: Db, filter: LinkPageFilter, asked: Asked): Page<PagedLink> {
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  const { sql, parameters } = linkPageQuery(filter, companyId, asked);
  const rows = db.prepare<Parameter[], PagedLink & { readonly conhecido: unknown }>(sql).all(...parameters);
  const shown = rows.slice(0, asked.limit).map((row) => ({ ...row, conhecido: Number(row.conhecido) === 1 }));
  const last = shown.at(-1);
  const hasMore = last !== undefined && rows.length > shown.length;
  const counted = hasMore || asked.after !== undefined ? count(db, filter, companyId) : shown.length;
  return {
    rows: shown,
    next: hasMore ? [last.codigoProduto, last.id] : undefined,
    total: Math.max(shown.length, Math.min(counted, COUNTED_MAX)),
    totalIsExact: counted <= COUNTED_MAX,
  };
}

/** The query of a page, and of one link behind it. */
export function linkPageQuery(filter: LinkPageFilter, companyId: number, { after, limit }: Asked): Query {
  const { source, where } = linksOf(filter, companyId);
  if (after !== undefined)
    where.add('(l.product_id, l.id) > (?, ?)', keyIn(companyId, Number(after[0])), Number(after[1]));
  const sql = `SELECT l.id, l.product_id % ${KEYS_OF_COMPANY} AS codigoProduto, p.denominacao, l.conhecido,
      l.codigo_pais AS codigoPais, l.codigo_operador AS codigoOperadorEstrangeiro,
      (SELECT o.nome FROM foreign_operator o INDEXED BY foreign_operator_by_codigo
        WHERE o.company_id = ${companyId} AND o.codigo = l.codigo_operador) AS nome,
      l.cpf_cnpj_fabricante AS cpfCnpjFabricante, l.starts_on AS startsOn
    FROM ${source} CROSS JOIN product p ON p.id = l.product_id
    WHERE ${where.sql} ORDER BY l.product_id, l.id LIMIT ?`;
  return { sql, parameters: [...where.parameters, limit + 1] };
}

function linksOf({ codigoProduto, codigoOperadorEstrangeiro }: LinkPageFilter, companyId: number) {
  const where = new Conditions();
  where.when(codigoOperadorEstrangeiro, 'l.codigo_operador = ?');
  if (codigoProduto !== undefined) where.add('l.product_id = ?', keyIn(companyId, codigoProduto));
  else where.add('l.product_id > ? AND l.product_id < ?', keyIn(companyId, 0), keyIn(companyId + 1, 0));
  where.add('l.unlinked_at IS NULL');
  const index =
    codigoOperadorEstrangeiro === undefined
      ? 'manufacturer_link_of_product'
      : 'manufacturer_link_by_operator';
  return { source: `manufacturer_link l INDEXED BY ${index}`, where };
}

function count(db: Db, filter: LinkPageFilter, companyId: number): number {
  const { source, where } = linksOf(filter, companyId);
  const sql = `SELECT count(*) FROM (SELECT 1 FROM ${source} WHERE ${where.sql} LIMIT ${COUNTED_MAX + 1})`;
  return (
    db
      .prepare<Parameter[], number>(sql)
      .pluck()
      .get(...where.parameters) ?? 0
  );
}
