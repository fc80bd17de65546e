/** Serves a search for NCMs in the table in force (contract section 17). */
import type { Clock } from '../../clock.ts';
import { type Operation, ok, operation } from '../../http/operation.ts';
import type { Nomenclature } from '../../nomenclature/service.ts';
import type { Reads } from '../../reading/pool.ts';
import type { Caller } from '../../session/model.ts';
import { dayOf } from '../../validation/calendar.ts';
import { pageAnswer } from '../paging/answers.ts';
import { pageOf } from '../paging/cursor.ts';
import { pageForm, pageMembers } from '../paging/model.ts';
import type { NcmsRead } from './serving/ncm-search.ts';
import type { TableQueries } from './serving/table-queries.ts';
import { form, text, integerForm } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

const SEARCH_MAX = 100;
const ORDERS = { ncm: ['string'] } as const;

const MatchedAttribute = form('MatchedAttribute', 'Um atributo cujo nome contém o texto procurado.', {
  codigo: text('Código do atributo.', 'ATT_90001'),
  nomeApresentacao: text('Nome mostrado a pessoas.', 'Torrado'),
});
const NcmMatch = form('FoundNcm', 'Uma NCM da tabela em vigor.', {
  ncm: text('Código NCM, 8 dígitos.', '09012100'),
  attributes: integerForm('Quantos atributos de produto ela pede hoje.', 5),
  required: integerForm('Quantos deles são obrigatórios em alguma modalidade.', 2),
  matched: t.Array(MatchedAttribute, {
    description: 'Os atributos que o texto encontrou; vazia quando se procura por código.',
  }),
});

const NO_MATCHES = { items: [], next: null, total: 0, totalIsExact: true } as const;

export const ncmRoutes = ({
  tableQueries,
  searches,
  nomenclature,
  clock,
}: {
  readonly tableQueries: TableQueries;
  readonly searches: Reads<NcmsRead>;
  /** Nomenclature whose words are also searched. */
  readonly nomenclature: Pick<Nomenclature, 'codes'>;
  readonly clock: Clock;
}): Operation<Caller>[] => [
  operation('GET', '/appliance/api/ncms', {
    tag: 'Tabelas de atributos',
    source: 'contract, section 17',
    id: 'listNcms',
    summary: 'Procura NCMs na tabela de atributos em vigor, em páginas',
    description:
      'Em ordem de código. search com dígitos: NCMs que começam por eles, com ou sem pontos; com texto: as que têm um atributo com esse texto no nome, ou essas palavras na descrição da nomenclatura, sem distinguir maiúsculas e acentos. Sem tabela em vigor, nenhuma.',
    query: t.Object({
      search: t.Optional(
        t.String({
          maxLength: SEARCH_MAX,
          description: 'Começo do código, palavras da nomenclatura, ou parte do nome de um atributo.',
        }),
      ),
      ...pageMembers,
    }),
    success: pageForm(NcmMatch, 'NcmPage', 'Uma página de NCMs.'),
    handle: ({ query, quotaOwner }) => {
      const { filters, page } = pageOf(query, ORDERS, 'ncm');
      const table = tableQueries.current();
      if (table === undefined) return ok(NO_MATCHES);
      const search = filters.search?.trim() ?? '';
      const day = dayOf(clock.now());
      return pageAnswer(searches, quotaOwner, {
        kind: 'ncms',
        tableId: table.id,
        day,
        search,
        nomenclatureMatches: search === '' ? [] : nomenclature.codes(search),
        page,
      });
    },
  }),
];
