/** Operations on concession acts (contract section 4). */
import { type Answer, type Operation, noContent, ok, operationsIn } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import type { CatalogueAccess } from '../access.ts';
import { type BatchRunner, BatchResultWithoutVersion, batchBody } from '../batch.ts';
import { listAnswer } from '../listing/answers.ts';
import type { Reads } from '../../reading/pool.ts';
import type { ConcessionActListing } from './listing.ts';
import type { ConcessionActSchemas } from './model.ts';
import { t } from '../../validation/type.ts';

export interface ConcessionActRoutesParts {
  readonly runBatch: BatchRunner;
  readonly listings: Reads<ConcessionActListing>;
  readonly schemas: ConcessionActSchemas;
  readonly access: CatalogueAccess;
}

const operation = operationsIn({ tag: 'Atos concessórios', source: 'contract, section 4' });

export function concessionActRoutes(parts: ConcessionActRoutesParts): Operation<Caller>[] {
  const { runBatch, listings, schemas, access } = parts;

  return [
    operation('POST', '/catp/api/ext/regime-especial', {
      id: 'includeConcessionActs',
      right: 'aprovacao',
      summary: 'Inclui atos concessórios de produtos',
      description: 'Um ato já incluído para o produto responde sucesso e nada muda.',
      body: batchBody(schemas.batch),
      success: t.Array(BatchResultWithoutVersion),
      handle: async ({ caller, body, note }) => ok(await runBatch(caller, body, note)),
    }),

    operation('GET', '/appliance/api/concession-acts', {
      id: 'listConcessionActs',
      summary: 'Consulta atos concessórios',
      description: 'Os atos da empresa, ou só os de um produto. Sem resultado: lista vazia.',
      query: schemas.Query,
      success: t.Array(schemas.Response),
      guard: access.readsQueryCompany,
      handle: async ({ query, quotaOwner }) =>
        orEmptyList(
          await listAnswer(listings, quotaOwner, { kind: 'concessionActs', form: 'list', filter: query }),
        ),
    }),
  ];
}

/** The specification's operations return 204 for an empty list; ours return `[]`. */
const orEmptyList = (answer: Answer): Answer => (answer === noContent ? ok([]) : answer);
