/** Members of a product (contract section 4), in the order of the list form. */
import type { ListName } from '../attribute/words/model.ts';
import {
  CONTENT,
  type ContentName,
  contentNames,
  isContent,
  isList,
  IDENTITY,
  type ContentOf,
  type MemberTable,
  SITUACAO_WORDS,
  namesIn,
  readingOf,
  withFirst,
  type Member,
} from './member.ts';

export const PRODUCT = {
  seq: { kind: 'number', forms: ['list', 'item'], heading: 'Item' },
  codigo: {
    kind: 'number',
    forms: IDENTITY,
    heading: 'Código',
  },
  descricao: {
    kind: 'text',
    forms: CONTENT,
    heading: 'Descrição',
    max: 3700,
    description: 'Descrição do produto.',
    example: 'Com tampa, 10 L',
  },
  denominacao: {
    kind: 'text',
    forms: CONTENT,
    heading: 'Denominação',
    required: 'always',
    max: 'denominacaoMax',
    description: 'Denominação do produto.',
    example: 'Caixa plástica',
  },
  cpfCnpjRaiz: {
    kind: 'company',
    forms: IDENTITY,
    heading: 'CPF/CNPJ raiz',
    required: 'always',
  },
  situacao: {
    kind: 'choice',
    forms: IDENTITY,
    heading: 'Situação',
    choices: SITUACAO_WORDS,
    description: 'Situação do produto.',
    example: 'ATIVADO',
  },
  modalidade: {
    kind: 'choice',
    forms: CONTENT,
    heading: 'Modalidade',
    required: 'active',
    fixed: true,
    choices: { AMBOS: 'Importação e exportação', EXPORTACAO: 'Exportação', IMPORTACAO: 'Importação' },
    description: 'Em que operações o produto é usado.',
    example: 'IMPORTACAO',
  },
  ncm: {
    kind: 'code',
    forms: CONTENT,
    heading: 'NCM',
    required: 'active',
    fixed: true,
    pattern: '^[0-9]{8}$',
    domain: '8 dígitos',
    description: 'Código NCM.',
    example: '39269090',
  },
  versao: { kind: 'version', forms: IDENTITY, heading: 'Versão' },
  atributos: {
    kind: 'attributes',
    forms: CONTENT,
    heading: 'Atributos',
    description: 'Atributos de um só valor.',
  },
  atributosMultivalorados: {
    kind: 'attributes',
    forms: CONTENT,
    heading: 'Atributos multivalorados',
    description: 'Atributos de vários valores.',
  },
  atributosCompostos: {
    kind: 'attributes',
    forms: CONTENT,
    heading: 'Atributos compostos',
    description: 'Atributos compostos.',
  },
  atributosCompostosMultivalorados: {
    kind: 'attributes',
    forms: CONTENT,
    heading: 'Atributos compostos multivalorados',
    description: 'Atributos compostos que se repetem.',
  },
  codigosInterno: {
    kind: 'codes',
    forms: CONTENT,
    heading: 'Códigos internos',
    max: 60,
    countsForIdentity: false,
    description: 'Códigos internos da empresa, sem repetição.',
    example: 'PECA-17',
  },
  dataReferencia: {
    kind: 'day',
    forms: ['item'],
    heading: 'Data de referência',
  },
  changedAt: { kind: 'moment', forms: ['page'], heading: 'Última alteração' },
} as const satisfies MemberTable;

export type ProductMember = keyof typeof PRODUCT;

/** Members of each form, in the order in which they are printed. */
export const PRODUCT_FORMS = {
  request: namesIn(PRODUCT, 'request'),
  response: [...namesIn(PRODUCT, 'request'), 'cpfCnpjRaiz', 'codigo', 'versao', 'situacao'],
  list: namesIn(PRODUCT, 'list'),
  page: namesIn(PRODUCT, 'page'),
  item: withFirst(
    ['seq', 'codigo', 'cpfCnpjRaiz', 'situacao', 'versao', 'dataReferencia'],
    namesIn(PRODUCT, 'item'),
  ),
} as const satisfies Record<string, readonly ProductMember[]>;

/** Order of the members on screens. */
export const PRODUCT_READING: readonly ProductMember[] = readingOf(PRODUCT, [
  'codigo',
  'versao',
  'situacao',
  'denominacao',
  'descricao',
  'modalidade',
  'ncm',
]);

/** Members that a user writes, without attributes. */
export const PRODUCT_WRITTEN = PRODUCT_READING.filter((name): name is WrittenName =>
  isContent(PRODUCT[name]),
);

/** Members that make products identical (contract section 5). */
export const PRODUCT_IDENTITY = contentNames(PRODUCT).filter(
  (name) => (PRODUCT[name] as Member).countsForIdentity !== false,
);

/** Members that a bulk change may set (contract section 25), in addition to codes and attributes. */
export const PRODUCT_SETTABLE = contentNames(PRODUCT).filter(
  (name): name is SettableName => name !== 'ncm' && !isList(PRODUCT[name]),
);
export type SettableName = Exclude<WrittenName, 'ncm' | 'codigosInterno'>;

export type WrittenName = Exclude<ContentName<typeof PRODUCT>, ListName>;

export type Modalidade = keyof (typeof PRODUCT)['modalidade']['choices'];

/** Content that a user writes for a product. */
export type ProductContent = ContentOf<typeof PRODUCT>;

/** Returns how member lists and requested columns name an attribute, or a part of a compound. */
export const attributeMember = (codigo: string, part?: string): string =>
  `atributo:${codigo}${part === undefined ? '' : `/${part}`}`;
