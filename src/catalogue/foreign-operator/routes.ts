/** Operations on foreign operators (specification, Foreign operators). */
import type { Clock } from '../../clock.ts';
import { type Operation, ok, okText, operationsIn } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import type { CatalogueAccess } from '../access.ts';
import { BatchResult, batchBody } from '../batch.ts';
import type { CatalogueRules } from '../../validation/company.ts';
import { deprecatedBatch } from '../deprecation.ts';
import { exportAnswer, listAnswer } from '../listing/answers.ts';
import type { Reads } from '../../reading/pool.ts';
import type { OperatorListing } from './listing.ts';
import { CountryCode, DayText, ShowDeactivated, repeatsOfNew } from '../model.ts';
import { Versao } from '../version.ts';
import { operatorBatchItem } from './batch-form.ts';
import { operatorQuerySchema, toFilter } from './filter.ts';
import { OperatorCodigo, type OperatorRequest, type OperatorTypes, type operatorSchemas } from './model.ts';
import type { VersionedService } from '../versioned/service.ts';
import { t } from '../../validation/type.ts';

export interface OperatorRoutesParts {
  readonly operators: VersionedService<OperatorTypes, OperatorRequest>;
  readonly listings: Reads<OperatorListing>;
  readonly schemas: ReturnType<typeof operatorSchemas>;
  readonly rules: CatalogueRules;
  readonly access: CatalogueAccess;
  readonly clock: Clock;
  readonly deprecatedOperations: boolean;
}

const PATH = '/catp/api/ext/operador-estrangeiro';
const operation = operationsIn({
  tag: 'Operadores estrangeiros',
  source: 'specification, Foreign operators',
});

export function operatorRoutes(parts: OperatorRoutesParts): Operation<Caller>[] {
  const { operators, listings, schemas, access, clock } = parts;
  const { cpfCnpjRaiz, Request, Record } = schemas;
  const { readsPathCompany, writesPathCompany, readsQueryCompany } = access;
  const inCountry = { cpfCnpjRaiz, codigoPais: CountryCode };
  const ofOperator = { ...inCountry, codigo: OperatorCodigo };
  const ofVersion = { ...ofOperator, versao: Versao };

  const writes = { success: Record, guard: writesPathCompany } as const;
  const sends = { ...writes, body: Request } as const;

  return [
    operation('GET', PATH, {
      id: 'listForeignOperators',
      summary: 'Consulta operadores estrangeiros',
      description:
        'A versão vigente de cada operador, em ordem do número do código. Sem resultado: 204. Desativados só com exibirDesativados=true.',
      query: operatorQuerySchema(parts.rules),
      success: t.Array(Record),
      otherSuccess: [204],
      guard: readsQueryCompany,
      handle: ({ query, quotaOwner }) =>
        listAnswer(listings, quotaOwner, { kind: 'operators', form: 'list', filter: toFilter(query) }),
    }),

    operation('POST', `${PATH}/:cpfCnpjRaiz/:codigoPais`, {
      ...sends,
      id: 'includeForeignOperator',
      right: 'aprovacao',
      summary: 'Inclui um operador estrangeiro (versão inicial)',
      params: t.Object(inCountry),
      repeats: repeatsOfNew,
      handle: async ({ caller, params, body }) => ok(await operators.include(caller, params, body)),
    }),

    operation('PUT', `${PATH}/:cpfCnpjRaiz/:codigoPais/:codigo`, {
      ...sends,
      id: 'newForeignOperatorVersion',
      right: 'aprovacao',
      summary: 'Inclui uma nova versão do operador estrangeiro',
      description: 'Substitui todo o conteúdo e ativa o operador.',
      params: t.Object(ofOperator),
      repeats: (key) => operators.repeats(key),
      handle: async ({ caller, params, body }) => ok(await operators.newVersion(caller, params, body)),
    }),

    operation('POST', `${PATH}/:cpfCnpjRaiz/:codigoPais/:codigo/:dataReferencia`, {
      ...sends,
      id: 'newRetroactiveForeignOperatorVersion',
      right: 'aprovacao',
      summary: 'Inclui uma versão do operador estrangeiro com vigência a partir de um dia passado',
      description: 'Torna-se a versão vigente só se nenhuma outra começa depois.',
      params: t.Object({ ...ofOperator, dataReferencia: DayText }),
      repeats: ({ dataReferencia: _, ...key }) => operators.repeats(key),
      handle: async ({ caller, params: { dataReferencia, ...key }, body }) =>
        ok(await operators.newVersion(caller, key, body, dataReferencia)),
    }),

    operation('GET', `${PATH}/:cpfCnpjRaiz/:codigoPais/:codigo/:versao`, {
      id: 'getForeignOperatorVersion',
      summary: 'Detalha uma versão do operador estrangeiro',
      params: t.Object(ofVersion),
      success: Record,
      guard: readsPathCompany,
      handle: ({ params: { versao, ...key } }) => okText(operators.getVersion(key, versao)),
    }),

    operation('PUT', `${PATH}/:cpfCnpjRaiz/:codigoPais/:codigo/:versao`, {
      ...sends,
      id: 'rectifyForeignOperator',
      right: 'aprovacao',
      summary: 'Retifica uma versão do operador estrangeiro',
      params: t.Object(ofVersion),
      repeats: ({ versao, ...key }) => operators.repeats(key, versao),
      handle: async ({ caller, params: { versao, ...key }, body }) =>
        ok(await operators.rectify(caller, key, versao, body)),
    }),

    operation('PUT', `${PATH}/desativar/:cpfCnpjRaiz/:codigoPais/:codigo/:versao`, {
      ...writes,
      id: 'deactivateForeignOperator',
      right: 'aprovacao',
      summary: 'Desativa uma versão do operador estrangeiro',
      description: 'O operador fica desativado quando a versão é a vigente.',
      params: t.Object(ofVersion),
      handle: async ({ caller, params: { versao, ...key } }) =>
        ok(await operators.deactivate(caller, key, versao)),
    }),

    operation('GET', `${PATH}/exportar/:cpfCnpjRaiz/:exibirDesativados`, {
      id: 'exportForeignOperators',
      summary: 'Exporta o catálogo de operadores estrangeiros',
      params: t.Object({ cpfCnpjRaiz, exibirDesativados: ShowDeactivated }),
      produces: 'application/zip',
      guard: readsPathCompany,
      handle: ({ params, quotaOwner }) =>
        exportAnswer(listings, quotaOwner, clock, 'OPERADORES_ESTRANGEIROS', params.cpfCnpjRaiz, {
          kind: 'operators',
          form: 'export',
          filter: toFilter(params),
        }),
    }),

    deprecatedBatch(
      parts.deprecatedOperations,
      operation('POST', PATH, {
        id: 'batchForeignOperators',
        right: 'aprovacao',
        summary: 'Inclui, versiona, retifica ou desativa operadores estrangeiros em lote',
        body: batchBody(operatorBatchItem(schemas)),
        success: t.Array(BatchResult),
        handle: async ({ caller, body, note }) => ok(await operators.runBatch(caller, body, note)),
      }),
    ),
  ];
}
