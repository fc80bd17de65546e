/** Wire schemas of deadlines (contract section 19). */
import type { Day } from '../../../clock.ts';
import { WrittenNcm } from '../../../nomenclature/model.ts';
import { type CatalogueRules, companySchema } from '../../../validation/company.ts';
import { choice, form, nullable, text, integerForm } from '../../../validation/forms.ts';
import { DayText } from '../../model.ts';
import { NextPage } from '../../paging/model.ts';
import { type DueFilter, DUE_MODALIDADES } from '../../product/filter.ts';
import { Codigo } from '../../product/model.ts';
import { t } from '../../../validation/type.ts';

export const DEADLINE_KINDS = ['announced', 'certain'] as const;
export type DeadlineKind = (typeof DEADLINE_KINDS)[number];

export type DeadlineModalidade = NonNullable<DueFilter['modalidade']>;

const counts = (whose: string) => ({
  products: integerForm(`De quantos produtos ativos${whose} é exigido.`, 20),
  missing: integerForm('Quantos deles ainda não têm o valor, ou a NCM que substitui a que termina.', 12),
});

const members = (rules: CatalogueRules) => ({
  on: { ...DayText, description: 'O primeiro dia em que é exigido.' },
  kind: choice(
    DEADLINE_KINDS,
    'announced: o par opcional termina na véspera, e a tabela pública costuma torná-lo obrigatório no dia seguinte; certain: já consta de uma tabela carregada, ou da nomenclatura.',
  ),
  overdue: t.Boolean({
    description: 'true: o dia anunciado chegou, e nenhuma tabela mais nova está em vigor.',
    examples: [false],
  }),
  ncm: text('NCM, 8 dígitos.', '09012100'),
  modalidade: nullable(choice(DUE_MODALIDADES, 'Em que operações é exigido; null: a própria NCM termina.')),
  codigo: nullable(text('O atributo; null: a própria NCM termina.', 'ATT_90001')),
  nome: nullable(text('Nome do atributo.', 'Torrado')),
  table: nullable(text('A versão da tabela de onde vem; null: vem da nomenclatura.', '137')),
  ...counts(''),
  companies: t.Optional(
    t.Array(
      form('DeadlineCompany', 'Uma empresa que tem produtos de que algo vai ser exigido.', {
        cpfCnpjRaiz: companySchema(rules),
        nome: text('Nome da empresa.', 'Importadora Exemplo Ltda'),
        ...counts(' dela'),
      }),
      { description: 'Sem cpfCnpjRaiz: as empresas do usuário que têm produtos assim, por nome.' },
    ),
  ),
});

const deadlineForm = (rules: CatalogueRules) =>
  form('Deadline', 'Um dia a partir do qual algo é exigido de produtos.', members(rules));
export type Deadline = ReturnType<typeof deadlineForm>['static'];
export type DeadlineCompany = NonNullable<Deadline['companies']>[number];

export const deadlinePageForm = (rules: CatalogueRules) =>
  form('DeadlinePage', 'Uma página de prazos.', {
    items: t.Array(deadlineForm(rules), {
      description: 'Os prazos desta página, por dia, NCM e atributo.',
    }),
    next: NextPage,
    total: integerForm('Quantos prazos há em todas as páginas.', 1),
  });

export const DeadlineDays = form('DeadlineDays', 'A quantos produtos falta o que vai ser exigido.', {
  days: t.Array(
    form('DeadlineDay', 'Um dia futuro, e os produtos ativos a que falta o que passa a ser exigido nele.', {
      on: { ...DayText, description: 'O primeiro dia em que é exigido.' },
      products: integerForm('A quantos produtos falta algo desse dia, cada um uma vez.', 12),
    }),
    { description: 'Os dias futuros, em ordem; só aqueles em que falta algo a algum produto.' },
  ),
  overdue: integerForm('A quantos produtos falta algo cujo dia anunciado já chegou, cada um uma vez.', 3),
  total: integerForm('A quantos produtos falta algo, nestes dias ou já vencido, cada um uma vez.', 14),
});
export type DeadlineDays = typeof DeadlineDays.static;

/** Query filters of the list. */
export const deadlineFilters = (rules: CatalogueRules) => ({
  cpfCnpjRaiz: t.Optional(companySchema(rules)),
  until: t.Optional({ ...DayText, description: 'Só o que é exigido até este dia.' }),
  ncm: t.Optional({ ...WrittenNcm, description: 'Só desta NCM, mesmo o que não afeta nenhum produto.' }),
  codigoProduto: t.Optional({
    ...Codigo,
    description: 'Só o que é exigido deste produto de cpfCnpjRaiz, se estiver ativo.',
  }),
  unconfirmed: t.Optional(
    t.Boolean({
      description:
        'true: em vez dos prazos, o que a tabela anterior tinha anunciado e a que está em vigor não confirmou nem anuncia mais; enquanto ela estiver em vigor.',
    }),
  ),
});

export interface ListedCompany {
  readonly cpfCnpjRaiz: string;
  readonly nome: string;
}

/** Filter of deadlines; plain values, since they are sent to the reading Worker. */
export interface DeadlineFilter extends Partial<DueFilter> {
  readonly today: Day;
  /** Ordered; `undefined`: all. */
  readonly companies: readonly string[] | undefined;
  /** Companies whose own counts each deadline also lists; absent: deadlines list no company. */
  readonly listed?: readonly ListedCompany[] | undefined;
  readonly until?: Day | undefined;
  readonly ncm?: string | undefined;
  /** Restricts the result to one product. */
  readonly product?: { readonly cpfCnpjRaiz: string; readonly codigo: number } | undefined;
  /** True: selects announced requirements that were not confirmed, in place of deadlines. */
  readonly unconfirmed?: boolean | undefined;
}

export const DeadlineUntil = t.Object({
  until: t.Optional({ ...DayText, description: 'Só o que é exigido até este dia.' }),
});

/** Part of the products that lack a future attribute of a modality from a day on, or need another NCM. */
export interface Warning {
  readonly cpfCnpjRaiz: string;
  readonly on: string;
  readonly kind: DeadlineKind;
  /** `null`: the NCM itself ends, so code and modality are both `null`. */
  readonly codigo: string | null;
  readonly modalidade: string | null;
  /** Ordered by NCM, then by code. */
  readonly products: readonly LackingProduct[];
  readonly isLast: boolean;
}

export type LackingProduct = readonly [ncm: string, codigo: number];
