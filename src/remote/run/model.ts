/** Runs (contract section 18): stored forms, request forms and response forms. */
import { ImportId } from '../../catalogue/import/model.ts';
import type { EpochMs } from '../../clock.ts';
import { choice, form, idOf, nullable, text, integerForm } from '../../validation/forms.ts';
import { momentOf } from '../../validation/moment.ts';
import { REMOTE_KINDS, REMOTE_STATES, type RemoteKind, type RemoteState } from '../compare/model.ts';
import { ComparisonId, RemoteName } from '../model.ts';
import { t } from '../../validation/type.ts';

export const DIRECTIONS = ['send', 'fetch'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const RUN_STATES = ['queued', 'running', 'resting', 'paused', 'done', 'failed', 'cancelled'] as const;
export type RunState = (typeof RUN_STATES)[number];

export const STEP_OPERATIONS = ['include', 'newVersion', 'deactivate', 'link', 'unlink'] as const;
export type StepOperation = (typeof STEP_OPERATIONS)[number];

/** Outcomes as they are reported. An intent is reported as pending until more is known. */
export const STEP_OUTCOMES = ['pending', 'sent', 'adopted', 'refused', 'uncertain', 'skipped'] as const;
export type StepOutcome = (typeof STEP_OUTCOMES)[number];
export type KeptOutcome = StepOutcome | 'intent';

/** States that may be sent: local changes that a comparison found, and steps that a run left open. */
export const SENDABLE_STATES = ['soAqui', 'mudouAqui', 'desativadoAqui', 'incerto', 'recusado'] as const;
/** States that may be fetched. */
export const FETCHABLE_STATES = ['mudouLa', 'soLa', 'desativadoLa'] as const;
export const RUN_KINDS = REMOTE_KINDS;

/** Records of a kind that a part of a run changes, by some operations. */
export type Phase = readonly [kind: RemoteKind, operations: readonly StepOperation[]];

/** Phases in order: operators, products, links, unlinks, deactivations. */
export const PHASES: readonly Phase[] = [
  ['operador', ['include', 'newVersion']],
  ['produto', ['include', 'newVersion']],
  ['vinculo', ['link']],
  ['vinculo', ['unlink']],
  ['produto', ['deactivate']],
  ['operador', ['deactivate']],
];

/** The requested part of a comparison. An absent member selects everything of the direction. */
export interface RunFilter {
  readonly kinds?: readonly RemoteKind[] | undefined;
  readonly states?: readonly RemoteState[] | undefined;
  readonly codigos?: readonly string[] | undefined;
}

/** Counts of what is never sent, as far as the plan knows them. */
export interface NotSent {
  readonly drafts: number;
  readonly pastVersions: number;
  readonly concessionActs: number;
}

export interface Run {
  readonly id: number;
  readonly remoteId: number;
  readonly remote: string;
  readonly cpfCnpjRaiz: string;
  readonly comparisonId: number;
  readonly direction: Direction;
  readonly documento: string;
  /** The key or certificate of the session that ordered it. `null`: the command line, or an older version. */
  readonly key: string | null;
  readonly asked: RunFilter;
  readonly simulated: boolean;
  readonly state: RunState;
  readonly planned: boolean;
  readonly again: boolean;
  readonly refusedInRow: number;
  readonly reason: string | null;
  readonly restsUntil: EpochMs | null;
  readonly restsFor: string | null;
  readonly notSent: NotSent | null;
  /** The imports of a run that fetches. */
  readonly imports: readonly number[];
  readonly at: EpochMs;
}

/** A remote record that a step met and did not adopt. */
export interface StepCandidate {
  readonly there: string;
  readonly name: string;
  readonly situacao: string;
}

export interface Step {
  readonly n: number;
  readonly kind: RemoteKind;
  readonly operation: StepOperation;
  readonly localKey: string;
  readonly remoteKey: string | null;
  readonly name: string;
  readonly localVersao: string | null;
  readonly localFingerprint: number | null;
  readonly remoteFingerprint: number | null;
  readonly outcome: KeptOutcome;
  readonly due: EpochMs | null;
  readonly lookups: number;
  readonly attempts: number;
  readonly sentAt: EpochMs | null;
  readonly remoteVersao: string | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly candidates: readonly StepCandidate[];
  readonly at: EpochMs | null;
}

/** A step as the plan creates it. */
export type PlannedStep = Pick<
  Step,
  | 'kind'
  | 'operation'
  | 'localKey'
  | 'remoteKey'
  | 'name'
  | 'localVersao'
  | 'localFingerprint'
  | 'remoteFingerprint'
  | 'message'
> & {
  readonly outcome: 'pending' | 'skipped';
  /** The number of list requests before the step is sent. */
  readonly lookupsBefore: number;
};

const CODIGOS_MAX = 10_000;
const CODIGO_MAX = 35;

/**
 * The document states the uniqueness in the description only: for a set of enum words, a stock generator
 * makes Java that does not compile.
 */
const UNIQUE_WORDS = { minItems: 1, uniqueItems: true, 'x-printed': { uniqueItems: undefined } };

export const RunRequest = t.Object(
  {
    direction: choice(DIRECTIONS, 'send envia o que é daqui; fetch traz o que é de lá.', 'send'),
    kinds: t.Optional(
      t.Array(choice(REMOTE_KINDS, 'Um tipo.'), {
        ...UNIQUE_WORDS,
        description: 'Só estes tipos, sem repetição; sem isto, todos.',
        examples: [['produto']],
      }),
    ),
    states: t.Optional(
      t.Array(choice([...SENDABLE_STATES, ...FETCHABLE_STATES], 'Um estado.'), {
        ...UNIQUE_WORDS,
        description: 'Só estes estados, sem repetição; sem isto, os que são da direção.',
        examples: [['soAqui', 'mudouAqui']],
      }),
    ),
    codigos: t.Optional(
      t.Array(t.String({ minLength: 1, maxLength: CODIGO_MAX, 'x-code': true, description: 'Um código.' }), {
        minItems: 1,
        maxItems: CODIGOS_MAX,
        uniqueItems: true,
        description:
          'Só os registros com estes códigos daqui, ou de lá se só lá estão; de um vínculo, o de seu produto.',
        examples: [['1', 'OPE_1']],
      }),
    ),
    maxDeactivations: t.Optional(
      t.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Quantos produtos e operadores podem ser desativados, no máximo; sem isto, o maior de 10 e 5% dos ativos.',
        examples: [10],
      }),
    ),
    simulate: t.Optional(
      t.Boolean({ description: 'true: mostra os passos, e não envia nem traz nada.', default: false }),
    ),
  },
  {
    additionalProperties: false,
    'x-form': 'RunRequest',
    description: 'O que enviar, ou trazer, de uma comparação.',
    examples: [{ direction: 'send', simulate: true }],
  },
);
export type RunRequest = typeof RunRequest.static;

