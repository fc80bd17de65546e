/**
 * Serves future requirements and their days (contract section 19); `product/due-routes.ts` serves the
 * products concerned.
 */
import type { Clock } from '../../../clock.ts';
import { malformed } from '../../../errors.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { Reads } from '../../../reading/pool.ts';
import type { Caller } from '../../../session/model.ts';
import { tableOf, tableQuery } from '../../../sheet/table.ts';
import { dayOf } from '../../../validation/calendar.ts';
import type { CatalogueRules } from '../../../validation/company.ts';
import { fieldProblem } from '../../../validation/decoding.ts';
import { type NamedCompany, catalogueAccess, ownCompanies, ownNamedCompanies } from '../../access.ts';
import { pageAnswer } from '../../paging/answers.ts';
import { pageOf } from '../../paging/cursor.ts';
import { pageMembers } from '../../paging/model.ts';
import { tableOperations } from '../../table-operations.ts';
import type { DeadlineDaysRead } from './days.ts';
import { DeadlineDays, type DeadlineFilter, deadlineFilters, deadlinePageForm } from './model.ts';
import { DEADLINE_TARGETS, type DeadlineTableRead, type DeadlinesRead } from './page.ts';
import { t } from '../../../validation/type.ts';

const PATH = '/appliance/api/deadlines';
const TAG = 'Prazos';
const ORDERS = { on: ['string', 'string', 'string', 'string', 'string'] } as const;

export function deadlineRoutes({
  reads,
  rules,
  clock,
  listCompanies,
}: {
  readonly reads: Reads<DeadlinesRead | DeadlineDaysRead | DeadlineTableRead>;
  readonly rules: CatalogueRules;
  readonly clock: Clock;
  readonly listCompanies: () => readonly NamedCompany[];
}): Operation<Caller>[] {
  const filters = deadlineFilters(rules);
  const filterOf = (
    { cpfCnpjRaiz, codigoProduto, ncm, ...others }: DeadlineQuery,
    caller: Caller,
  ): DeadlineFilter => ({
    ...others,
    ncm: ncm?.replaceAll('.', ''),
    today: dayOf(clock.now()),
    companies: cpfCnpjRaiz === undefined ? companiesToCount(caller) : [cpfCnpjRaiz],
    ...(cpfCnpjRaiz === undefined && { listed: ownNamedCompanies(caller, listCompanies()) }),
    ...(codigoProduto !== undefined && { product: productOf(cpfCnpjRaiz, codigoProduto) }),
  });
  /** An administrator reads no catalogue, only these counts. */
  const { readsQueryCompany } = catalogueAccess(rules);
  const guard: typeof readsQueryCompany = (caller, ...request) => {
    if (!caller.administrador) readsQueryCompany(caller, ...request);
  };
  return [
    operation('GET', PATH, {
      tag: TAG,
      source: 'contract, section 19',
      id: 'listDeadlines',
      summary: 'Lista os prazos: o que vai ser exigido de produtos, e desde quando',
      description:
        'Por dia, NCM e atributo. Um prazo é certo se já consta de uma tabela carregada, em vigor ou agendada, ou se a NCM termina na nomenclatura; é anunciado no fim de um par opcional, que a tabela pública costuma tornar obrigatório no dia seguinte. Das empresas que o usuário representa, ou de uma; um administrador vê os números de todas. Sem cpfCnpjRaiz, cada prazo diz a quantos produtos de cada empresa falta.',
      query: t.Object({ ...filters, ...pageMembers }),
      success: deadlinePageForm(rules),
      guard,
      handle: ({ query, caller, quotaOwner }) => {
        const { filters: queryFilters, page } = pageOf(query, ORDERS, 'on');
        return pageAnswer(reads, quotaOwner, {
          kind: 'deadlines',
          filter: filterOf(queryFilters, caller),
          page,
        });
      },
    }),

    operation('GET', `${PATH}/days`, {
      tag: TAG,
      source: 'contract, section 19',
      id: 'countDeadlineProducts',
      summary: 'Conta os produtos a que falta o que vai ser exigido, dia a dia',
      description:
        'Cada produto conta uma vez em cada dia, mesmo que lhe falte mais de um valor. As empresas são as da lista de prazos.',
      query: t.Object({ cpfCnpjRaiz: filters.cpfCnpjRaiz, until: filters.until }),
      success: DeadlineDays,
      guard,
      handle: ({ query, caller, quotaOwner }) =>
        pageAnswer(reads, quotaOwner, { kind: 'deadlineDays', filter: filterOf(query, caller) }),
    }),

    ...tableOperations({
      path: PATH,
      tag: TAG,
      subject: 'os prazos que os filtros acham, todos',
      reads,
      clock,
      guard,
      csv: {
        id: 'downloadDeadlineTable',
        description: 'Sem cpfCnpjRaiz uma linha por empresa, que começa com ela.',
      },
      xlsx: { id: 'downloadDeadlineSheet', description: 'As mesmas colunas do CSV.' },
      query: tableQuery(filters, DEADLINE_TARGETS),
      nameOf: ({ query: { cpfCnpjRaiz } }) =>
        cpfCnpjRaiz === undefined ? 'prazos' : `prazos-${cpfCnpjRaiz}`,
      readOf: ({ query, caller }) => {
        const { filters: queryFilters, columns } = tableOf(query);
        return { kind: 'deadlineTable', filter: filterOf(queryFilters, caller), columns } as const;
      },
    }),
  ];
}

interface DeadlineQuery {
  readonly cpfCnpjRaiz?: string;
  readonly until?: string;
  readonly ncm?: string;
  readonly codigoProduto?: number;
  readonly unconfirmed?: boolean;
}

/** Throws 400. */
function productOf(cpfCnpjRaiz: string | undefined, codigo: number) {
  if (cpfCnpjRaiz !== undefined) return { cpfCnpjRaiz, codigo };
  const reason = 'só se pede com cpfCnpjRaiz, a empresa do produto; informe cpfCnpjRaiz também.';
  throw malformed([fieldProblem('codigoProduto', reason, 'codigoProduto')]);
}

/** An administrator sees the numbers of all. */
const companiesToCount = (caller: Caller): readonly string[] | undefined =>
  caller.administrador ? undefined : ownCompanies(caller);
