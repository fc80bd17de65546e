/** The columns of products. */
import { asCode, asDigits, asOneOf, asText } from '../../sheet/values.ts';
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
  IMPORTACAO: listed('importacao, imp, import, i, importado'),
  EXPORTACAO: listed('exportacao, exp, export, e, exportado'),
  AMBOS: listed('ambos, ambas, importacao e exportacao, imp exp, both'),
});

const isNcm = (text: string): boolean => /^\d{7,8}$/.test(text.replaceAll(/[.\-/\s]/g, ''));

export const PRODUCT_COLUMNS: readonly MemberColumn[] = [
  COMPANY,
  { target: 'codigo', heading: 'Código', words: PRODUCT_CODE_WORDS, fits: isProductCode, read: asCode },
  VERSION,
  {
    ...{ target: 'situacao', heading: 'Situação', words: listed('status, situacao produto') },
    ...{ loose: listed('ativo, state'), fits: reads(asSituacao), read: asSituacao },
  },
  {
    ...{ target: 'denominacao', heading: 'Denominação', isRequired: true, read: asText },
    words: listed(
      'nome, nome produto, nome comercial, produto, titulo, denominacao produto, name, product name, product, item, ' +
        'short text, descricao curta, descricao resumida, descricao reduzida, texto breve, texto breve material, maktx, b1 desc',
    ),
  },
  {
    ...{ target: 'descricao', heading: 'Descrição', read: asText },
    words: listed(
      'descricao detalhada, descricao completa, detalhamento, detalhe, descricao complementar, long text, long description, ' +
        'texto longo, especificacao, complemento, informacoes complementares, b5 ceme, descricao produto, descricao material, ' +
        'descricao item, description, material description, item description, product description',
    ),
  },
  {
    ...{ target: 'ncm', heading: 'NCM', isRequired: true, fits: isNcm, read: asDigits([8]) },
    words: listed(
      'codigo ncm, ncm sh, classificacao fiscal, classificacao fiscal ncm, pos ipi, posicao ipi, b1 posipi, steuc, ' +
        'control code, codigo controle, tariff code, commodity code, ncm code',
    ),
  },
  {
    ...{ target: 'modalidade', heading: 'Modalidade', isRequired: true, fits: reads(asModalidade) },
    ...{
      words: listed('operacao, tipo operacao, modality'),
      loose: listed('tipo, type, uso'),
      read: asModalidade,
    },
  },
  {
    ...{ target: 'codigosInterno', heading: 'Códigos internos', isMany: true, read: asCode },
    words: listed(
      'codigo interno, sku, part number, partnumber, pn, referencia, codigo erp, material, matnr, codigo material, ' +
        'numero material, material number, codigo item, item code, item number, b1 cod, codigo, codigo produto, ' +
        'internal code, product code, referencia fabricante, id produto',
    ),
  },
  STARTS,
];
