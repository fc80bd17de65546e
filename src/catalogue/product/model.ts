/** The product record: its forms on the wire (contract section 4) and as it is kept. */
import { type TOptional, type TSchema, type TString, type TUnsafe, Type as t } from '@sinclair/typebox';
import type { AttributeLists } from '../attribute/words/model.ts';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { ReferenceDay, ListedSeq, SEQ_MAX, itemOptions, itemSeq, nullable, strict } from '../model.ts';
import { SITUACOES, type Situacao } from '../versioned/model.ts';
import { Versao } from '../version.ts';

export type { Situacao };

export const MODALIDADES = ['AMBOS', 'EXPORTACAO', 'IMPORTACAO'] as const;
export type Modalidade = (typeof MODALIDADES)[number];

const DESCRICAO_MAX = 3700;
const VALOR_MAX = 3700;
const ATRIBUTO_MAX = 25;
export const CODIGO_INTERNO_MAX = 60;
const DESCRICAO_TEXT = 'Descrição do produto.';
const DENOMINACAO_TEXT = 'Denominação do produto.';
const MODALIDADE_TEXT = 'Em que operações o produto é usado.';
/** No list of a product is longer [ours]: far beyond any lawful one, and short enough to be judged in some ms. */
const LIST_MAX_ITEMS = 10_000;
export const CODIGO_MAX = 9_999_999_999;

/** What a user writes of a product. */
export interface ProductContent extends AttributeLists {
  readonly descricao: string | null;
  readonly denominacao: string;
  readonly modalidade: Modalidade | null;
  readonly ncm: string | null;
  readonly codigosInterno: readonly string[];
}

/** The four attribute lists as they are kept: each as JSON, `null` when it is empty. */
export type StoredAttributes = { readonly [list in keyof AttributeLists]: string | null };

/** What a user writes of a product, as it is kept. */
export interface ProductColumns extends StoredAttributes {
  readonly denominacao: string;
  readonly descricao: string | null;
  readonly modalidade: Modalidade | null;
  readonly ncm: string | null;
  /** JSON, `null` when it is empty. */
  readonly codigosInterno: string | null;
}

/** A product as a kind of record with versions. */
export interface ProductTypes {
  readonly place: { readonly cpfCnpjRaiz: string };
  readonly codigo: number;
  readonly content: ProductContent;
  readonly columns: ProductColumns;
}

/** A product as far as other records look at it. */
export interface ProductHead {
  readonly id: number;
  readonly situacao: Situacao;
}

/** Where other records look products up. */
export interface Products {
  findHead(cpfCnpjRaiz: string, codigo: number): ProductHead | undefined;
}

const AttributeCode = t.String({
  minLength: 1,
  maxLength: ATRIBUTO_MAX,
  'x-code': true,
  description: 'Código do atributo.',
  examples: ['ATT_90001'],
});
/** JSON numbers and booleans are taken as their text. */
const AttributeValue = t.String({
  minLength: 1,
  maxLength: VALOR_MAX,
  'x-textual': true,
  description:
    'Valor como texto: código do domínio, true ou false, número com ponto decimal, dia yyyy-MM-dd.',
  examples: ['01'],
});
const SingleAttribute = t.Object(
  { atributo: AttributeCode, valor: AttributeValue },
  { ...strict, 'x-form': 'Attribute', description: 'Um atributo de um só valor.' },
);
const MultivaluedAttribute = t.Object(
  { atributo: AttributeCode, valores: listOf(AttributeValue, 'Os valores, cada um uma só vez.') },
  { ...strict, 'x-form': 'MultivaluedAttribute', description: 'Um atributo de vários valores.' },
);
const CompoundAttribute = t.Object(
  { atributo: AttributeCode, valores: listOf(SingleAttribute, 'Os subatributos.') },
  { ...strict, 'x-form': 'CompoundAttribute', description: 'Um atributo composto de subatributos.' },
);
const MultivaluedCompoundAttribute = t.Object(
  {
    atributo: AttributeCode,
    valores: listOf(listOf(SingleAttribute, 'Os subatributos de um grupo.'), 'Os grupos.'),
  },
  {
    ...strict,
    'x-form': 'MultivaluedCompoundAttribute',
    description: 'Um atributo composto que se repete em grupos de subatributos.',
  },
);

