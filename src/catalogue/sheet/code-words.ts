/** Lists the words of people and ERPs for the codes of products. */
import type { CodeRule } from '../../sheet/column.ts';
import { wordList } from './member-column.ts';

/** Returns the words for the number that the catalogue gives a record. */
const numberWords = (record: string): readonly string[] =>
  ['', ' no', ` ${record}`, ` ${record} no`].flatMap((noun) =>
    wordList(
      'siscomex, portal, portal unico, portal unico siscomex, catalogo, catalogo produto, pucomex, duimp',
    ).map((system) => `codigo${noun} ${system}`),
  );

export const PRODUCT_NUMBER_WORDS = numberWords('produto');
export const OPERATOR_NUMBER_WORDS = [...numberWords('operador'), ...numberWords('operador estrangeiro')];

/** Words for the codes that a company gives a product. */
export const INTERNAL_CODE_WORDS = wordList(
  'codigo interno, codigo interno produto, sku, part number, partnumber, part no, pn, p n, referencia, codigo erp, material, ' +
    'matnr, codigo material, numero material, material number, codigo item, item code, item number, b1 cod, internal code, ' +
    'product code, referencia fabricante, id produto, cprod, codprod, codpro',
);

/** Words of members. A "code" next to one of them is no internal code. */
const PRODUCT_MEMBER_WORDS = wordList(
  'ncm, fiscal, ipi, descricao, denominacao, nome, pais, operador, controle, tariff, commodity, tributacao, atividade, ' +
    'barra, barras, barcode, gtin, ean',
);

export const PRODUCT_CODES: CodeRule = {
  number: 'codigo',
  bare: ['codigo', 'codigo produto'],
  other: 'codigosInterno',
  otherWords: PRODUCT_MEMBER_WORDS,
};

export const OPERATOR_CODES: CodeRule = {
  number: 'codigo',
  bare: ['codigo', 'codigo operador', 'codigo operador estrangeiro'],
  other: 'codigoInterno',
  otherWords: wordList(
    'pais, postal, cep, zip, subdivisao, estado, uf, provincia, municipio, cidade, ibge, nome, descricao, produto, material, ncm, ' +
      'tin, fiscal, vat, tax, swift, banco, telefone',
  ),
};

export const LINK_CODES: CodeRule = {
  number: 'codigoProduto',
  bare: ['codigo', 'codigo produto'],
  other: 'codigoInterno',
  otherWords: [
    ...PRODUCT_MEMBER_WORDS,
    ...wordList('fabricante, fornecedor, exportador, produtor, supplier, vendor'),
  ],
};

export const ACT_CODES: CodeRule = {
  number: 'codigoProduto',
  bare: ['codigo', 'codigo produto'],
  otherWords: [],
};
