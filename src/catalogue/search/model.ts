/** Search over all records of a company in one field (contract section 25): its query and its results. */
import { Type as t } from '@sinclair/typebox';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { choice, form, nullable, text, whole } from '../../validation/forms.ts';
import { NcmWords } from '../../nomenclature/model.ts';
import { SITUACOES } from '../versioned/model.ts';

const TEXT_MAX = 200;
const LIMIT = { max: 100, default: 20 };

export const searchQuery = (rules: CatalogueRules) =>
  t.Object({
    cpfCnpjRaiz: companySchema(rules),
    text: text(
      'Palavras em qualquer ordem, sem distinguir maiúsculas e acentos; de uma NCM os primeiros dígitos, com pontos ou sem.',
      'parafuso',
      { minLength: 1, maxLength: TEXT_MAX },
    ),
    limit: t.Optional(
      t.Integer({
        minimum: 1,
        maximum: LIMIT.max,
        default: LIMIT.default,
        description: 'Quantos de cada, no máximo.',
      }),
    ),
  });
export type SearchQuery = ReturnType<typeof searchQuery>['static'];

const situacao = choice(SITUACOES, 'Situação.', 'ATIVADO');

const FoundProduct = form('FoundProduct', 'Um produto achado.', {
  codigo: whole('Código do produto.', 7),
  denominacao: text('Denominação.', 'Parafuso'),
  situacao,
  ncm: nullable(text('NCM, 8 dígitos.', '73181500')),
  codigosInterno: t.Array(t.String(), { description: 'Códigos internos.', examples: [['PF-10']] }),
});
const FoundOperator = form('FoundOperator', 'Um operador estrangeiro achado.', {
  codigo: text('Código do operador.', 'OPE_1'),
  nome: text('Nome.', 'Muster Schrauben GmbH'),
  codigoPais: text('País.', 'DE'),
  situacao,
});

export const Found = form('SearchFound', 'O que foi achado de uma empresa.', {
  products: t.Array(FoundProduct, {
    description: 'Códigos inteiros primeiro, depois ativados, depois por denominação.',
  }),
  operators: t.Array(FoundOperator, { description: 'Na mesma ordem, por nome.' }),
  ncms: t.Array(NcmWords, {
    description: 'As NCMs da nomenclatura, por código ou palavras; [] enquanto não há nenhuma.',
  }),
});

export interface SearchRead {
  readonly kind: 'search';
  readonly cpfCnpjRaiz: string;
  readonly text: string;
  readonly limit: number;
  readonly ncms: readonly NcmWords[];
}

export const toRead = (
  { cpfCnpjRaiz, text, limit = LIMIT.default }: SearchQuery,
  ncmsOf: (text: string, limit: number) => readonly NcmWords[],
): SearchRead => ({
  kind: 'search',
  cpfCnpjRaiz,
  text,
  limit,
  ncms: ncmsOf(text, limit),
});
