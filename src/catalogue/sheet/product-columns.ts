/** Lists the columns of products. */
import { asCode, asNcm, asOneOf, asText } from '../../sheet/values.ts';
import { PRODUCT, PRODUCT_WRITTEN } from '../members/product.ts';
import {
  COMPANY,
  type MemberColumn,
  STARTS,
  VERSION,
  asSituacao,
  isName,
  isProductCode,
  wordList,
  acceptedBy,
} from './member-column.ts';
import { INTERNAL_CODE_WORDS, PRODUCT_NUMBER_WORDS } from './code-words.ts';

const asModalidade = asOneOf({
  IMPORTACAO: wordList('Importação, imp, import, i, importado'),
  EXPORTACAO: wordList('Exportação, exp, export, e, exportado'),
  AMBOS: wordList('Importação e exportação, ambos, ambas, imp exp, both'),
});

/** A single letter is ambiguous. */
const isModalidadeWord = (text: string): boolean => text.trim().length > 1 && acceptedBy(asModalidade)(text);

/** Only an NCM is written with these points. */
const isDottedNcm = (text: string): boolean => /^\d{4}\.\d{2}\.\d{2}$/.test(text);

const isNcm = (text: string): boolean => /^\d{8}$/.test(asNcm({ text, from: 'text' }).value ?? '');

const SPECIAL_COLUMNS: readonly MemberColumn[] = [
  COMPANY,
  {
    target: 'codigo',
    heading: PRODUCT.codigo.heading,
    words: PRODUCT_NUMBER_WORDS,
    fits: isProductCode,
    read: asCode,
  },
  VERSION,
  {
    target: 'situacao',
    heading: PRODUCT.situacao.heading,
    words: wordList('status, situacao produto'),
    loose: wordList('ativo, state'),
    fits: acceptedBy(asSituacao),
    read: asSituacao,
  },
  {
    target: 'denominacao',
    heading: PRODUCT.denominacao.heading,
    isRequired: true,
    fits: isName,
    read: asText,
    words: wordList(
      'nome, nome produto, nome comercial, produto, titulo, denominacao produto, name, product name, product, item, ' +
        'short text, descricao curta, descricao resumida, descricao reduzida, texto breve, texto breve material, maktx, b1 desc, xprod, despro',
    ),
  },
  {
    target: 'descricao',
    heading: PRODUCT.descricao.heading,
    exactBeside: 'denominacao',
    read: asText,
    words: wordList(
      'descricao detalhada, descricao completa, detalhamento, detalhe, descricao complementar, long text, long description, ' +
        'texto longo, especificacao, complemento, informacoes complementares, b5 ceme',
    ),
  },
  {
    target: 'ncm',
    heading: PRODUCT.ncm.heading,
    isRequired: true,
    fits: isNcm,
    byValue: isDottedNcm,
    read: asNcm,
    words: wordList(
      'codigo ncm, ncm sh, classificacao fiscal, classificacao fiscal ncm, pos ipi, posicao ipi, b1 posipi, steuc, ' +
        'control code, codigo controle, tariff code, commodity code, ncm code, nbm, nbm sh, hs code, hts code, tariff no, tariff number, harmonized code, ' +
        'harmonized tariff code, partida arancelaria',
    ),
  },
  {
    target: 'modalidade',
    heading: PRODUCT.modalidade.heading,
    isRequired: true,
    fits: acceptedBy(asModalidade),
    byValue: isModalidadeWord,
    words: wordList('operacao, tipo operacao, modality'),
    loose: wordList('tipo, type, uso'),
    read: asModalidade,
  },
  {
    target: 'codigosInterno',
    heading: PRODUCT.codigosInterno.heading,
    isMany: true,
    read: asCode,
    words: INTERNAL_CODE_WORDS,
  },
  STARTS,
];

const isSpecial = (name: string): boolean => SPECIAL_COLUMNS.some(({ target }) => target === name);

/**
 * The columns of the members. A member without further properties is found by its heading, and its text is
 * read unchanged.
 */
export const PRODUCT_COLUMNS: readonly MemberColumn[] = [
  ...SPECIAL_COLUMNS,
  ...PRODUCT_WRITTEN.filter((name) => !isSpecial(name)).map((name) => ({
    target: name,
    heading: PRODUCT[name].heading,
    words: [],
    read: asText,
  })),
];