const lists = {
  atributos: t.Optional(listOf(SingleAttribute, 'Atributos de um só valor.')),
  atributosMultivalorados: t.Optional(listOf(MultivaluedAttribute, 'Atributos de vários valores.')),
  atributosCompostos: t.Optional(listOf(CompoundAttribute, 'Atributos compostos.')),
  atributosCompostosMultivalorados: t.Optional(
    listOf(MultivaluedCompoundAttribute, 'Atributos compostos que se repetem.'),
  ),
  codigosInterno: t.Optional(
    listOf(
      t.String({ minLength: 1, maxLength: CODIGO_INTERNO_MAX, 'x-code': true, examples: ['PECA-17'] }),
      'Códigos internos da empresa, sem repetição.',
    ),
  ),
};

function listOf<T extends TSchema>(item: T, description: string) {
  return t.Array(item, { maxItems: LIST_MAX_ITEMS, 'x-skips-blank': true, description });
}

export const Ncm = t.String({
  pattern: '^[0-9]{8}$',
  'x-code': true,
  'x-domain': '8 dígitos',
  description: 'Código NCM.',
  examples: ['39269090'],
});

export const Codigo = t.Integer({
  'x-code': true,
  minimum: 1,
  maximum: CODIGO_MAX,
  description: 'Código do produto, até 10 dígitos.',
  examples: [1],
});

/** Older generators write the links into the product; they are records of their own. */
const elsewhere = {
  fabricantesProdutores:
    'Os vínculos com fabricantes e produtores não vão no produto: importe-os no arquivo de vínculos (tipo fabricante) ou envie-os a POST /catp/api/ext/fabricante.',
};
const strictContent = { ...strict, 'x-elsewhere': elsewhere };
const strictItem = { ...itemOptions, 'x-elsewhere': elsewhere };

/** The modalities that a product may have. */
export const modalidadesOf = ({ modalidadeAmbos }: Pick<CatalogueRules, 'modalidadeAmbos'>) =>
  modalidadeAmbos ? MODALIDADES : MODALIDADES.filter((one) => one !== 'AMBOS');

/** The schemas of the product, as the profile's rules make them. */
export function productSchemas(rules: CatalogueRules) {
  const modalidades = modalidadesOf(rules);
  const modalidade = t.Unsafe<Modalidade>({
    type: 'string',
    enum: [...modalidades],
    'x-code': true,
    description: MODALIDADE_TEXT,
    examples: ['IMPORTACAO'],
  });
  const descricao = t.Optional(
    t.String({ maxLength: DESCRICAO_MAX, description: DESCRICAO_TEXT, examples: ['Com tampa, 10 L'] }),
  );
  const denominacao = t.String({
    minLength: 1,
    maxLength: rules.denominacaoMax,
    description: DENOMINACAO_TEXT,
    examples: ['Caixa plástica'],
  });
  const cpfCnpjRaiz = companySchema(rules);
  const situacao = t.Unsafe<Situacao>({
    type: 'string',
    enum: [...SITUACOES],
    'x-any-case': true,
    'x-code': true,
    description: 'Situação do produto.',
    examples: ['ATIVADO'],
  });
  const Request = t.Object(
    { descricao, denominacao, modalidade, ncm: Ncm, ...lists },
    {
      ...strictContent,
      'x-form': 'ProductRequest',
      description: 'O conteúdo de um produto.',
      examples: [PRODUCT_EXAMPLE],
    },
  );
  const Items = (seqMax: number) =>
    itemSchemas(seqMax, { cpfCnpjRaiz, situacao, descricao, denominacao, modalidade });
  const text = {
    descricao: nullable(t.String({ description: DESCRICAO_TEXT, examples: ['Com tampa, 10 L'] })),
    denominacao: t.String({ description: DENOMINACAO_TEXT, examples: ['Caixa plástica'] }),
  };
  const output = {
    modalidade: nullable(
      t.String({ description: `${MODALIDADE_TEXT} null em um rascunho sem ela.`, examples: ['IMPORTACAO'] }),
    ),
    ncm: nullable(
      t.String({ description: 'Código NCM; null em um rascunho sem ele.', examples: ['39269090'] }),
    ),
    ...required(lists),
  };
  const Response = t.Object(
    { ...text, ...output, cpfCnpjRaiz, codigo: Codigo, versao: Versao, situacao },
    { 'x-form': 'Product', description: 'Uma versão de um produto.' },
  );
  const ListItem = t.Object(
    { seq: ListedSeq, codigo: Codigo, ...text, cpfCnpjRaiz, situacao, ...output, versao: Versao },
    { 'x-form': 'ListedProduct', description: 'A versão de um produto em uma lista.' },
  );
  return { cpfCnpjRaiz, Request, Response, ListItem, batch: Items(SEQ_MAX.batch), file: Items(SEQ_MAX.file) };
}

