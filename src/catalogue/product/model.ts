/** The product record: its forms on the wire (contract section 4) and as it is kept. */
import { type TOptional, type TSchema, type TString, type TUnsafe, Type as t } from '@sinclair/typebox';
import type { Day, EpochMs } from '../../clock.ts';
import type { AttributeLists } from '../attribute/model.ts';
import { type CatalogueRules, companySchema } from '../company.ts';
import { DayText, SEQ_MAX, itemOptions, nullable, strict } from '../model.ts';
import { Versao, type VersionNumber } from '../version.ts';

export const SITUACOES = ['ATIVADO', 'DESATIVADO', 'RASCUNHO'] as const;
export type Situacao = (typeof SITUACOES)[number];

export const MODALIDADES = ['AMBOS', 'EXPORTACAO', 'IMPORTACAO'] as const;
export type Modalidade = (typeof MODALIDADES)[number];

const DESCRICAO_MAX = 3700;
const VALOR_MAX = 3700;
const ATRIBUTO_MAX = 25;
const CODIGO_INTERNO_MAX = 60;
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

/** A stored version of a product. */
export interface ProductVersion extends VersionNumber {
  readonly id: number;
  readonly startsOn: Day;
  readonly madeAt: EpochMs;
  /** `null` for a version that never was a draft; `STILL_DRAFT` while it is one. */
  readonly draftUntil: EpochMs | null;
  readonly deactivatedAt: EpochMs | null;
  readonly denominacao: string;
  readonly descricao: string | null;
  readonly modalidade: Modalidade | null;
  readonly ncm: string | null;
  /** JSON object of the four attribute lists and `codigosInterno`, in the order of output. */
  readonly lists: string;
}

/** Later than every moment: the version is a draft. 9999-12-31T23:59:59-03:00 and then some. */
export const STILL_DRAFT: EpochMs = 253_402_300_799_000;

export function situacaoOf(version: Pick<ProductVersion, 'draftUntil' | 'deactivatedAt'>): Situacao {
  if (version.deactivatedAt !== null) return 'DESATIVADO';
  return version.draftUntil === STILL_DRAFT ? 'RASCUNHO' : 'ATIVADO';
}

const AttributeCode = t.String({ minLength: 1, maxLength: ATRIBUTO_MAX, examples: ['ATT_1'] });
/** JSON numbers and booleans are taken as their text. */
const AttributeValue = t.String({ minLength: 1, maxLength: VALOR_MAX, 'x-textual': true, examples: ['01'] });
const SingleAttribute = t.Object({ atributo: AttributeCode, valor: AttributeValue }, strict);
const Group = listOf(SingleAttribute);

const lists = {
  atributos: t.Optional(listOf(SingleAttribute)),
  atributosMultivalorados: t.Optional(
    listOf(t.Object({ atributo: AttributeCode, valores: listOf(AttributeValue) }, strict)),
  ),
  atributosCompostos: t.Optional(listOf(t.Object({ atributo: AttributeCode, valores: Group }, strict))),
  atributosCompostosMultivalorados: t.Optional(
    listOf(t.Object({ atributo: AttributeCode, valores: listOf(Group) }, strict)),
  ),
  codigosInterno: t.Optional(listOf(t.String({ minLength: 1, maxLength: CODIGO_INTERNO_MAX }))),
};

function listOf<T extends TSchema>(item: T) {
  return t.Array(item, { maxItems: LIST_MAX_ITEMS });
}

export const Ncm = t.String({
  pattern: '^[0-9]{8}$',
  'x-domain': '8 dígitos',
  description: 'Código NCM.',
  examples: ['39269090'],
});

export const Codigo = t.Integer({
  minimum: 1,
  maximum: CODIGO_MAX,
  description: 'Código do produto, até 10 dígitos.',
  examples: [1],
});

/** The schemas of the product, as the profile's rules make them. */
export function productSchemas(rules: CatalogueRules) {
  const modalidades = rules.modalidadeAmbos ? MODALIDADES : MODALIDADES.filter((one) => one !== 'AMBOS');
  const modalidade = t.Unsafe<Modalidade>({ type: 'string', enum: [...modalidades] });
  const descricao = t.Optional(t.String({ maxLength: DESCRICAO_MAX }));
  const denominacao = t.String({ minLength: 1, maxLength: rules.denominacaoMax });
  const cpfCnpjRaiz = companySchema(rules);
  const situacao = t.Unsafe<Situacao>({ type: 'string', enum: [...SITUACOES], 'x-any-case': true });
  const Request = t.Object(
    { descricao, denominacao, modalidade, ncm: Ncm, ...lists },
    {
      ...strict,
      examples: [
        {
          denominacao: 'Caixa plástica',
          descricao: 'Com tampa, 10 L',
          modalidade: 'IMPORTACAO',
          ncm: '39269090',
        },
      ],
    },
  );
  const Items = (seqMax: number) =>
    itemSchemas(seqMax, { cpfCnpjRaiz, situacao, descricao, denominacao, modalidade });
  const output = { modalidade: nullable(t.String()), ncm: nullable(t.String()), ...required(lists) };
  const Response = t.Object({
    descricao: nullable(t.String()),
    denominacao: t.String(),
    ...output,
    cpfCnpjRaiz,
    codigo: Codigo,
    versao: Versao,
    situacao,
  });
  const ListItem = t.Object({
    seq: t.Integer({ minimum: 1 }),
    codigo: Codigo,
    descricao: nullable(t.String()),
    denominacao: t.String(),
    cpfCnpjRaiz,
    situacao,
    ...output,
    versao: Versao,
  });
  return { cpfCnpjRaiz, Request, Response, ListItem, batch: Items(SEQ_MAX.batch), file: Items(SEQ_MAX.file) };
}

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
    seq: t.Integer({ minimum: 1, maximum: seqMax }),
    codigo: t.Optional(Codigo),
    cpfCnpjRaiz,
    situacao: t.Optional(situacao),
    versao: t.Optional(Versao),
    dataReferencia: t.Optional(DayText),
  };
  const optionalContent = { modalidade: t.Optional(modalidade), ncm: t.Optional(Ncm), ...lists };
  const ignoredContent = Object.fromEntries(
    ['descricao', 'denominacao', ...Object.keys(optionalContent)].map((name) => [
      name,
      t.Optional(t.Unknown()),
    ]),
  );
  return {
    Whole: t.Object({ ...head, descricao, denominacao, modalidade, ncm: Ncm, ...lists }, itemOptions),
    Draft: t.Object({ ...head, descricao, denominacao, ...optionalContent }, itemOptions),
    Deactivation: t.Object({ ...head, ...ignoredContent }, itemOptions),
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
