/** Schemas of the requests and responses of runs, which only their routes load. */
import { ImportId } from '../../catalogue/import/model.ts';
import { choice, form, idOf, nullable, text, integerForm } from '../../validation/forms.ts';
import { momentOf } from '../../validation/moment.ts';
import { REMOTE_KINDS, REMOTE_STATES } from '../compare/model.ts';
import { ComparisonId, RemoteName } from '../model.ts';
import { t } from '../../validation/type.ts';
import {
  DIRECTIONS,
  RUN_STATES,
  STEP_OPERATIONS,
  STEP_OUTCOMES,
  SENDABLE_STATES,
  FETCHABLE_STATES,
} from './model.ts';

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
