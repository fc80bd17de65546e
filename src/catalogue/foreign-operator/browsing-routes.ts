/** Serves pages of foreign operators, and their history (contract section 14). */
import type { Clock } from '../../clock.ts';
import { type Operation, ok, operationsIn } from '../../http/operation.ts';
import type { Reads } from '../../reading/pool.ts';
import type { Caller } from '../../session/model.ts';
import type { CatalogueAccess } from '../access.ts';
import type { CatalogueRules } from '../../validation/company.ts';
import { pageAnswer } from '../paging/answers.ts';
import { pageOf } from '../paging/cursor.ts';
import { tableOperations } from '../table-operations.ts';
import { tableOf, tableQuery } from '../../sheet/table.ts';
import { ChangedAt, orderedMembers, pageForm, pageQuery } from '../paging/model.ts';
import { ListedVersion } from '../versioned/history.ts';
import { operatorPageFilters, toFilter } from './filter.ts';
import { OPERATOR_ORDERS, OperatorCodigo, type OperatorOrder, type operatorSchemas } from './model.ts';
import type { OperatorPageRead } from './listing.ts';
import type { OperatorService } from './service.ts';
import { OPERATOR_COLUMNS, type OperatorTableRead } from './table.ts';
import { form } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

export interface OperatorBrowsingParts {
  readonly operators: OperatorService;
  readonly pages: Reads<OperatorPageRead | OperatorTableRead>;
  readonly schemas: ReturnType<typeof operatorSchemas>;
  readonly rules: CatalogueRules;
  readonly access: CatalogueAccess;
  readonly clock: Clock;
}

const PATH = '/appliance/api/foreign-operators';
const tag = 'Operadores estrangeiros';
const operation = operationsIn({ tag, source: 'contract, section 14' });
const ORDERS = Object.keys(OPERATOR_ORDERS) as OperatorOrder[];

export function operatorBrowsingRoutes(parts: OperatorBrowsingParts): Operation<Caller>[] {
  const { operators, pages, schemas, access, clock } = parts;
  const { cpfCnpjRaiz, Record } = schemas;
  const filters = operatorPageFilters(parts.rules);
  const Paged = form('PagedForeignOperator', 'A versão de um operador estrangeiro em uma página.', {
    ...t.Omit(Record, ['seq']).properties,
    changedAt: ChangedAt,
  });

  return [
    operation('GET', PATH, {
      id: 'listForeignOperatorPage',
      summary: 'Consulta operadores estrangeiros em páginas, na ordem que se pedir',
      description:
        'Os filtros da consulta de operadores; desativados só com exibirDesativados=true. Nomes em ordem alfabética, sem distinguir maiúsculas e acentos. O que é incluído ou alterado entre duas páginas não repete nem esconde os demais.',
      query: pageQuery(filters, ORDERS),
      success: pageForm(Paged, 'ForeignOperatorPage', 'Uma página de operadores estrangeiros.'),
      guard: access.readsQueryCompany,
      handle: ({ query, quotaOwner }) => {
        const { filters: queryFilters, page } = pageOf(query, OPERATOR_ORDERS, 'codigo');
        return pageAnswer(pages, quotaOwner, { kind: 'operatorPage', filter: toFilter(queryFilters), page });
      },
    }),

    ...tableOperations({
      path: PATH,
      tag,
      reads: pages,
      clock,
      subject: 'os operadores estrangeiros que os filtros acham, todos',
      csv: { id: 'downloadForeignOperatorTable' },
      xlsx: { id: 'downloadForeignOperatorSheet' },
      query: tableQuery(
        orderedMembers(filters, ORDERS),
        OPERATOR_COLUMNS.map(({ target }) => target),
      ),
      guard: access.readsQueryCompany,
      nameOf: ({ query }) => `operadores-${query.cpfCnpjRaiz}`,
      readOf: ({ query }) => {
        const { filters: ordered, columns } = tableOf(query);
        const { filters: queryFilters, page } = pageOf(ordered, OPERATOR_ORDERS, 'codigo');
        return { kind: 'operatorTable', filter: toFilter(queryFilters), order: page.order, columns } as const;
      },
    }),

    operation('GET', `${PATH}/:cpfCnpjRaiz/:codigo/versions`, {
      id: 'listForeignOperatorVersions',
      summary: 'Mostra todas as versões de um operador estrangeiro, da mais antiga à mais nova',
      params: t.Object({ cpfCnpjRaiz, codigo: OperatorCodigo }),
      success: t.Array(ListedVersion),
      guard: access.readsPathCompany,
      handle: ({ params }) => ok(operators.history(params)),
    }),
  ];
}
