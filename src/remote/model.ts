/** Remotes and comparisons (contract section 18): stored forms, request forms and response forms. */
import { RemoteName } from '../catalogue/model.ts';
import type { EpochMs } from '../clock.ts';
import { type CatalogueRules, companySchema } from '../validation/company.ts';
import { choice, form, nullable, text, integerForm } from '../validation/forms.ts';
import { momentOf } from '../validation/moment.ts';
import { secretPlaceholder } from '../validation/format-value.ts';
import {
  type ComparedFiles,
  type Counts,
  type LastCodes,
  REMOTE_KINDS,
  REMOTE_STATES,
  type RecordComparison,
  type RemoteKind,
  type RemoteState,
  STATE_WORDS,
} from './compare/model.ts';
import { type ComparisonFailure, REMOTE_CODES } from './codes.ts';
import { CONNECTION_MEMBERS, CONNECTION_FORM_MEMBERS } from './wire/model.ts';
import { t } from '../validation/type.ts';

export { RemoteName };

export const REMOTE_RULES = ['portal', 'especificacao'] as const;
export type RemoteRules = (typeof REMOTE_RULES)[number];

export const COMPARISON_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type ComparisonState = (typeof COMPARISON_STATES)[number];

export interface Remote {
  readonly id: number;
  readonly name: string;
  readonly rules: RemoteRules;
  readonly companies: readonly string[];
}

export interface Comparison {
  readonly id: number;
  readonly remoteId: number;
  readonly remote: string;
  readonly rules: RemoteRules;
  readonly cpfCnpjRaiz: string;
  readonly documento: string;
  readonly state: ComparisonState;
  readonly forced: boolean;
  /** Files in the imports folder. `null`: the comparison is over, or a command holds the files. */
  readonly files: ComparedFiles | null;
  /** True when the job made it. */
  readonly byJob: boolean;
  /** The cause of a failed or cancelled comparison. */
  readonly error: ComparisonFailure | null;
  readonly counts: Counts | null;
  readonly at: EpochMs;
}

/**
 * Exports of the remote side, kept while a run may fetch from them. The files are in the imports folder.
 */
export interface KeptExports extends Readonly<Record<'operadores' | 'produtos', string>> {
  readonly last: LastCodes;
}

/** A stored record of a comparison. */
export interface StoredRecordComparison extends RecordComparison {
  readonly n: number;
}

/**
 * Filter of the records of a comparison. Holds plain values only, because it crosses to the reading Worker.
 */
export interface RecordFilter {
  readonly comparisonId: number;
  readonly kind?: RemoteKind | undefined;
  readonly state?: RemoteState | undefined;
  readonly text?: string | undefined;
}

const strict = { additionalProperties: false } as const;
const rulesMember = choice(
  REMOTE_RULES,
  'Que limites valem lá: os do serviço público, ou os da especificação.',
  'portal',
);

export function remoteSchemas(rules: CatalogueRules) {
  const companies = t.Array(companySchema(rules), {
    minItems: 1,
    maxItems: 1000,
    uniqueItems: true,
    description: 'As empresas cujo catálogo está lá.',
    examples: [['12345678']],
  });
  const Request = t.Object(
    {
      name: RemoteName,
      companies,
      rules: t.Optional({ ...rulesMember, default: 'portal' }),
      ...CONNECTION_MEMBERS,
    },
    {
      ...strict,
      'x-form': 'RemoteRequest',
      'x-format-value': secretPlaceholder,
      description: 'Um remoto: outro servidor desta interface; sem url é comparado por arquivos.',
      examples: [{ name: 'portal', companies: ['12345678'] }],
    },
  );
  const Change = t.Object(
    { companies: t.Optional(companies), rules: t.Optional(rulesMember), ...CONNECTION_MEMBERS },
    {
      ...strict,
      'x-form': 'RemoteChange',
      'x-format-value': secretPlaceholder,
      description: 'O que muda de um remoto; o que não é dito fica.',
      examples: [{ companies: ['12345678'] }],
    },
  );
  const Stored = form(
    'Remote',
    'Um remoto; como se chega a ele só um administrador vê. Sem perHour não tem endereço: é comparado por arquivos.',
    { name: RemoteName, companies, rules: rulesMember, ...CONNECTION_FORM_MEMBERS },
  );
  return { Request, Change, Stored, cpfCnpjRaiz: companySchema(rules) };
}