export const RunId = idOf('Identificador do envio.');
export const RunStarted = form('RunStarted', 'O envio que começou.', { id: RunId });

const count = (description: string) => integerForm(description, 1, { minimum: 0 });

export const RunForm = form('Run', 'Um envio a um remoto, ou uma busca dele.', {
  id: RunId,
  remote: RemoteName,
  cpfCnpjRaiz: text('A empresa.', '12345678'),
  comparison: ComparisonId,
  direction: choice(DIRECTIONS, 'Para onde vai.'),
  simulated: t.Boolean({ description: 'Só mostra os passos; nada é enviado nem trazido.' }),
  state: choice(
    RUN_STATES,
    'queued prepara os passos; resting espera até restsUntil; paused espera por alguém; done, failed e cancelled são finais.',
  ),
  reason: nullable(text('Por que espera, parou ou falhou.', 'limite por hora atingido')),
  restsUntil: nullable(momentOf('Até quando espera; null onde não espera.')),
  restsFor: nullable(text('O que espera: uma operação, ou all.', 'includeProduct')),
  total: count('Quantos passos.'),
  done: count('Quantos já terminaram.'),
  sent: count('Enviados; de uma busca, trazidos.'),
  adopted: count('Achados lá, já feitos.'),
  skipped: count('Deixados de fora, porque mudaram depois da comparação ou dependem de outro.'),
  refused: count('Recusados pelo remoto; de uma busca, pelas regras daqui.'),
  uncertain: count('De que não se sabe se lá foram feitos.'),
  estimatedEnd: nullable(momentOf('Quando deve terminar; null onde já terminou ou não se sabe.')),
  asked: form('RunAsked', 'O que da comparação foi pedido; o que falta aqui não limita.', {
    kinds: t.Optional(t.Array(choice(REMOTE_KINDS, 'Um tipo.'), { description: 'Só estes tipos.' })),
    states: t.Optional(t.Array(choice(REMOTE_STATES, 'Um estado.'), { description: 'Só estes estados.' })),
    codigos: t.Optional(t.Array(text('Um código.', '1'), { description: 'Só estes códigos.' })),
  }),
  operations: t.Array(
    form('RunOperation', 'Passos do mesmo tipo, com a mesma operação e o mesmo fim.', {
      kind: choice(REMOTE_KINDS, 'De que tipo.'),
      operation: choice(STEP_OPERATIONS, 'O que é feito.'),
      outcome: choice(STEP_OUTCOMES, 'Como estão.'),
      count: count('Quantos passos.'),
    }),
    { description: 'Os passos, contados por tipo, operação e fim.' },
  ),
  notSent: nullable(
    form('RunNotSent', 'O que nunca é enviado.', {
      drafts: count('Rascunhos.'),
      pastVersions: count('Versões passadas dos que são incluídos lá.'),
      concessionActs: count('Atos concessórios da empresa.'),
    }),
    {
      description:
        'O que fica de fora, qualquer que seja o pedido; null até que os passos estejam prontos, e em uma busca.',
    },
  ),
  imports: t.Array(ImportId, {
    description:
      'De uma busca, as importações em que veio, na ordem em que foram feitas: têm as linhas, e podem ser desfeitas. De um envio, nenhuma.',
  }),
  at: momentOf('Quando foi pedido.'),
});
export type RunForm = typeof RunForm.static;

