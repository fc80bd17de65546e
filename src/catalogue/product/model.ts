/** Product record: its wire schemas (contract section 4) and its stored form. */
import type { ArrayOptions, TSchema } from '@sinclair/typebox';
import type { ListName } from '../attribute/words/model.ts';
import { ContentSchemas, inOrder } from '../member-schema.ts';
import { type ColumnsOf, type InputOf, contentBy } from '../members/member.ts';
import { type Modalidade, PRODUCT, PRODUCT_FORMS, type ProductContent } from '../members/product.ts';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { ReferenceDay, ListedSeq, SEQ_MAX, itemOptions, itemSeq, strict, strictForm } from '../model.ts';
import { SITUACOES, type Situacao } from '../versioned/model.ts';
import { Versao } from '../version.ts';
import { form, text, integerForm } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

export type { Situacao };

export type { Modalidade, ProductContent };
export const MODALIDADES = Object.keys(PRODUCT.modalidade.choices) as readonly Modalidade[];

const VALOR_MAX = 3700;
const ATRIBUTO_MAX = 25;
export const CODIGO_INTERNO_MAX = PRODUCT.codigosInterno.max;
/**
 * Maximum length of a product's lists [ours]: far above any lawful length, and short enough to be checked in some ms.
 */
const LIST_MAX_ITEMS = 10_000;
export const CODIGO_MAX = 9_999_999_999;

/** Stored form of the four attribute lists: each as JSON, `null` when it is empty. */
export type StoredAttributes = { readonly [list in ListName]: string | null };

/** Stored form of the members that a user writes. */
export type ProductColumns = ColumnsOf<typeof PRODUCT>;

/** Product as a kind of record with versions. */
export interface ProductTypes {
  readonly place: { readonly cpfCnpjRaiz: string };
  readonly codigo: number;
  readonly content: ProductContent;
  readonly columns: ProductColumns;
}

/** Members of a product that other records need. */
export interface ProductHead {
  readonly id: number;
  readonly situacao: Situacao;
}

/** Look-up of products for other records. */
export interface Products {
  findHead(cpfCnpjRaiz: string, codigo: number): ProductHead | undefined;
}

const AttributeCode = text('Código do atributo.', 'ATT_90001', {
  minLength: 1,
  maxLength: ATRIBUTO_MAX,
  'x-code': true,
});
/** JSON numbers and booleans are accepted as text. */
const AttributeValue = text(
  'Valor como texto: código do domínio, true ou false, número com ponto decimal, dia yyyy-MM-dd.',
  '01',
  { minLength: 1, maxLength: VALOR_MAX, 'x-textual': true },
);
/** An empty object in the list is an error, since it has no content to ignore (contract section 8). */
const SUBATTRIBUTES = { 'x-skips-blank': 'filled' } as const;

const SingleAttribute = strictForm('Attribute', 'Um atributo de um só valor.', {
  atributo: AttributeCode,
  valor: AttributeValue,
});
export const MultivaluedAttribute = strictForm('MultivaluedAttribute', 'Um atributo de vários valores.', {
  atributo: AttributeCode,
  valores: listOf(AttributeValue, 'Os valores, cada um uma só vez.'),
});
const CompoundAttribute = strictForm('CompoundAttribute', 'Um atributo composto de subatributos.', {
  atributo: AttributeCode,
  valores: listOf(SingleAttribute, 'Os subatributos.', SUBATTRIBUTES),
});
export const MultivaluedCompoundAttribute = strictForm(
  'MultivaluedCompoundAttribute',
  'Um atributo composto que se repete em grupos de subatributos.',
  {
    atributo: AttributeCode,
    valores: listOf(
      listOf(SingleAttribute, 'Os subatributos de um grupo.', { ...SUBATTRIBUTES, minItems: 1 }),
      'Os grupos.',
    ),
  },
);

/** Lists of a product: attributes and internal codes. */
const lists = {
  atributos: listOf(SingleAttribute, PRODUCT.atributos.description),
  atributosMultivalorados: listOf(MultivaluedAttribute, PRODUCT.atributosMultivalorados.description),
  atributosCompostos: listOf(CompoundAttribute, PRODUCT.atributosCompostos.description),
  atributosCompostosMultivalorados: listOf(
    MultivaluedCompoundAttribute,
    PRODUCT.atributosCompostosMultivalorados.description,
  ),
  codigosInterno: listOf(
    t.String({
      minLength: 1,
      maxLength: CODIGO_INTERNO_MAX,
      'x-code': true,
      examples: [PRODUCT.codigosInterno.example],
    }),
    PRODUCT.codigosInterno.description,
  ),
};

