/**
 * Serves the counts of a company's catalogue, and the items that need attention in each of a caller's
 * companies.
 */
import type { Clock } from '../../clock.ts';
import { type Operation, operation } from '../../http/operation.ts';
import type { Reads } from '../../reading/pool.ts';
import type { Caller } from '../../session/model.ts';
import { dayOf } from '../../validation/calendar.ts';
import { type CatalogueAccess, ownCompanies } from '../access.ts';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { pageAnswer } from '../paging/answers.ts';
import { closedForm } from '../../validation/forms.ts';
import { ATTENTION_ID, AttentionKindForm, type AttentionRead, attentionForm } from './attention.ts';
import { type Dismissals, decidableBy } from './dismissals.ts';
import { summaryForm } from './model.ts';
import type { SummaryRead } from './page.ts';
import { t } from '../../validation/type.ts';

const ATTENTION = '/appliance/api/attention';

export const summaryRoutes = ({
  summaries,
  dismissals,
  rules,
  access,
  clock,
}: {
  readonly summaries: Reads<SummaryRead | AttentionRead>;
  readonly dismissals: Dismissals;
  readonly rules: CatalogueRules;
  readonly access: CatalogueAccess;
  readonly clock: Clock;
}): Operation<Caller>[] => [
  operation('GET', '/appliance/api/summary', {
    tag: 'Produtos',
    source: 'contract, section 17',
    id: 'getSummary',
    summary: 'Mostra o catálogo de uma empresa em números',
    description:
      'Produtos e operadores por situação, os vínculos em vigor, os produtos por capítulo da NCM, e o que cada tabela de atributos desativou e quanto disso voltou.',
    query: t.Object({ cpfCnpjRaiz: companySchema(rules) }),
    success: summaryForm(rules),
    guard: access.readsQueryCompany,
    handle: ({ query, quotaOwner }) =>
      pageAnswer(summaries, quotaOwner, { kind: 'summary', cpfCnpjRaiz: query.cpfCnpjRaiz }),
  }),

  operation('GET', ATTENTION, {
    tag: 'Produtos',
    source: 'contract, section 25',
    id: 'listAttention',
    summary: 'Mostra o que pede atenção em cada empresa de quem pergunta',
    description:
      'Todas as empresas que o usuário representa, também as que não têm nada, ou só cpfCnpjRaiz; para um agente público, todas; [] para quem não representa nenhuma. O mais urgente primeiro: pela gravidade e depois pelo dia. Um item dispensado volta quando sua contagem cresce. Uma assinatura com falhas, ou a falta de tabela, aparece em cada empresa.',
    query: t.Object({ cpfCnpjRaiz: t.Optional(companySchema(rules)) }),
    success: attentionForm(rules),
    guard: access.readsQueryCompany,
    handle: async ({ query: { cpfCnpjRaiz }, caller, quotaOwner }) => ({
      body: await dismissals.list(quotaOwner, {
        companies: cpfCnpjRaiz === undefined ? ownCompanies(caller) : [cpfCnpjRaiz],
        documento: caller.documento,
        decidableCompanies: decidableBy(caller),
        administrador: caller.administrador,
        today: dayOf(clock.now()),
      }),
    }),
  }),

  operation('POST', `${ATTENTION}/dismissals`, {
    tag: 'Produtos',
    source: 'contract, section 25',
    id: 'dismissAttention',
    right: 'preenchimento',
    summary: 'Dispensa o que pede atenção em uma empresa, até que sua contagem cresça',
    description:
      'Vale para todos os que representam a empresa, e fica na trilha de auditoria. Sem id, dispensa tudo do mesmo kind; em importacoes, as que agora pedem atenção, e não as que vierem depois.',
    body: closedForm('AttentionDismissal', 'O que se dispensa.', {
      cpfCnpjRaiz: companySchema(rules),
      kind: AttentionKindForm,
      id: t.Optional(ATTENTION_ID),
    }),
    example: { cpfCnpjRaiz: '12345678', kind: 'rascunhos' },
    otherSuccess: [204],
    handle: ({ caller, quotaOwner, body }) => dismissals.dismiss(caller, quotaOwner, body),
  }),
];
