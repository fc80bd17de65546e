/** Foreign operator record: its wire schemas (contract section 4) and its stored form. */
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { ContentSchemas, inOrder } from '../member-schema.ts';
import { OPERATOR } from '../members/foreign-operator.ts';
import { type ColumnsOf, type ContentOf, contentBy, namesIn } from '../members/member.ts';
import {
  CountryCode,
  ReferenceDay,
  ListedSeq,
  SEQ_MAX,
  itemOptions,
  itemSeq,
  strict,
  strictForm,
} from '../model.ts';
import { Versao } from '../version.ts';
import { form, text } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

const IDENTIFICACAO_NUMERO_MAX = 35;
const IDENTIFICACAO_CODIGO_MAX = 3;
export type OperatorSituacao = keyof (typeof OPERATOR)['situacao']['choices'];

/** Address of an operator, which includes its country. */
export interface OperatorPlace {
  readonly cpfCnpjRaiz: string;
  readonly codigoPais: string;
}

export type OperatorContent = ContentOf<typeof OPERATOR>;
export type OperatorColumns = ColumnsOf<typeof OPERATOR>;

/** Operator as a kind of record with versions. */
export interface OperatorTypes {
  readonly place: OperatorPlace;
  readonly codigo: string;
  readonly content: OperatorContent;
  readonly columns: OperatorColumns;
}

/** Members of an operator that other records need. */
export interface OperatorHead {
  readonly codigoPais: string;
  readonly situacao: OperatorSituacao;
}

/** Look-up of operators for other records. */
export interface Operators {
  findHead(cpfCnpjRaiz: string, codigo: string): OperatorHead | undefined;
}

export const OperatorCodigo = text('Código do operador estrangeiro, criado pelo serviço.', 'OPE_1', {
  minLength: 1,
  maxLength: OPERATOR.codigo.max,
  'x-code': true,
});

const Identificacao = strictForm(
  'AdditionalIdentification',
  'Uma identificação do operador em uma agência.',
  {
    numero: text('Número da identificação.', '123456789', {
      minLength: 1,
      maxLength: IDENTIFICACAO_NUMERO_MAX,
    }),
    codigo: text('Agência, UN/EDIFACT 3055.', '16', { minLength: 1, maxLength: IDENTIFICACAO_CODIGO_MAX }),
  },
);

/** Returns the schemas of the foreign operator under the profile's rules. */
export function operatorSchemas(rules: CatalogueRules) {
  const cpfCnpjRaiz = companySchema(rules);
  const situacao = t.Unsafe<OperatorSituacao>({
    type: 'string',
    enum: Object.keys(OPERATOR.situacao.choices),
    'x-any-case': true,
    'x-code': true,
    description: OPERATOR.situacao.description,
    examples: [OPERATOR.situacao.example],
  });
  const { description } = OPERATOR.identificacoesAdicionais;
  const content = new ContentSchemas(
    OPERATOR,
    rules,
    { identificacoesAdicionais: t.Array(Identificacao, { description }) }, // Some tools cannot read its Unicode letter classes.
    { email: { 'x-printed': { pattern: undefined, format: 'email' } } },
  );
  const example = {
    nome: 'Muster Schrauben GmbH',
    logradouro: 'Hauptstrasse 1',
    nomeCidade: 'München',
    codigoSubdivisaoPais: 'DE-BY',
    tin: 'DE123456789',
  };
  const Request = t.Object(content.input('always'), {
    ...strict,
    'x-form': 'ForeignOperatorRequest',
    description: 'O conteúdo de um operador estrangeiro.',
    examples: [example],
  });
  const answered = {
    seq: ListedSeq,
    cpfCnpjRaiz,
    codigo: OperatorCodigo,
    versao: Versao,
    situacao,
    codigoPais: CountryCode,
    dataReferencia: t.Null({
      description: 'Sempre null na saída, como no serviço público.',
      // Typed as in the public interface: from null alone, a stock generator makes an object that is never
      // null.
      'x-printed': { type: ['string', 'null'], format: 'date-time' },
    }),
    ...content.output(),
  };
  const Record = form(
    'ForeignOperator',
    'Uma versão de um operador estrangeiro.',
    inOrder(namesIn(OPERATOR, 'list'), answered),
  );
  /**
   * Returns the schemas of an item of a batch or file: for a whole operator, and for a deactivation, whose
   * content is ignored.
   */
  const items = (seqMax: number) => {
    const head = {
      seq: itemSeq(seqMax),
      cpfCnpjRaiz,
      codigoPais: CountryCode,
      codigo: t.Optional(OperatorCodigo),
      versao: t.Optional(Versao),
      situacao: t.Optional(situacao),
      dataReferencia: t.Optional(ReferenceDay),
    };
    return {
      Complete: t.Object({ ...head, ...content.input('always') }, itemOptions),
      Deactivation: t.Object({ ...head, ...content.ignored() }, itemOptions),
    };
  };
  return { cpfCnpjRaiz, Request, Record, batch: items(SEQ_MAX.batch), file: items(SEQ_MAX.file) };
}

type Schemas = ReturnType<typeof operatorSchemas>;
export type OperatorRequest = Schemas['Request']['static'];
export type OperatorItem = Schemas['batch']['Complete']['static'];

/** Converts a decoded request or item to content: every member is present, absent ones empty. */
export const toContent: (request: OperatorRequest) => OperatorContent = contentBy(OPERATOR);

/** Orders of a page, with the types of the values at its end: ties keep the order of the list. */
export const OPERATOR_ORDERS = {
  codigo: ['number', 'string'],
  nome: ['string', 'number', 'string'],
  codigoPais: ['string', 'number', 'string'],
  changedAt: ['number', 'number', 'string'],
} as const;
export type OperatorOrder = keyof typeof OPERATOR_ORDERS;
