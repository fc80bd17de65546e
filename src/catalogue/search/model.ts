/** Search over all records of one company, or of all, in one field (contract section 25): query and results. */
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { choice, form, nullable, text, integerForm } from '../../validation/forms.ts';
import { NcmWords } from '../../nomenclature/model.ts';
import { SITUACOES } from '../versioned/model.ts';
import { t } from '../../validation/type.ts';

const TEXT_MAX = 200;
const LIMIT = { max: 100, default: 20 };

export const searchQuery = (rules: CatalogueRules) =>
  t.Object({
    cpfCnpjRaiz: t.Optional(companySchema(rules)),
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

/** Company of a hit; only of a search over all companies. */
const companyOf = (rules: CatalogueRules) => ({
  cpfCnpjRaiz: t.Optional(companySchema(rules)),
  empresa: t.Optional(text('Nome da empresa.', 'Importadora Exemplo Ltda')),
});

const count = (description: string) => t.Integer({ minimum: 0, description, examples: [12] });

const COUNTS = { products: count('Produtos achados.'), operators: count('Operadores achados.') };

export const searchForm = (rules: CatalogueRules) =>
  form('SearchFound', 'O que foi achado, de uma empresa ou de todas as de quem pergunta.', {
    products: t.Array(
      form('FoundProduct', 'Um produto achado.', {
        ...companyOf(rules),
        codigo: integerForm('Código do produto.', 7),
        denominacao: text('Denominação.', 'Parafuso'),
        situacao,
        ncm: nullable(text('NCM, 8 dígitos.', '73181500')),
        codigosInterno: t.Array(t.String(), { description: 'Códigos internos.', examples: [['PF-10']] }),
      }),
      { description: 'Códigos inteiros primeiro, depois ativados, depois por denominação.' },
    ),
    operators: t.Array(
      form('FoundOperator', 'Um operador estrangeiro achado.', {
        ...companyOf(rules),
        codigo: text('Código do operador.', 'OPE_1'),
        nome: text('Nome.', 'Muster Schrauben GmbH'),
        codigoPais: text('País.', 'DE'),
        situacao,
      }),
      { description: 'Na mesma ordem, por nome.' },
    ),
    ncms: t.Array(NcmWords, {
      description: 'As NCMs da nomenclatura, por código ou palavras; [] enquanto não há nenhuma.',
    }),
    companies: t.Optional(
      t.Array(
        form('FoundCompany', 'Uma empresa achada pelo nome ou pelo CNPJ.', {
          cpfCnpjRaiz: companySchema(rules),
          nome: text('Nome da empresa.', 'Importadora Exemplo Ltda'),
        }),
        { description: 'Sem cpfCnpjRaiz: as empresas achadas pelo nome, ou pelo CNPJ com pontos ou sem.' },
      ),
    ),
    total: t.Optional(form('FoundTotal', 'Sem cpfCnpjRaiz: quantos há, também além de limit.', COUNTS)),
    perCompany: t.Optional(
      t.Array(
        form('FoundPerCompany', 'Quantos registros foram achados em uma empresa.', {
          cpfCnpjRaiz: companySchema(rules),
          empresa: text('Nome da empresa.', 'Importadora Exemplo Ltda'),
          ...COUNTS,
        }),
        { description: 'Sem cpfCnpjRaiz: as empresas em que há algum, por nome.' },
      ),
    ),
  });

export interface SearchRead {
  readonly kind: 'search';
  /** `undefined`: all. */
  readonly companies: readonly string[] | undefined;
  /** True for a search that names no company. */
  readonly isOfAll: boolean;
  readonly text: string;
  readonly limit: number;
  readonly ncms: readonly NcmWords[];
}

/** `own`: the companies of the caller; `undefined`: all. */
export const toRead = (
  { cpfCnpjRaiz, text, limit = LIMIT.default }: SearchQuery,
  own: readonly string[] | undefined,
  ncmsOf: (text: string, limit: number) => readonly NcmWords[],
): SearchRead => ({
  kind: 'search',
  companies: cpfCnpjRaiz === undefined ? own : [cpfCnpjRaiz],
  isOfAll: cpfCnpjRaiz === undefined,
  text,
  limit,
  ncms: ncmsOf(text, limit),
});