/** Works when pasted: the NCM is in our own tables, with no required attribute. */
export const PRODUCT_EXAMPLE = {
  denominacao: 'Caixa plástica',
  descricao: 'Com tampa, 10 L',
  modalidade: 'IMPORTACAO',
  ncm: '39269090',
};

interface ItemParts {
  readonly cpfCnpjRaiz: ReturnType<typeof companySchema>;
  readonly situacao: TUnsafe<Situacao>;
  readonly descricao: TOptional<TString>;
  readonly denominacao: TString;
  readonly modalidade: TUnsafe<Modalidade>;
}

/** An item of a batch or file: for a whole product, for a draft, and for a deactivation, whose content is ignored. */
function itemSchemas(seqMax: number, parts: ItemParts) {
  const { cpfCnpjRaiz, situacao, descricao, denominacao, modalidade } = parts;
  const head = {
    seq: itemSeq(seqMax),
    codigo: t.Optional(Codigo),
    cpfCnpjRaiz,
    situacao: t.Optional(situacao),
    versao: t.Optional(Versao),
    dataReferencia: t.Optional(ReferenceDay),
  };
  const optionalContent = { modalidade: t.Optional(modalidade), ncm: t.Optional(Ncm), ...lists };
  const ignoredContent = Object.fromEntries(
    ['descricao', 'denominacao', ...Object.keys(optionalContent)].map((name) => [
      name,
      t.Optional(t.Unknown({ description: 'Ignorado na desativação.' })),
    ]),
  );
  return {
    Whole: t.Object({ ...head, descricao, denominacao, modalidade, ncm: Ncm, ...lists }, strictItem),
    Draft: t.Object({ ...head, descricao, denominacao, ...optionalContent }, strictItem),
    Deactivation: t.Object({ ...head, ...ignoredContent }, strictItem),
  };
}

function required<T extends Record<string, ReturnType<typeof t.Optional>>>(optional: T): T {
  return t.Required(t.Object(optional)).properties as unknown as T;
}

export type ProductRequest = ReturnType<typeof productSchemas>['Request']['static'];
export type ProductItem = ReturnType<typeof itemSchemas>['Draft']['static'];

/** A decoded request or item as content: every member there, absent ones empty. */
export function toContent(
  request: Partial<ProductRequest> & { readonly denominacao: string },
): ProductContent {
  return {
    descricao: request.descricao ?? null,
    denominacao: request.denominacao,
    modalidade: request.modalidade ?? null,
    ncm: request.ncm ?? null,
    atributos: request.atributos ?? [],
    atributosMultivalorados: request.atributosMultivalorados ?? [],
    atributosCompostos: request.atributosCompostos ?? [],
    atributosCompostosMultivalorados: request.atributosCompostosMultivalorados ?? [],
    codigosInterno: request.codigosInterno ?? [],
  };
}

/** By what a page can be ordered, and the values in which such a page ends. */
export const PRODUCT_ORDERS = {
  codigo: ['number'],
  denominacao: ['string', 'number'],
  ncm: ['string', 'number'],
  changedAt: ['number', 'number'],
} as const;
export type ProductOrder = keyof typeof PRODUCT_ORDERS;

/** In what duplicates are the same, and where a page of them ends: the NCM, and the first code. */
export const DUPLICATES_BY = ['content', 'name'] as const;
export type DuplicatesBy = (typeof DUPLICATES_BY)[number];
export const DUPLICATE_ORDERS = { ncm: ['string', 'number'] } as const;

export interface DuplicateGroup {
  readonly ncm: string;
  readonly denominacao: string;
  /** In order. */
  readonly codigos: readonly number[];
}
