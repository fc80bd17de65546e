/** Serves products that lack future requirements (contract section 19): in pages, and as a table. */
import { Type as t } from '@sinclair/typebox';
import { type Operation, operation } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import { tableOf, tableQuery } from '../../sheet/table.ts';
import { dayOf } from '../../validation/calendar.ts';
import { pageAnswer } from '../paging/answers.ts';
import { pageOf } from '../paging/cursor.ts';
import { pageMembers } from '../paging/model.ts';
import { tableOperations } from '../table-operations.ts';
import { type ProductBrowsingParts, productPageForm } from './browsing-routes.ts';
import { dueQuery, toDueFilter } from './filter.ts';
import { PRODUCT_ORDERS } from './model.ts';
import { ATTRIBUTE_TARGET, PRODUCT_TARGETS } from './table.ts';

const PATH = '/appliance/api/deadlines/products';
const TAG = 'Prazos';

export function dueRoutes(parts: Omit<ProductBrowsingParts, 'products'>): Operation<Caller>[] {
  const { pages, schemas, rules, access, clock, tableInForce } = parts;
  const filters = dueQuery(rules);
  return [
    operation('GET', PATH, {
      tag: TAG,
      source: 'contract, section 19',
      id: 'listDeadlineProducts',
      summary: 'Lista os produtos a que falta o que vai ser exigido',
      description:
        'Os produtos ativos sem valor para um atributo que passa a ser exigido: em um dia (on), de uma NCM, de um atributo, em uma modalidade; e os de uma NCM que termina, a que falta outra. Sem filtros, em qualquer prazo. Em páginas, por código.',
      query: t.Object({ ...filters, ...pageMembers }),
      success: productPageForm(schemas),
      guard: access.readsQueryCompany,
      handle: ({ query, holder }) => {
        const { filters: queryFilters, page } = pageOf(query, PRODUCT_ORDERS, 'codigo');
        return pageAnswer(pages, holder, {
          kind: 'productPage',
          filter: toDueFilter(queryFilters, clock.now()),
          page,
        });
      },
    }),

    ...tableOperations({
      path: PATH,
      tag: TAG,
      reads: pages,
      clock,
      guard: access.readsQueryCompany,
      what: 'os produtos a que falta o que vai ser exigido, todos',
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
          ...({ kind: 'productTable', filter: toDueFilter(queryFilters, clock.now()), columns } as const),
          order: { by: 'codigo', isDescending: false } as const,
          table: tableInForce(),
          day: dayOf(clock.now()),
        };
      },
    }),
  ];
}
