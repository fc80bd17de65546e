/** Members of a foreign operator (contract section 4), in the order of its one form. */
import { EMAIL, EMAIL_DOMAIN } from '../../validation/email.ts';
import { CONTENT, IDENTITY, type MemberTable, SITUACAO_WORDS, readingOf } from './member.ts';

/** Local part without quotes, and a domain of at least two labels; letters of any script. */

export const OPERATOR = {
  seq: { kind: 'number', forms: ['response', 'list', 'item'], heading: 'Item' },
  cpfCnpjRaiz: {
    kind: 'company',
    forms: IDENTITY,
    heading: 'CPF/CNPJ raiz',
    required: 'always',
  },
  codigo: {
    kind: 'code',
    forms: IDENTITY,
    heading: 'Código',
    max: 35,
    description: 'Código do operador estrangeiro, criado pelo serviço.',
    example: 'OPE_1',
  },
  versao: { kind: 'version', forms: IDENTITY, heading: 'Versão' },
  tin: {
    kind: 'code',
    forms: CONTENT,
    heading: 'TIN',
    max: 35,
    description: 'Trade Identification Number.',
    example: 'DE123456789',
  },
  nome: {
    kind: 'text',
    forms: CONTENT,
    heading: 'Nome',
    required: 'always',
    max: 'nomeMax',
    description: 'Nome do operador.',
    example: 'Muster Schrauben GmbH',
  },
  situacao: {
    kind: 'choice',
    forms: IDENTITY,
    heading: 'Situação',
    choices: { ATIVADO: SITUACAO_WORDS.ATIVADO, DESATIVADO: SITUACAO_WORDS.DESATIVADO },
    description: 'Situação do operador.',
    example: 'ATIVADO',
  },
  logradouro: {
    kind: 'text',
    forms: CONTENT,
    heading: 'Logradouro',
    required: 'always',
    max: 70,
    description: 'Logradouro.',
    example: 'Hauptstrasse 1',
  },
  nomeCidade: {
    kind: 'text',
    forms: CONTENT,
    heading: 'Cidade',
    required: 'always',
    max: 35,
    description: 'Cidade.',
    example: 'München',
  },
  codigoSubdivisaoPais: {
    kind: 'code',
    forms: CONTENT,
    heading: 'Subdivisão (ISO 3166-2)',
    max: 6,
    description: 'Subdivisão do país no padrão ISO 3166-2, com o prefixo do país.',
    example: 'DE-BY',
  },
  codigoPais: {
    kind: 'country',
    forms: IDENTITY,
    heading: 'País',
    required: 'always',
    example: 'DE',
  },
  cep: {
    kind: 'code',
    forms: CONTENT,
    heading: 'CEP',
    max: 9,
    description: 'Código postal.',
    example: '80331',
  },
  codigoInterno: {
    kind: 'code',
    forms: CONTENT,
    heading: 'Código interno',
    max: 35,
    description: 'Código interno do exportador/importador.',
    example: 'FORN-17',
  },
  email: {
    kind: 'text',
    forms: CONTENT,
    heading: 'E-mail',
    max: 70,
    pattern: EMAIL,
    domain: EMAIL_DOMAIN,
    description: 'Endereço de e-mail.',
    example: 'vendas@muster.example',
  },
  dataReferencia: {
    kind: 'day',
    forms: ['response', 'list', 'item', 'page'],
    heading: 'Data de referência',
  },
  identificacoesAdicionais: {
    kind: 'identifications',
    forms: CONTENT,
    heading: 'Identificações adicionais',
    description: 'Identificações adicionais do operador.',
  },
  changedAt: { kind: 'moment', forms: ['page'], heading: 'Última alteração' },
} as const satisfies MemberTable;

export type OperatorMember = keyof typeof OPERATOR;

/** Order of the members on screens. */
export const OPERATOR_READING: readonly OperatorMember[] = readingOf(OPERATOR, [
  'codigo',
  'versao',
  'situacao',
  'nome',
  'codigoPais',
  'logradouro',
  'nomeCidade',
  'codigoSubdivisaoPais',
  'cep',
]);
