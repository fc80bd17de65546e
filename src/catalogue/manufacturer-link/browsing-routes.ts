/** Serves pages of the links in force: the specification only exports them (contract section 14). */
import type { Clock } from '../../clock.ts';
import { type Operation, operation } from '../../http/operation.ts';
import type { Reads } from '../../reading/pool.ts';
import type { Caller } from '../../session/model.ts';
import type { CatalogueAccess } from '../access.ts';
import { OperatorCodigo } from '../foreign-operator/model.ts';
import { DayText } from '../model.ts';
import { pageAnswer } from '../paging/answers.ts';
import { pageOf } from '../paging/cursor.ts';
import { tableOperations } from '../table-operations.ts';
import { tableOf, tableQuery } from '../../sheet/table.ts';
import { pageForm, placedMembers } from '../paging/model.ts';
import { Codigo } from '../product/model.ts';
import { LINK_ORDERS, type LinkSchemas } from './model.ts';
import type { LinkPageRead } from './listing.ts';
import { LINK_COLUMNS, type LinkTableRead } from './table.ts';
import { form, nullable, text } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

const PATH = '/appliance/api/manufacturer-links';

export function linkBrowsingRoutes({
  pages,
  schemas,
  access,
  clock,
}: {
  readonly pages: Reads<LinkPageRead | LinkTableRead>;
  readonly schemas: LinkSchemas;
  readonly access: CatalogueAccess;
  readonly clock: Clock;
}): Operation<Caller>[] {
  const { cpfCnpjRaiz, Response } = schemas;
  const { cpfCnpjRaiz: _, ...members } = Response.properties;
  const filterMembers = {
    cpfCnpjRaiz,
    codigoProduto: t.Optional(Codigo),
    codigoOperadorEstrangeiro: t.Optional(OperatorCodigo),
  };
  const tag = 'Vínculos de fabricantes e produtores';
  const Paged = form('PagedLink', 'Um vínculo em vigor.', {
    ...members,
    denominacao: text('Denominação do produto.', 'Caixa plástica'),
    nome: nullable(text('Nome do operador; null onde não há um.', 'Muster GmbH')),
    startsOn: { ...DayText, description: 'Desde quando o vínculo vale.' },
  });
  return [
    operation('GET', PATH, {
      tag,
      source: 'contract, section 14',
      id: 'listLinkPage',
      summary: 'Consulta em páginas os vínculos em vigor, da empresa, de um produto ou de um operador',
      description: 'Em ordem de código do produto; os de um mesmo produto, na ordem em que foram feitos.',
      query: t.Object({ ...filterMembers, ...placedMembers }),
      success: pageForm(Paged, 'LinkPage', 'Uma página de vínculos.'),
      guard: access.readsQueryCompany,
      handle: ({ query, quotaOwner }) => {
        const { filters, page } = pageOf(query, LINK_ORDERS, 'codigoProduto');
        return pageAnswer(pages, quotaOwner, { kind: 'linkPage', filter: filters, page });
      },
    }),

    ...tableOperations({
      path: PATH,
      tag,
      subject: 'os vínculos em vigor que os filtros acham, todos',
      reads: pages,
      clock,
      csv: { id: 'downloadLinkTable' },
      xlsx: { id: 'downloadLinkSheet' },
      query: tableQuery(
        filterMembers,
        LINK_COLUMNS.map(({ target }) => target),
      ),
      guard: access.readsQueryCompany,
      nameOf: ({ query }) => `vinculos-${query.cpfCnpjRaiz}`,
      readOf: ({ query }) => {
        const { filters: filter, columns } = tableOf(query);
        return { kind: 'linkTable', filter, columns } as const;
      },
    }),
  ];
}
