/** Serves products that lack future requirements (contract section 19): in pages, and as a table. */
import { type Operation, operation } from '../../http/operation.ts';
import type { Reads } from '../../reading/pool.ts';
import type { Caller } from '../../session/model.ts';
import { tableOf, tableQuery } from '../../sheet/table.ts';
import { dayOf } from '../../validation/calendar.ts';
import { type NamedCompany, ownNamedCompanies } from '../access.ts';
import { pageAnswer } from '../paging/answers.ts';
import { pageOf } from '../paging/cursor.ts';
import { pageMembers } from '../paging/model.ts';
import { tableOperations } from '../table-operations.ts';
import { type ProductBrowsingParts, productPageForm } from './browsing-routes.ts';
import type { DueProductsRead } from './due-page.ts';
import { dueQuery, toDueFilter } from './filter.ts';
import { PRODUCT_ORDERS } from './model.ts';
import type { ProductPageRead } from './page.ts';
import { ATTRIBUTE_TARGET, PRODUCT_TARGETS, type ProductTableRead } from './table.ts';
import { t } from '../../validation/type.ts';

const PATH = '/appliance/api/deadlines/products';
const TAG = 'Prazos';

export interface DueRoutesParts extends Omit<ProductBrowsingParts, 'products' | 'pages'> {
  readonly pages: Reads<ProductPageRead | ProductTableRead | DueProductsRead>;
  readonly listCompanies: () => readonly NamedCompany[];
}

const ORDER = { codigo: PRODUCT_ORDERS.codigo } as const;
/** A page of several companies also ends in a company. */
const ORDER_OF_COMPANIES = { codigo: ['string', 'number'] } as const;

export function dueRoutes(parts: DueRoutesParts): Operation<Caller>[] {
  const { pages, schemas, rules, access, clock, tableInForce, listCompanies } = parts;
  const filters = dueQuery(rules);
  return [
    operation('GET', PATH, {
      tag: TAG,
      source: 'contract, section 19',
      id: 'listDeadlineProducts',
      summary: 'Lista os produtos a que falta o que vai ser exigido',
      description:
        'Os produtos ativos sem valor para um atributo que passa a ser exigido: em um dia (on), de uma NCM, de um atributo, em uma modalidade; e os de uma NCM que termina, a que falta outra. Sem filtros, em qualquer prazo. Em páginas, por código. Sem cpfCnpjRaiz, de todas as empresas do usuário, por empresa e código, e cada produto diz de que empresa é.',
      query: t.Object({ ...filters, ...pageMembers, cpfCnpjRaiz: t.Optional(filters.cpfCnpjRaiz) }),
      success: productPageForm(schemas),
      guard: access.readsQueryCompany,
      handle: ({ query, caller, quotaOwner }) => {
        const { cpfCnpjRaiz } = query;
        if (cpfCnpjRaiz === undefined) {
          const { filters: queryFilters, page } = pageOf(query, ORDER_OF_COMPANIES, 'codigo');
          const filter = toDueFilter(queryFilters, clock.now());
          const companies = ownNamedCompanies(caller, listCompanies());
          return pageAnswer(pages, quotaOwner, { kind: 'dueProducts', companies, filter, page });
        }
        const { filters: queryFilters, page } = pageOf(query, ORDER, 'codigo');
        const filter = { ...toDueFilter(queryFilters, clock.now()), cpfCnpjRaiz };
        return pageAnswer(pages, quotaOwner, { kind: 'productPage', filter, page });
      },
    }),

    ...tableOperations({
      path: PATH,
      tag: TAG,
      reads: pages,
      clock,
      guard: access.readsQueryCompany,
      subject: 'os produtos a que falta o que vai ser exigido, todos',
      csv: { id: 'downloadDeadlineProductTable', description: 'As mesmas colunas da tabela de produtos.' },
      xlsx: {
        id: 'downloadDeadlineProductSheet',
        description: 'As mesmas colunas do CSV; preenchido, volta por uma importação.',
      },
      query: tableQuery(filters, PRODUCT_TARGETS, ATTRIBUTE_TARGET),
      nameOf: ({ query }) => `prazos-produtos-${query.cpfCnpjRaiz}`,
      readOf: ({ query }) => {
        const { filters: queryFilters, columns } = tableOf(query);
        return {
          kind: 'productTable',
          filter: { ...toDueFilter(queryFilters, clock.now()), cpfCnpjRaiz: queryFilters.cpfCnpjRaiz },
          columns,
          order: { by: 'codigo', isDescending: false },
          table: tableInForce(),
          day: dayOf(clock.now()),
        } as const;
      },
    }),
  ];
}