export const StepForm = form('RunStep', 'Um passo de um envio.', {
  n: integerForm('O número do passo.', 1),
  kind: choice(REMOTE_KINDS, 'De que tipo é.'),
  codigo: text('O código daqui; de um vínculo, o do produto.', '1'),
  name: text('Denominação, nome, ou o fabricante de um vínculo.', 'Caixa plástica'),
  operation: choice(STEP_OPERATIONS, 'O que é feito lá; em uma busca, aqui.'),
  outcome: choice(STEP_OUTCOMES, 'Como está.'),
  remoteCodigo: nullable(text('O código de lá; null onde ainda não há.', '7')),
  remoteVersao: nullable(text('A versão de lá, depois do passo.', '1')),
  status: nullable(integerForm('O status HTTP da última resposta.', 200)),
  code: nullable(text('O código da recusa, ou por que foi deixado de fora.', 'mudouDepois')),
  message: nullable(text('O que o remoto disse, ou por quê.', 'mudou lá depois da comparação')),
  candidates: t.Array(
    form('StepCandidate', 'Um registro de lá que o passo encontrou.', {
      remoteCodigo: text('O código de lá.', '7'),
      name: text('Denominação ou nome.', 'Caixa plástica'),
      situacao: text('Situação.', 'ATIVADO'),
    }),
    { description: 'Os de lá que podem ser ele.' },
  ),
  at: nullable(momentOf('Quando terminou, ou quando saiu pela última vez.')),
  attempts: integerForm('Quantas vezes saiu.', 1),
});
export type StepForm = typeof StepForm.static;
