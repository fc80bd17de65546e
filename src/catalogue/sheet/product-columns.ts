/** The columns of products. */
import { asCode, asDigits, asOneOf, asText } from '../../sheet/values.ts';
import { PRODUCT, PRODUCT_WRITTEN } from '../members/product.ts';
import {
  COMPANY,
  type MemberColumn,
  PRODUCT_CODE_WORDS,
  STARTS,
  VERSION,
  asSituacao,
  isProductCode,
  listed,
  reads,
} from './member-column.ts';

const asModalidade = asOneOf({
  IMPORTACAO: listed('Importação, imp, import, i, importado'),
  EXPORTACAO: listed('Exportação, exp, export, e, exportado'),
  AMBOS: listed('Importação e exportação, ambos, ambas, imp exp, both'),
});

const isNcm = (text: string): boolean => /^\d{7,8}$/.test(text.replaceAll(/[.\-/\s]/g, ''));

const KNOWN: readonly MemberColumn[] = [
  COMPANY,
  {
    target: 'codigo',
    heading: PRODUCT.codigo.heading,
    words: PRODUCT_CODE_WORDS,
    fits: isProductCode,
    read: asCode,
  },
  VERSION,
  {
    ...{ target: 'situacao', heading: PRODUCT.situacao.heading, words: listed('status, situacao produto') },
    ...{ loose: listed('ativo, state'), fits: reads(asSituacao), read: asSituacao },
  },
  {
    ...{ target: 'denominacao', heading: PRODUCT.denominacao.heading, isRequired: true, read: asText },
    words: listed(
      'nome, nome produto, nome comercial, produto, titulo, denominacao produto, name, product name, product, item, ' +
        'short text, descricao curta, descricao resumida, descricao reduzida, texto breve, texto breve material, maktx, b1 desc',
    ),
  },
  {
    ...{ target: 'descricao', heading: PRODUCT.descricao.heading, read: asText },
    words: listed(
      'descricao detalhada, descricao completa, detalhamento, detalhe, descricao complementar, long text, long description, ' +
        'texto longo, especificacao, complemento, informacoes complementares, b5 ceme, descricao produto, descricao material, ' +
        'descricao item, description, material description, item description, product description',
    ),
  },
  {
    ...{ target: 'ncm', heading: PRODUCT.ncm.heading, isRequired: true, fits: isNcm, read: asDigits([8]) },
    words: listed(
      'codigo ncm, ncm sh, classificacao fiscal, classificacao fiscal ncm, pos ipi, posicao ipi, b1 posipi, steuc, ' +
        'control code, codigo controle, tariff code, commodity code, ncm code',
    ),
  },
  {
    ...{
      target: 'modalidade',
      heading: PRODUCT.modalidade.heading,
      isRequired: true,
      fits: reads(asModalidade),
    },
    ...{
      words: listed('operacao, tipo operacao, modality'),
      loose: listed('tipo, type, uso'),
      read: asModalidade,
    },
  },
  {
    ...{ target: 'codigosInterno', heading: PRODUCT.codigosInterno.heading, isMany: true, read: asCode },
    words: listed(
      'codigo interno, sku, part number, partnumber, pn, referencia, codigo erp, material, matnr, codigo material, ' +
        'numero material, material number, codigo item, item code, item number, b1 cod, codigo, codigo produto, ' +
        'internal code, product code, referencia fabricante, id produto',
    ),
  },
  STARTS,
];

const isKnown = (name: string): boolean => KNOWN.some(({ target }) => target === name);

/** A member of which nothing more is said is found by its heading, and read as it stands. */
export const PRODUCT_COLUMNS: readonly MemberColumn[] = [
  ...KNOWN,
  ...PRODUCT_WRITTEN.filter((name) => !isKnown(name)).map((name) => ({
    ...{ target: name, heading: PRODUCT[name].heading, words: [], read: asText },
  })),
];
