/** What asks for somebody in each company of a caller, in one read (contract section 25). */
import { Type as t } from '@sinclair/typebox';
import type { Db } from '../../db/open.ts';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { choice, form, text } from '../../validation/forms.ts';
import { RemoteName } from '../model.ts';
import { attentionCounts } from './summary-list-query.ts';

const KINDS = ['deactivatedBySystem', 'drafts'] as const;
type Kind = (typeof KINDS)[number];
/** What is found out elsewhere (src/remote/standing). */
const KINDS_ELSEWHERE = ['remote', 'run'] as const;

const Item = form('AttentionItem', 'O que pede atenção em uma empresa.', {
  kind: choice(
    [...KINDS, ...KINDS_ELSEWHERE],
    'deactivatedBySystem: produtos que o sistema desativou porque os atributos da NCM mudaram; drafts: rascunhos por terminar; remote: registros que diferem de um remoto, pela última comparação e pelos envios desde então; run: passos de um envio parado ou que espera.',
  ),
  count: t.Integer({ minimum: 1, description: 'Quantos são.', examples: [12] }),
  href: text('A página em que se resolve.', '/atributos?aba=corrigir&cpfCnpjRaiz=12345678'),
  remote: t.Optional({ ...RemoteName, description: 'De remote e run: o remoto.' }),
});
type Item = typeof Item.static;

export const attentionForm = (rules: CatalogueRules) =>
  t.Array(
    form('CompanyAttention', 'Uma empresa e o que pede atenção nela.', {
      cpfCnpjRaiz: companySchema(rules),
      nome: text('Nome da empresa.', 'Importadora Exemplo Ltda'),
      items: t.Array(Item, { description: 'O que pede atenção nela; [] quando nada.' }),
    }),
  );

export interface AttentionRead {
  readonly kind: 'attention';
  readonly companies: readonly string[];
}

const PAGES: Readonly<Record<Kind, (cpfCnpjRaiz: string) => string>> = {
  deactivatedBySystem: (cpfCnpjRaiz) => `/atributos?aba=corrigir&cpfCnpjRaiz=${cpfCnpjRaiz}`,
  drafts: (cpfCnpjRaiz) => `/produtos?cpfCnpjRaiz=${cpfCnpjRaiz}&situacao=RASCUNHO`,
};

/** The text of the answer; an empty one where others may have their turn. */
export function* attentionTexts(
  db: Db,
  { companies }: AttentionRead,
  companyName: (cpfCnpjRaiz: string) => string | undefined,
  elsewhere: (cpfCnpjRaiz: string) => readonly Item[],
): Generator<string> {
  const countsOf = attentionCounts(db);
  const told = [];
  for (const cpfCnpjRaiz of companies) {
    const counts: Readonly<Record<Kind, number>> = countsOf(cpfCnpjRaiz);
    const items = KINDS.filter((kind) => counts[kind] > 0).map((kind) => ({
      ...{ kind, count: counts[kind], href: PAGES[kind](cpfCnpjRaiz) },
    }));
    told.push({
      cpfCnpjRaiz,
      nome: companyName(cpfCnpjRaiz) ?? '',
      items: [...items, ...elsewhere(cpfCnpjRaiz)],
    });
    yield '';
  }
  yield JSON.stringify(told);
}
