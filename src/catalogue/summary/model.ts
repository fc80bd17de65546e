/** What a company's catalogue holds, in numbers: the first thing that its panel shows. */
import { Type as t } from '@sinclair/typebox';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';

const count = (description: string) => t.Integer({ minimum: 0, description, examples: [12] });

const ProductCounts = t.Object(
  {
    ATIVADO: count('Produtos ativados.'),
    DESATIVADO: count('Produtos desativados.'),
    RASCUNHO: count('Rascunhos.'),
    deactivatedBySystem: count(
      'Dos desativados, os que o sistema desativou porque os atributos da NCM mudaram.',
    ),
  },
  { 'x-form': 'ProductCounts', description: 'Quantos produtos há em cada situação.' },
);
const OperatorCounts = t.Object(
  { ATIVADO: count('Operadores ativados.'), DESATIVADO: count('Operadores desativados.') },
  { 'x-form': 'ForeignOperatorCounts', description: 'Quantos operadores há em cada situação.' },
);

export const summaryForm = (rules: CatalogueRules) =>
  t.Object(
    {
      cpfCnpjRaiz: companySchema(rules),
      products: ProductCounts,
      foreignOperators: OperatorCounts,
      manufacturerLinks: count('Vínculos em vigor.'),
    },
    { 'x-form': 'CatalogueSummary', description: 'O catálogo de uma empresa em números.' },
  );
export type CatalogueSummary = ReturnType<typeof summaryForm>['static'];
