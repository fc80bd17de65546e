/** Operations on links between products and manufacturers or producers (contract section 4). */
import type { Clock } from '../../clock.ts';
import { type Operation, ok, operationsIn } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import type { CatalogueAccess } from '../access.ts';
import { BatchResultWithoutVersion, batchBody } from '../batch.ts';
import { deprecatedBatch } from '../deprecation.ts';
import { exportAnswer } from '../listing/answers.ts';
import type { Reads } from '../../reading/pool.ts';
import type { LinkListing } from './listing.ts';
import { repeatsOf } from '../model.ts';
import type { LinkSchemas } from './model.ts';
import type { LinkService } from './service.ts';
import { t } from '../../validation/type.ts';

export interface LinkRoutesParts {
  readonly links: LinkService;
  readonly listings: Reads<LinkListing>;
  readonly schemas: LinkSchemas;
  readonly access: CatalogueAccess;
  readonly clock: Clock;
  readonly deprecatedOperations: boolean;
}

const PATH = '/catp/api/ext/fabricante';
const operation = operationsIn({
  tag: 'Vínculos de fabricantes e produtores',
  source: 'specification, Manufacturer-producer links',
});

export function linkRoutes(parts: LinkRoutesParts): Operation<Caller>[] {
  const { links, listings, schemas, clock } = parts;
  const { cpfCnpjRaiz, Request, Response } = schemas;
  const { readsPathCompany, writesPathCompany } = parts.access;

  const sends = { body: Request, success: Response, guard: writesPathCompany } as const;

  return [
    operation('POST', `${PATH}/:cpfCnpjRaiz`, {
      ...sends,
      id: 'linkManufacturer',
      right: 'aprovacao',
      summary: 'Vincula um fabricante ou produtor a um produto',
      description:
        'Conhecido no Brasil: cpfCnpjFabricante. Conhecido no exterior: codigoOperadorEstrangeiro. Desconhecido: nenhum dos dois.',
      params: t.Object({ cpfCnpjRaiz }),
      repeats: (place) => repeatsOf(place),
      handle: async ({ caller, params, body }) => ok(await links.link(caller, params.cpfCnpjRaiz, body)),
    }),

    operation('PUT', `${PATH}/:cpfCnpjRaiz`, {
      ...sends,
      id: 'unlinkManufacturer',
      right: 'aprovacao',
      summary: 'Desvincula um fabricante ou produtor de um produto',
      params: t.Object({ cpfCnpjRaiz }),
      repeats: (place) => repeatsOf(place),
      handle: async ({ caller, params, body }) => ok(await links.unlink(caller, params.cpfCnpjRaiz, body)),
    }),

    operation('GET', `${PATH}/exportar/:cpfCnpjRaiz`, {
      id: 'exportLinks',
      summary: 'Exporta os vínculos vigentes entre produtos e fabricantes ou produtores',
      params: t.Object({ cpfCnpjRaiz }),
      produces: 'application/zip',
      guard: readsPathCompany,
      handle: ({ params, quotaOwner }) =>
        exportAnswer(listings, quotaOwner, clock, 'VINCULOS_FABRICANTES', params.cpfCnpjRaiz, {
          kind: 'links',
          form: 'export',
          filter: { cpfCnpjRaiz: params.cpfCnpjRaiz },
        }),
    }),

    deprecatedBatch(
      parts.deprecatedOperations,
      operation('POST', PATH, {
        id: 'batchLinks',
        right: 'aprovacao',
        summary: 'Vincula ou desvincula fabricantes e produtores em lote',
        body: batchBody(schemas.batch),
        success: t.Array(BatchResultWithoutVersion),
        handle: async ({ caller, body, note }) => ok(await links.runBatch(caller, body, note)),
      }),
    ),
  ];
}