function listOf<T extends TSchema>(item: T, description: string, options: ArrayOptions = {}) {
  const skips = item['type'] === 'object' && { 'x-skips-blank': 'all' };
  return t.Array(item, { maxItems: LIST_MAX_ITEMS, ...skips, ...options, description });
}

export const Ncm = text(PRODUCT.ncm.description, PRODUCT.ncm.example, {
  pattern: PRODUCT.ncm.pattern,
  'x-code': true,
  'x-domain': PRODUCT.ncm.domain,
});

export const Codigo = integerForm('Código do produto, até 10 dígitos.', 1, {
  'x-code': true,
  minimum: 1,
  maximum: CODIGO_MAX,
});

/** Members that older programs write into the product, with the place where each belongs. */
const separateRecords = {
  fabricantesProdutores:
    'Os vínculos com fabricantes e produtores não vão no produto: importe-os no arquivo de vínculos (tipo fabricante) ou envie-os a POST /catp/api/ext/fabricante.',
};
const strictContent = { ...strict, 'x-elsewhere': separateRecords };
const strictItem = { ...itemOptions, 'x-elsewhere': separateRecords };

/** Returns the modalities that a product may have. */
export const modalidadesOf = ({ modalidadeAmbos }: Pick<CatalogueRules, 'modalidadeAmbos'>) =>
  modalidadeAmbos ? MODALIDADES : MODALIDADES.filter((modalidade) => modalidade !== 'AMBOS');

/** Returns the schemas of the product under the profile's rules. */
export function productSchemas(rules: CatalogueRules) {
  const content = new ContentSchemas(PRODUCT, rules, lists, {
    modalidade: { enum: [...modalidadesOf(rules)] },
  });
  const cpfCnpjRaiz = companySchema(rules);
  const situacao = t.Unsafe<Situacao>({
    type: 'string',
    enum: [...SITUACOES],
    'x-any-case': true,
    'x-code': true,
    description: PRODUCT.situacao.description,
    examples: [PRODUCT.situacao.example],
  });
  const Request = t.Object(content.input('always', 'active'), {
    ...strictContent,
    'x-form': 'ProductRequest',
    description: 'O conteúdo de um produto.',
    examples: [PRODUCT_EXAMPLE],
  });
  const output = {
    seq: ListedSeq,
    cpfCnpjRaiz,
    codigo: Codigo,
    versao: Versao,
    situacao,
    ...content.output(),
  };
  const Response = form('Product', 'Uma versão de um produto.', inOrder(PRODUCT_FORMS.response, output));
  const ListItem = form(
    'ListedProduct',
    'A versão de um produto em uma lista.',
    inOrder(PRODUCT_FORMS.list, output),
  );
  /**
   * Returns the schemas of an item of a batch or file: for a whole product, for a draft, and for a
   * deactivation, whose content is ignored.
   */
  const items = (seqMax: number) => {
    const head = {
      seq: itemSeq(seqMax),
      codigo: t.Optional(Codigo),
      cpfCnpjRaiz,
      situacao: t.Optional(situacao),
      versao: t.Optional(Versao),
      dataReferencia: t.Optional(ReferenceDay),
    };
    return {
      Complete: t.Object({ ...head, ...content.input('always', 'active') }, strictItem),
      Draft: t.Object({ ...head, ...content.input('always') }, strictItem),
      Deactivation: t.Object({ ...head, ...content.ignored() }, strictItem),
    };
  };
  return { cpfCnpjRaiz, Request, Response, ListItem, batch: items(SEQ_MAX.batch), file: items(SEQ_MAX.file) };
}

/** An example that is accepted as it is: its NCM is in the included tables and has no required attribute. */
export const PRODUCT_EXAMPLE = {
  denominacao: 'Caixa plástica',
  descricao: 'Com tampa, 10 L',
  modalidade: 'IMPORTACAO',
  ncm: '39269090',
};

export type ProductRequest = ReturnType<typeof productSchemas>['Request']['static'];
export type ProductItem = ReturnType<typeof productSchemas>['batch']['Draft']['static'];

/** Converts a decoded request or item to content: every member is present, absent ones empty. */
export const toContent: (request: InputOf<typeof PRODUCT, 'always'>) => ProductContent = contentBy(PRODUCT);

/** Orders of a page, with the types of the values at its end. */
export const PRODUCT_ORDERS = {
  codigo: ['number'],
  denominacao: ['string', 'number'],
  ncm: ['string', 'number'],
  changedAt: ['number', 'number'],
} as const;
export type ProductOrder = keyof typeof PRODUCT_ORDERS;