type Schemas = ReturnType<typeof remoteSchemas>;
export type RemoteRequest = Schemas['Request']['static'];
export type RemoteChange = Schemas['Change']['static'];

export const ComparisonId = t.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Identificador da comparação.',
  examples: [1],
});

const exported = (what: string) =>
  t.String({ format: 'binary', description: `${what}: o zip que lá se exporta, ou o JSON de dentro dele.` });

/** The multipart form. Booleans are text in it. */
export const comparisonForm = (rules: CatalogueRules) =>
  t.Object(
    {
      cpfCnpjRaiz: companySchema(rules),
      produtos: exported('Os produtos, com os desativados'),
      operadores: exported('Os operadores estrangeiros, com os desativados'),
      vinculos: exported('Os vínculos com fabricantes e produtores'),
      force: t.Optional(
        choice(
          ['true', 'false'],
          'true: continua mesmo que falte no remoto mais da metade dos registros já conhecidos.',
        ),
      ),
    },
    {
      ...strict,
      'x-form': 'ComparisonRequest',
      description: 'As três exportações do remoto, de uma empresa.',
      examples: [{ cpfCnpjRaiz: '12345678', produtos: 'p.zip', operadores: 'o.zip', vinculos: 'v.zip' }],
    },
  );

/** The body of comparisons whose exports are fetched: of one company, or of several. */
export const fetchedForm = (rules: CatalogueRules) =>
  t.Object(
    {
      cpfCnpjRaiz: t.Optional(companySchema(rules)),
      companies: t.Optional(
        t.Unsafe<unknown>({
          description:
            'Em vez de cpfCnpjRaiz: lista das raízes das empresas, ou o texto todas, as do remoto em que quem pede tem aprovacao. Todas começam, ou nenhuma.',
          examples: [['12345678']],
          'x-printed': { not: { type: 'null' } },
        }),
      ),
      force: t.Optional(
        t.Boolean({
          description: 'true: continua mesmo que falte no remoto mais da metade dos registros já conhecidos.',
        }),
      ),
    },
    {
      ...strict,
      'x-form': 'FetchedComparisonRequest',
      description: 'Uma comparação com o que o remoto exporta agora, ou uma de cada empresa.',
      examples: [{ cpfCnpjRaiz: '12345678' }],
    },
  );
export type FetchedForm = ReturnType<typeof fetchedForm>;

export const ComparisonStarted = form('ComparisonStarted', 'A comparação que começou, ou as que começaram.', {
  id: t.Optional({ ...ComparisonId, description: 'A comparação; ausente onde foram pedidas por companies.' }),
  ids: t.Optional(
    t.Array(ComparisonId, {
      description: 'As comparações, na ordem das empresas; ausente onde foi pedida por cpfCnpjRaiz.',
    }),
  ),
});

export const kindOf = (description: string) => choice(REMOTE_KINDS, description);
export const stateOf = (description: string) => choice(REMOTE_STATES, description);

const ofState = form(
  'ComparedStates',
  'Quantos em cada estado; os estados sem nenhum ficam de fora.',
  Object.fromEntries(
    REMOTE_STATES.map((state) => [
      state,
      t.Optional(t.Integer({ minimum: 0, description: `${STATE_WORDS[state]}: quantos.` })),
    ]),
  ),
);

