/** The foreign-operator record: its forms on the wire (contract section 4) and as it is kept. */
import { Type as t } from '@sinclair/typebox';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import {
  CountryCode,
  ReferenceDay,
  ListedSeq,
  SEQ_MAX,
  itemOptions,
  itemSeq,
  nullable,
  strict,
} from '../model.ts';
import { Versao } from '../version.ts';

export const OPERATOR_SITUACOES = ['ATIVADO', 'DESATIVADO'] as const;
export type OperatorSituacao = (typeof OPERATOR_SITUACOES)[number];

export const TIN_MAX = 35;
export const CODIGO_MAX = 35;
export const CODIGO_INTERNO_MAX = 35;
const LOGRADOURO_MAX = 70;
const NOME_CIDADE_MAX = 35;
const SUBDIVISAO_MAX = 6;
const CEP_MAX = 9;
const EMAIL_MAX = 70;
const IDENTIFICACAO_NUMERO_MAX = 35;
const IDENTIFICACAO_CODIGO_MAX = 3;

/** An operator is addressed together with its country. */
export interface OperatorPlace {
  readonly cpfCnpjRaiz: string;
  readonly codigoPais: string;
}

/** The texts that a user writes of an operator. */
export interface OperatorTexts {
  readonly tin: string | null;
  readonly nome: string;
  readonly logradouro: string;
  readonly nomeCidade: string;
  readonly codigoSubdivisaoPais: string | null;
  readonly cep: string | null;
  readonly codigoInterno: string | null;
  readonly email: string | null;
}

/** What a user writes of an operator, as it is kept. */
export interface OperatorContent extends OperatorTexts {
  /** JSON array, in the order of output. */
  readonly identificacoesAdicionais: string;
}

/** An operator as a kind of record with versions; its content is kept as it is. */
export interface OperatorTypes {
  readonly place: OperatorPlace;
  readonly codigo: string;
  readonly content: OperatorContent;
  readonly columns: OperatorContent;
}

/** An operator as far as other records look at it. */
export interface OperatorHead {
  readonly codigoPais: string;
  readonly situacao: OperatorSituacao;
}

/** Where other records look operators up. */
export interface Operators {
  findHead(cpfCnpjRaiz: string, codigo: string): OperatorHead | undefined;
}

/** A local part without quotes, and a domain of at least two labels; letters of any script. */
const EMAIL =
  '^[^\\s\\p{Cc}@.,;:<>()\\[\\]\\\\"]+(\\.[^\\s\\p{Cc}@.,;:<>()\\[\\]\\\\"]+)*@[\\p{L}\\p{M}\\p{N}-]+(\\.[\\p{L}\\p{M}\\p{N}-]+)+$';

export const OperatorCodigo = t.String({
  minLength: 1,
  maxLength: CODIGO_MAX,
  'x-code': true,
  description: 'Código do operador estrangeiro, criado pelo serviço.',
  examples: ['OPE_1'],
});

const text = (description: string, example: string) => t.String({ description, examples: [example] });

const optionalCode = (maxLength: number, description: string, example: string) =>
  t.Optional(t.String({ maxLength, 'x-code': true, description, examples: [example] }));

const requiredText = (maxLength: number, description: string, example: string) =>
  t.String({ minLength: 1, maxLength, description, examples: [example] });

const IDENTIFICACOES_TEXT = 'Identificações adicionais do operador.';

const Identificacao = t.Object(
  {
    numero: requiredText(IDENTIFICACAO_NUMERO_MAX, 'Número da identificação.', '123456789'),
    codigo: t.String({
      minLength: 1,
      maxLength: IDENTIFICACAO_CODIGO_MAX,
      description: 'Agência, UN/EDIFACT 3055.',
      examples: ['16'],
    }),
  },
  {
    ...strict,
    'x-form': 'AdditionalIdentification',
    description: 'Uma identificação do operador em uma agência.',
  },
);

const contentMembers = (nomeMax: number) => ({
  tin: optionalCode(TIN_MAX, 'Trade Identification Number.', 'DE123456789'),
  nome: requiredText(nomeMax, 'Nome do operador.', 'Muster Schrauben GmbH'),
  logradouro: requiredText(LOGRADOURO_MAX, 'Logradouro.', 'Hauptstrasse 1'),
  nomeCidade: requiredText(NOME_CIDADE_MAX, 'Cidade.', 'München'),
  codigoSubdivisaoPais: optionalCode(
    SUBDIVISAO_MAX,
    'Subdivisão do país no padrão ISO 3166-2, com o prefixo do país.',
    'DE-BY',
  ),
  cep: optionalCode(CEP_MAX, 'Código postal.', '80331'),
  codigoInterno: optionalCode(CODIGO_INTERNO_MAX, 'Código interno do exportador/importador.', 'FORN-17'),
  email: t.Optional(
    t.String({
      maxLength: EMAIL_MAX,
      pattern: EMAIL,
      'x-domain': 'um endereço de e-mail, como nome@empresa.exemplo',
      // Its classes of Unicode letters are not read by every tool.
      'x-printed': { pattern: undefined, format: 'email' },
      description: 'Endereço de e-mail.',
      examples: ['vendas@muster.example'],
    }),
  ),
  identificacoesAdicionais: t.Optional(t.Array(Identificacao, { description: IDENTIFICACOES_TEXT })),
});

