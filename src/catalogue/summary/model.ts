/** Counts of a company's catalogue, which the panel shows first. */
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { form, nullable } from '../../validation/forms.ts';
import { DayText } from '../model.ts';
import { t } from '../../validation/type.ts';

const count = (description: string) => t.Integer({ minimum: 0, description, examples: [12] });

const PRODUCT_COUNTS = {
  ATIVADO: count('Produtos ativados.'),
  DESATIVADO: count('Produtos desativados.'),
  RASCUNHO: count('Rascunhos.'),
  deactivatedBySystem: count(
    'Dos desativados, os que o sistema desativou porque os atributos da NCM mudaram.',
  ),
};
const ProductCounts = form('ProductCounts', 'Quantos produtos há em cada situação.', PRODUCT_COUNTS);
export type ProductCounts = typeof ProductCounts.static;

const ChapterCounts = form('ChapterCounts', 'Quantos produtos de um capítulo há em cada situação.', {
  chapter: nullable(
    t.String({
      description: 'Os dois primeiros dígitos da NCM; null nos rascunhos sem NCM.',
      examples: ['73'],
    }),
  ),
  ...PRODUCT_COUNTS,
});

const TableEffect = form('TableEffect', 'O efeito de uma tabela de atributos nos produtos de uma empresa.', {
  id: t.Integer({ minimum: 1, description: 'Identificador da tabela.', examples: [2] }),
  versao: t.String({ description: 'Versão da tabela.', examples: ['2026.01.20'] }),
  inForceOn: t.String({ ...DayText, description: 'O dia em que entrou em vigor.' }),
  deactivated: count('Produtos que o sistema desativou por causa dela, cada um uma vez.'),
  active: count('Destes, os que estão ativados de novo.'),
});
const OperatorCounts = form('ForeignOperatorCounts', 'Quantos operadores há em cada situação.', {
  ATIVADO: count('Operadores ativados.'),
  DESATIVADO: count('Operadores desativados.'),
});

export const summaryForm = (rules: CatalogueRules) =>
  form('CatalogueSummary', 'O catálogo de uma empresa em números.', {
    cpfCnpjRaiz: companySchema(rules),
    products: ProductCounts,
    chapters: t.Array(ChapterCounts, {
      description: 'Os produtos por capítulo da NCM, em ordem; por último os sem NCM.',
    }),
    tables: t.Array(TableEffect, {
      description:
        'As tabelas de atributos que desativaram produtos, ao entrar em vigor ou depois; a mais nova primeiro.',
    }),
    foreignOperators: OperatorCounts,
    manufacturerLinks: count('Vínculos em vigor.'),
  });
export type CatalogueSummary = ReturnType<typeof summaryForm>['static'];
export type ChapterCounts = typeof ChapterCounts.static;
export type TableEffect = typeof TableEffect.static;