export const ComparisonForm = form('Comparison', 'Uma comparação.', {
  id: ComparisonId,
  remote: RemoteName,
  cpfCnpjRaiz: text('A empresa.', '12345678'),
  state: choice(COMPARISON_STATES, 'queued e running ainda vão mudar; os outros são finais.'),
  at: momentOf('Quando foi pedida.'),
  error: nullable(
    form('ComparisonFailure', 'Por que uma comparação não deu resultado.', {
      code: text(
        'O código da causa; a página Códigos da ajuda diz o que fazer.',
        REMOTE_CODES.manyMissing.code,
      ),
      message: t.String({ description: 'O que houve, e o que fazer.' }),
    }),
    { description: 'Por que falhou ou foi cancelada; null onde não.' },
  ),
  counts: nullable(
    form('ComparedCounts', 'Quantos, por tipo e estado.', {
      produto: ofState,
      operador: ofState,
      vinculo: ofState,
    }),
    { description: 'Por tipo e estado; null até que termine.' },
  ),
});
export type ComparisonForm = typeof ComparisonForm.static;

const side = (what: string) => nullable(t.String({ description: `${what}; null onde não há nada.` }));

const ComparedDifference = form('ComparedDifference', 'Um membro que difere.', {
  member: text('O membro.', 'denominacao'),
  heading: text('O membro em palavras.', 'Denominação'),
  here: side('O que está aqui'),
  there: side('O que está lá'),
  base: nullable(
    form('ComparedBase', 'Como os dois lados estavam.', {
      here: side('O que estava aqui'),
      there: side('O que estava lá'),
    }),
    { description: 'Como estavam quando foram iguais pela última vez; null onde não se sabe.' },
  ),
});

const PairCandidate = form('PairCandidate', 'Um registro de lá que pode ser o daqui.', {
  remoteCodigo: text('O código de lá.', '7'),
  name: text('Denominação ou nome.', 'Caixa plástica'),
  situacao: text('Situação.', 'ATIVADO'),
});

export const ComparedRecord = form('ComparedRecord', 'Um registro comparado.', {
  kind: kindOf('De que tipo é.'),
  codigo: nullable(text('O código daqui; de um vínculo, o do produto. null: não está aqui.', '1')),
  remoteCodigo: nullable(text('O código de lá; de um vínculo, o do produto. null: não está lá.', '7')),
  remoteVersao: nullable(text('A versão de lá.', '1')),
  name: text('Denominação, nome, ou o fabricante de um vínculo.', 'Caixa plástica'),
  state: stateOf('Como os dois lados estão.'),
  differences: t.Array(ComparedDifference, { description: 'Em que diferem.' }),
  reason: nullable(text('Por quê, onde o estado sozinho não diz.', 'rascunho; ative-o antes')),
  candidates: t.Array(PairCandidate, {
    description: 'De um ambíguo, os de lá que podem ser ele: até dez; onde há mais, reason diz quantos.',
  }),
});
export type ComparedRecord = typeof ComparedRecord.static;

export const ComparedPage = form('ComparedPage', 'Uma página do que uma comparação achou.', {
  items: t.Array(ComparedRecord, { description: 'Os registros desta página.' }),
  next: nullable(integerForm('Envie-o em after para a próxima página; null na última.', 50)),
  total: integerForm('Quantos há em todas as páginas.', 1),
});

export const PairRequest = t.Object(
  {
    kind: choice(['produto', 'operador'] as const, 'De que tipo é.'),
    codigo: t.String({
      minLength: 1,
      maxLength: 35,
      'x-code': true,
      description: 'O código daqui.',
      examples: ['1'],
    }),
    remoteCodigo: t.Unsafe<string | null>({
      type: 'string',
      minLength: 1,
      maxLength: 35,
      'x-code': true,
      'x-keeps-empty': true,
      description: 'O código de lá; null: é novo lá.',
      examples: ['7'],
    }),
    keep: t.Optional(
      choice(['here', 'there'] as const, 'Qual conteúdo vale, onde diferem: o daqui ou o de lá.'),
    ),
  },
  {
    ...strict,
    'x-form': 'PairRequest',
    description: 'Quem é quem, decidido por uma pessoa.',
    examples: [{ kind: 'produto', codigo: '1', remoteCodigo: '7' }],
  },
);
export type PairRequest = typeof PairRequest.static;

const PAIRS_MAX = 1000;

export const PairRequests = t.Array(PairRequest, {
  minItems: 1,
  maxItems: PAIRS_MAX,
  description: 'As decisões: todas valem, ou nenhuma.',
  examples: [PairRequest.examples],
});
