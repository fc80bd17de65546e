/** The operations of runs (contract section 18, Send). */
import { catalogueAccess } from '../../catalogue/access.ts';
import type { Clock } from '../../clock.ts';
import { ACCEPTED, type Operation, accepted, ok, operation } from '../../http/operation.ts';
import { type Idempotency, KEY_HEADER } from '../../idempotency/service.ts';
import type { Caller } from '../../session/model.ts';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { choice, limitOf } from '../../validation/forms.ts';
import { COMPARISONS_PATH } from '../comparison-routes.ts';
import { ComparisonId, RemoteName } from '../model.ts';
import { REMOTE_SECTION } from '../routes.ts';
import { type Run, STEP_OUTCOMES } from './model.ts';
import { RunForm, RunId, RunRequest, RunStarted, StepForm } from './schemas.ts';
import type { Runs } from './service.ts';
import { stepFormOf } from './forms.ts';
import { t } from '../../validation/type.ts';

const PATH = '/appliance/api/runs';
const Id = t.Object({ id: RunId });

const LIMIT_MAX = 1000;
const LIMIT_DEFAULT = 100;

export function runRoutes(
  runs: Runs,
  clock: Clock,
  rules: CatalogueRules,
  idempotency: Idempotency,
): Operation<Caller>[] {
  const access = catalogueAccess(rules);
  const formOf = (run: Run): RunForm => runs.formOf(run, clock.now());
  return [
    operation('POST', `${COMPARISONS_PATH}/:id/runs`, {
      ...REMOTE_SECTION,
      id: 'startRun',
      right: 'leitura',
      summary: 'Envia, passo por passo, o que uma comparação achou por enviar',
      description:
        'Os passos vêm na ordem em que são enviados: operadores, produtos, vínculos, desvínculos, desativações. O que mudou depois da comparação fica de fora (mudouDepois). Com simulate: true só mostra. Nada é enviado duas vezes, nem depois de uma resposta perdida ou de uma queda; o que o remoto pede que espere é esperado.',
      params: t.Object({ id: ComparisonId }),
      body: RunRequest,
      success: RunStarted,
      successStatus: ACCEPTED,
      example: { direction: 'send', simulate: true },
      headers: KEY_HEADER,
      handle: async ({ caller, params, body, request }) => {
        const find = (run: number) => runs.find(caller, run);
        const content = ['startRun', params.id, body];
        const id = await idempotency.once({ caller, request, content, find }, (alsoWrite) =>
          runs.start(caller, params.id, body, alsoWrite),
        );
        return accepted({ id });
      },
    }),

    operation('GET', PATH, {
      ...REMOTE_SECTION,
      id: 'listRuns',
      summary: 'Lista os envios de uma empresa, do mais novo para o mais antigo',
      description: 'Os que terminaram são guardados por 90 dias.',
      query: t.Object({ cpfCnpjRaiz: companySchema(rules), remote: t.Optional(RemoteName) }),
      success: t.Array(RunForm),
      guard: access.representsQueryCompany,
      handle: ({ query }) => ok(runs.list(query.cpfCnpjRaiz, query.remote).map(formOf)),
    }),

    operation('GET', `${PATH}/:id`, {
      ...REMOTE_SECTION,
      id: 'getRun',
      summary: 'Mostra o andamento de um envio, e quando deve terminar',
      params: Id,
      success: RunForm,
      handle: ({ caller, params }) => ok(formOf(runs.find(caller, params.id))),
    }),

    operation('POST', `${PATH}/:id/pause`, {
      ...REMOTE_SECTION,
      id: 'pauseRun',
      right: 'aprovacao',
      summary: 'Para um envio: o passo em andamento termina, e nenhum outro começa',
      params: Id,
      success: RunForm,
      handle: async ({ caller, params }) => ok(formOf(await runs.pause(caller, params.id))),
    }),

    operation('POST', `${PATH}/:id/resume`, {
      ...REMOTE_SECTION,
      id: 'resumeRun',
      right: 'aprovacao',
      summary: 'Continua um envio parado',
      params: Id,
      success: RunForm,
      handle: async ({ caller, params }) => ok(formOf(await runs.resume(caller, params.id))),
    }),

    operation('DELETE', `${PATH}/:id`, {
      ...REMOTE_SECTION,
      id: 'cancelRun',
      right: 'aprovacao',
      summary: 'Cancela o que de um envio ainda não começou',
      description: 'O que já foi enviado fica como está lá.',
      params: Id,
      success: RunForm,
      handle: async ({ caller, params }) => ok(formOf(await runs.cancel(caller, params.id))),
    }),

    operation('GET', `${PATH}/:id/steps`, {
      ...REMOTE_SECTION,
      id: 'listRunSteps',
      summary: 'Lista os passos de um envio, na ordem em que são enviados',
      params: Id,
      query: t.Object({
        outcome: t.Optional(choice(STEP_OUTCOMES, 'Só os que estão assim.')),
        limit: t.Optional(limitOf('Quantos, no máximo.', LIMIT_MAX, LIMIT_DEFAULT)),
        after: t.Optional(
          t.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'O n do último passo visto.',
          }),
        ),
      }),
      success: t.Array(StepForm),
      handle: ({ caller, params, query: { outcome, limit = LIMIT_DEFAULT, after = 0 } }) =>
        ok(runs.steps(caller, params.id, after, limit, outcome).map(stepFormOf)),
    }),
  ];
}