/** The schemas of the foreign operator, as the profile's rules make them. */
export function operatorSchemas(rules: CatalogueRules) {
  const cpfCnpjRaiz = companySchema(rules);
  const situacao = t.Unsafe<OperatorSituacao>({
    type: 'string',
    enum: [...OPERATOR_SITUACOES],
    'x-any-case': true,
    'x-code': true,
    description: 'Situação do operador.',
    examples: ['ATIVADO'],
  });
  const content = contentMembers(rules.nomeMax);
  const example = {
    nome: 'Muster Schrauben GmbH',
    logradouro: 'Hauptstrasse 1',
    nomeCidade: 'München',
    codigoSubdivisaoPais: 'DE-BY',
    tin: 'DE123456789',
  };
  const Request = t.Object(content, {
    ...strict,
    'x-form': 'ForeignOperatorRequest',
    description: 'O conteúdo de um operador estrangeiro.',
    examples: [example],
  });
  const Record = t.Object(
    {
      seq: ListedSeq,
      cpfCnpjRaiz,
      codigo: OperatorCodigo,
      versao: Versao,
      tin: nullable(text('Trade Identification Number.', 'DE123456789')),
      nome: text('Nome do operador.', 'Muster Schrauben GmbH'),
      situacao,
      logradouro: text('Logradouro.', 'Hauptstrasse 1'),
      nomeCidade: text('Cidade.', 'München'),
      codigoSubdivisaoPais: nullable(text('Subdivisão do país no padrão ISO 3166-2.', 'DE-BY')),
      codigoPais: CountryCode,
      cep: nullable(text('Código postal.', '80331')),
      codigoInterno: nullable(text('Código interno do exportador/importador.', 'FORN-17')),
      email: nullable(text('Endereço de e-mail.', 'vendas@muster.example')),
      dataReferencia: t.Null({ description: 'Sempre null na saída, como no serviço público.' }),
      identificacoesAdicionais: t.Array(Identificacao, { description: IDENTIFICACOES_TEXT }),
    },
    { 'x-form': 'ForeignOperator', description: 'Uma versão de um operador estrangeiro.' },
  );
  const Items = (seqMax: number) => itemSchemas(seqMax, { cpfCnpjRaiz, situacao, content });
  return { cpfCnpjRaiz, Request, Record, batch: Items(SEQ_MAX.batch), file: Items(SEQ_MAX.file) };
}

interface ItemParts {
  readonly cpfCnpjRaiz: ReturnType<typeof companySchema>;
  readonly situacao: ReturnType<typeof t.Unsafe<OperatorSituacao>>;
  readonly content: ReturnType<typeof contentMembers>;
}

/** An item of a batch or file: for a whole operator, and for a deactivation, whose content is ignored. */
function itemSchemas(seqMax: number, { cpfCnpjRaiz, situacao, content }: ItemParts) {
  const head = {
    seq: itemSeq(seqMax),
    cpfCnpjRaiz,
    codigoPais: CountryCode,
    codigo: t.Optional(OperatorCodigo),
    versao: t.Optional(Versao),
    situacao: t.Optional(situacao),
    dataReferencia: t.Optional(ReferenceDay),
  };
  const ignored = Object.fromEntries(
    Object.keys(content).map((name) => [
      name,
      t.Optional(t.Unknown({ description: 'Ignorado na desativação.' })),
    ]),
  );
  return {
    Whole: t.Object({ ...head, ...content }, itemOptions),
    Deactivation: t.Object({ ...head, ...ignored }, itemOptions),
  };
}

type Schemas = ReturnType<typeof operatorSchemas>;
export type OperatorRequest = Schemas['Request']['static'];
export type OperatorItem = Schemas['batch']['Whole']['static'];

/** A decoded request or item as content: every member there, absent ones empty. */
export function toContent(request: OperatorRequest): OperatorContent {
  const identificacoes = (request.identificacoesAdicionais ?? []).map(({ numero, codigo }) => ({
    numero,
    codigo,
  }));
  return {
    tin: request.tin ?? null,
    nome: request.nome,
    logradouro: request.logradouro,
    nomeCidade: request.nomeCidade,
    codigoSubdivisaoPais: request.codigoSubdivisaoPais ?? null,
    cep: request.cep ?? null,
    codigoInterno: request.codigoInterno ?? null,
    email: request.email ?? null,
    identificacoesAdicionais: JSON.stringify(identificacoes),
  };
}

/** By what a page can be ordered, and the values in which such a page ends: ties are in the order of the list. */
export const OPERATOR_ORDERS = {
  codigo: ['number', 'string'],
  nome: ['string', 'number', 'string'],
  codigoPais: ['string', 'number', 'string'],
  changedAt: ['number', 'number', 'string'],
} as const;
export type OperatorOrder = keyof typeof OPERATOR_ORDERS;
