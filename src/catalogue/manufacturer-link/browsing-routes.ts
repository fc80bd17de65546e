/** The links in force, in pages: the specification only exports them (contract section 14). */
import { Type as t } from '@sinclair/typebox';
import type { Clock } from '../../clock.ts';
import { type Operation, operation } from '../../http/operation.ts';
import type { Reads } from '../../reading/pool.ts';
import type { Caller } from '../../session/model.ts';
import type { CatalogueAccess } from '../access.ts';
import { OperatorCodigo } from '../foreign-operator/model.ts';
import { DayText } from '../model.ts';
import { pageAnswer } from '../paging/answers.ts';
import { pageOf } from '../paging/cursor.ts';
import { XLSX_TYPE, csvAnswer, xlsxAnswer } from '../../sheet/answers.ts';
import { tableOf, tableQuery } from '../../sheet/table.ts';
import { pageForm, pageMembers } from '../paging/model.ts';
import { Codigo } from '../product/model.ts';
import { LINK_ORDERS, type LinkSchemas } from './model.ts';
import type { LinkPageRead } from './page.ts';
import { LINK_COLUMNS, type LinkTableRead } from './table.ts';

export interface LinkBrowsingParts {
  readonly pages: Reads<LinkPageRead | LinkTableRead>;
  readonly schemas: LinkSchemas;
  readonly access: CatalogueAccess;
  readonly clock: Clock;
}

export function linkBrowsingRoutes({
  pages,
  schemas,
  access,
  clock,
}: LinkBrowsingParts): Operation<Caller>[] {
  const { cpfCnpjRaiz, Response } = schemas;
  const { cpfCnpjRaiz: _, ...members } = Response.properties;
  const asked = {
    cpfCnpjRaiz,
    codigoProduto: t.Optional(Codigo),
    codigoOperadorEstrangeiro: t.Optional(OperatorCodigo),
  };
  const tag = 'Vínculos de fabricantes e produtores';
  const Paged = t.Object(
    {
      ...members,
      denominacao: t.String({ description: 'Denominação do produto.', examples: ['Caixa plástica'] }),
      nome: t.Union([
        t.String({ description: 'Nome do operador; null onde não há um.', examples: ['Muster GmbH'] }),
        t.Null(),
      ]),
      startsOn: { ...DayText, description: 'Desde quando o vínculo vale.' },
    },
    { 'x-form': 'PagedLink', description: 'Um vínculo em vigor.' },
  );
  const table = {
    query: tableQuery(
      asked,
      LINK_COLUMNS.map(({ target }) => target),
    ),
    guard: access.readsQueryCompany,
  };
  type TableQuery = (typeof table)['query']['static'];
  const tableName = ({ cpfCnpjRaiz: company }: TableQuery): string => `vinculos-${company}`;
  const tableRead = (query: TableQuery) => {
    const { filters: filter, columns } = tableOf(query);
    return { kind: 'linkTable', filter, columns } as const;
  };

  return [
    operation('GET', '/appliance/api/manufacturer-links', {
      ...{ tag, source: 'contract, section 14' },
      id: 'listLinkPage',
      summary: 'Consulta em páginas os vínculos em vigor, da empresa, de um produto ou de um operador',
      description: 'Em ordem do código do produto e, de cada um, na ordem em que foram feitos.',
      query: t.Object({ ...asked, ...pageMembers }),
      success: pageForm(Paged, 'LinkPage', 'Uma página de vínculos.'),
      guard: access.readsQueryCompany,
      handle: ({ query, holder }) => {
        const { filters, page } = pageOf(query, LINK_ORDERS, 'codigoProduto');
        return pageAnswer(pages, holder, { kind: 'linkPage', filter: filters, page });
      },
    }),

    operation('GET', '/appliance/api/manufacturer-links.csv', {
      ...{ tag, source: 'contract, section 24' },
      id: 'downloadLinkTable',
      summary: 'Baixa em CSV os vínculos em vigor que os filtros acham, todos',
      ...table,
      produces: 'text/csv',
      handle: ({ query, holder }) =>
        csvAnswer(pages, holder, tableName(query), { ...tableRead(query), format: 'csv' }),
    }),

    operation('GET', '/appliance/api/manufacturer-links.xlsx', {
      ...{ tag, source: 'contract, section 24' },
      id: 'downloadLinkSheet',
      summary: 'Baixa em XLSX os vínculos em vigor que os filtros acham, todos',
      ...table,
      produces: XLSX_TYPE,
      handle: ({ query, holder }) =>
        xlsxAnswer(
          ...([pages, holder, tableName(query), { ...tableRead(query), format: 'xlsx' }] as const),
          clock.now(),
        ),
    }),
  ];
}
