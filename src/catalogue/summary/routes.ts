/** The catalogue of a company in numbers, and what asks for somebody in each of a caller's companies. */
import { Type as t } from '@sinclair/typebox';
import { type Operation, operation } from '../../http/operation.ts';
import type { Reads } from '../../reading/pool.ts';
import type { Caller } from '../../session/model.ts';
import type { CatalogueAccess } from '../access.ts';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { pageAnswer } from '../paging/answers.ts';
import { type AttentionRead, attentionForm } from './attention.ts';
import { summaryForm } from './model.ts';
import type { SummaryRead } from './page.ts';

export interface SummaryRoutesParts {
  readonly summaries: Reads<SummaryRead | AttentionRead>;
  readonly rules: CatalogueRules;
  readonly access: CatalogueAccess;
}

export const summaryRoutes = ({ summaries, rules, access }: SummaryRoutesParts): Operation<Caller>[] => [
  operation('GET', '/appliance/api/summary', {
    ...{ tag: 'Produtos', source: 'contract, section 17' },
    id: 'getSummary',
    summary: 'Mostra o catálogo de uma empresa em números',
    description:
      'Produtos e operadores por situação, os vínculos em vigor, os produtos por capítulo da NCM, e o que cada tabela de atributos desativou e quanto disso voltou.',
    query: t.Object({ cpfCnpjRaiz: companySchema(rules) }),
    success: summaryForm(rules),
    guard: access.readsQueryCompany,
    handle: ({ query, holder }) =>
      pageAnswer(summaries, holder, { kind: 'summary', cpfCnpjRaiz: query.cpfCnpjRaiz }),
  }),

  operation('GET', '/appliance/api/attention', {
    ...{ tag: 'Produtos', source: 'contract, section 25' },
    id: 'listAttention',
    summary: 'Mostra o que pede atenção em cada empresa de quem pergunta',
    description:
      'Todas as que representa, também as em que não há nada; [] para quem não representa nenhuma.',
    success: attentionForm(rules),
    handle: ({ caller, holder }) =>
      pageAnswer(summaries, holder, { kind: 'attention', companies: [...caller.companies].sort() }),
  }),
];
