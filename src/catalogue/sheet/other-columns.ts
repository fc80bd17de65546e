/** Lists the columns of foreign operators, links and concession acts. */
import { looksLikeCode } from '../../sheet/heading.ts';
import { asBoolean, asCode, asDigits, asInteger, asText } from '../../sheet/values.ts';
import {
  COMPANY,
  type MemberColumn,
  STARTS,
  VERSION,
  asCountry,
  asOperatorSituacao,
  isName,
  isProductCode,
  wordList,
  acceptedBy,
} from './member-column.ts';
import { INTERNAL_CODE_WORDS, OPERATOR_NUMBER_WORDS, PRODUCT_NUMBER_WORDS } from './code-words.ts';

const COUNTRY: MemberColumn = {
  target: 'codigoPais',
  heading: 'País',
  isRequired: true,
  fits: acceptedBy(asCountry),
  read: asCountry,
  words: wordList('codigo pais, pais origem, country, country code, land1'),
};

const text = (target: string, heading: string, words: string, isRequired?: true): MemberColumn => ({
  target,
  heading,
  words: wordList(words),
  read: asText,
  ...(isRequired && { isRequired }),
});
const code = (target: string, heading: string, words: string): MemberColumn => ({
  target,
  heading,
  words: wordList(words),
  read: asCode,
});

export const OPERATOR_COLUMNS: readonly MemberColumn[] = [
  COMPANY,
  {
    ...code('codigo', 'Código', `operador, operator code, ${OPERATOR_NUMBER_WORDS.join(', ')}`),
    fits: (text) => /^[\w-]{1,35}$/.test(text),
  },
  VERSION,
  {
    target: 'situacao',
    heading: 'Situação',
    words: ['status'],
    fits: acceptedBy(asOperatorSituacao),
    read: asOperatorSituacao,
  },
  code('tin', 'TIN', 'tax id, numero identificacao, vat, vat number, tax number'),
  {
    ...text(
      'nome',
      'Nome',
      'razao social, fabricante, exportador, fornecedor, name, name 1, name1, supplier, vendor, manufacturer',
      true,
    ),
    fits: isName,
  },
  COUNTRY,
  text('logradouro', 'Logradouro', 'endereco, rua, address, street, stras', true),
  text('nomeCidade', 'Cidade', 'nome cidade, municipio, city, town, ort01', true),
  code(
    'codigoSubdivisaoPais',
    'Subdivisão',
    'codigo subdivisao pais, subdivisao pais, estado, uf, provincia, state, region',
  ),
  code('cep', 'CEP', 'codigo postal, zip, zip code, postal code, pstlz'),
  {
    ...code(
      'codigoInterno',
      'Código interno',
      'codigo erp, codigo fornecedor, lifnr, vendor code, supplier code, fornecedor, vendor, supplier',
    ),
    fits: looksLikeCode,
  },
  code('email', 'E-mail', 'email, correio eletronico'),
  text('identificacoesAdicionais', 'Identificações adicionais', 'identificacao adicional'),
  STARTS,
];

const PRODUCT: MemberColumn = {
  target: 'codigoProduto',
  heading: 'Produto',
  isRequired: true,
  fits: isProductCode,
  read: asCode,
  headings: ['Código do produto'],
  words: [...PRODUCT_NUMBER_WORDS, 'product'],
};

/** The column that identifies the product by an internal code of the company. */
const PRODUCT_INTERNAL: MemberColumn = {
  target: 'codigoInterno',
  heading: 'Código interno',
  words: INTERNAL_CODE_WORDS,
  read: asCode,
};

export const LINK_COLUMNS: readonly MemberColumn[] = [
  COMPANY,
  PRODUCT,
  PRODUCT_INTERNAL,
  {
    target: 'conhecido',
    heading: 'Conhecido',
    isRequired: true,
    fits: acceptedBy(asBoolean),
    read: asBoolean,
    words: wordList(
      'fabricante conhecido, produtor conhecido, fabricante produtor conhecido, indicador conhecido, known',
    ),
  },
  COUNTRY,
  code(
    'codigoOperadorEstrangeiro',
    'Operador estrangeiro',
    'codigo operador, codigo operador estrangeiro, operador, fabricante, fornecedor, manufacturer, supplier',
  ),
  {
    target: 'cpfCnpjFabricante',
    heading: 'CPF/CNPJ do fabricante',
    read: asDigits([11, 14]),
    words: wordList('cnpj fabricante, cpf fabricante'),
  },
  { target: 'vincular', heading: 'Vincular', words: ['link'], fits: acceptedBy(asBoolean), read: asBoolean },
  STARTS,
];

export const ACT_COLUMNS: readonly MemberColumn[] = [
  COMPANY,
  PRODUCT,
  { ...code('numeroAto', 'Número do ato', 'ato concessorio, ato'), isRequired: true },
  {
    target: 'numeroItem',
    heading: 'Item',
    isRequired: true,
    read: asInteger,
    words: wordList('numero item, item ato'),
  },
];
