/**
 * Operations on products: those of the specification, and two of the public interface that it lacks
 * (contract section 5).
 */
import type { Clock } from '../../clock.ts';
import { type Operation, ok, okText, operationsIn } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import type { CatalogueAccess } from '../access.ts';
import { BatchResult, batchBody } from '../batch.ts';
import type { CatalogueRules } from '../../validation/company.ts';
import { deprecatedBatch } from '../deprecation.ts';
import { exportAnswer, listAnswer } from '../listing/answers.ts';
import type { Reads } from '../../reading/pool.ts';
import type { ProductListing } from './page.ts';
import { DayText, ShowDeactivated, repeatsOfNew } from '../model.ts';
import { Versao } from '../version.ts';
import { productBatchItem } from './batch-form.ts';
import { productQuerySchema, toFilter } from './filter.ts';
import { Codigo, type productSchemas } from './model.ts';
import type { ProductService } from './service.ts';
import { t } from '../../validation/type.ts';

export interface ProductRoutesParts {
  readonly products: ProductService;
  readonly listings: Reads<ProductListing>;
  readonly schemas: ReturnType<typeof productSchemas>;
  readonly rules: CatalogueRules;
  readonly access: CatalogueAccess;
  readonly clock: Clock;
  readonly deprecatedOperations: boolean;
}

const PATH = '/catp/api/ext/produto';
const operation = operationsIn({ tag: 'Produtos', source: 'specification, Products' });

export function productRoutes(parts: ProductRoutesParts): Operation<Caller>[] {
  const { products, listings, schemas, access, clock } = parts;
  const { cpfCnpjRaiz, Request, Response, ListItem } = schemas;
  const { readsPathCompany, writesPathCompany, readsQueryCompany } = access;

  const writes = { success: Response, guard: writesPathCompany } as const;
  const sends = { ...writes, body: Request } as const;

  return [
    operation('GET', PATH, {
      id: 'listProducts',
      summary: 'Consulta produtos',
      description:
        'A versão vigente de cada produto, em ordem de código. Sem resultado: 204. Com dataReferencia: cada produto como estava no fim desse dia.',
      query: productQuerySchema(parts.rules),
      success: t.Array(ListItem),
      otherSuccess: [204],
      guard: readsQueryCompany,
      handle: ({ query, quotaOwner }) =>
        listAnswer(listings, quotaOwner, {
          kind: 'products',
          form: 'list',
          filter: toFilter(query, clock.now()),
        }),
    }),

    operation('POST', `${PATH}/:cpfCnpjRaiz`, {
      ...sends,
      id: 'includeProduct',
      right: 'aprovacao',
      summary: 'Inclui um produto (versão inicial)',
      params: t.Object({ cpfCnpjRaiz }),
      repeats: repeatsOfNew,
      handle: async ({ caller, params, body }) => ok(await products.include(caller, params, body)),
    }),

    operation('POST', `${PATH}/:cpfCnpjRaiz/:dataReferencia`, {
      ...sends,
      source: 'contract, section 5',
      id: 'includeRetroactiveProduct',
      right: 'aprovacao',
      summary: 'Inclui um produto com vigência a partir de um dia passado',
      params: t.Object({ cpfCnpjRaiz, dataReferencia: DayText }),
      repeats: ({ cpfCnpjRaiz: company }) => repeatsOfNew({ cpfCnpjRaiz: company }),
      handle: async ({ caller, params: { dataReferencia, ...place }, body }) =>
        ok(await products.include(caller, place, body, dataReferencia)),
    }),

    operation('PUT', `${PATH}/:cpfCnpjRaiz/:codigo`, {
      ...sends,
      id: 'newProductVersion',
      right: 'aprovacao',
      summary: 'Inclui uma nova versão do produto',
      description: 'Substitui todo o conteúdo e ativa o produto. Em um rascunho, ativa a versão 1.',
      params: t.Object({ cpfCnpjRaiz, codigo: Codigo }),
      repeats: (key) => products.repeats(key),
      handle: async ({ caller, params, body }) => ok(await products.newVersion(caller, params, body)),
    }),

    operation('PUT', `${PATH}/:cpfCnpjRaiz/:codigo/:versao`, {
      ...sends,
      source: 'contract, section 5',
      id: 'rectifyProduct',
      right: 'aprovacao',
      summary: 'Retifica uma versão do produto',
      params: t.Object({ cpfCnpjRaiz, codigo: Codigo, versao: Versao }),
      repeats: ({ versao, ...key }) => products.repeats(key, versao),
      // Keeps the NCM and the modality of the first generated product, as a rectification must.
      example: {
        denominacao: 'Café torrado em grãos, 1 kg',
        modalidade: 'AMBOS',
        ncm: '09012100',
        atributos: [
          { atributo: 'ATT_90001', valor: '01' },
          { atributo: 'ATT_90005', valor: 'true' },
          { atributo: 'ATT_90006', valor: '01' },
          { atributo: 'ATT_90007', valor: '2030-12-31' },
          { atributo: 'ATT_90040', valor: '01' },
        ],
      },
      handle: async ({ caller, params: { versao, ...key }, body }) =>
        ok(await products.rectify(caller, key, versao, body)),
    }),

    operation('GET', `${PATH}/:cpfCnpjRaiz/:codigo/:versao`, {
      id: 'getProductVersion',
      summary: 'Detalha uma versão do produto',
      params: t.Object({ cpfCnpjRaiz, codigo: Codigo, versao: Versao }),
      success: Response,
      guard: readsPathCompany,
      handle: ({ params }) => okText(products.getVersion(params, params.versao)),
    }),

    operation('PUT', `${PATH}/desativar/:cpfCnpjRaiz/:codigo`, {
      ...writes,
      id: 'deactivateProduct',
      right: 'preenchimento',
      summary: 'Desativa o produto',
      params: t.Object({ cpfCnpjRaiz, codigo: Codigo }),
      // The refusal names the right that is enough for this product: a draft needs less (contract section 27).
      guard: (caller, params, query, right) => {
        const { cpfCnpjRaiz: company, codigo } = params;
        const isActive =
          company != null && products.isActive({ cpfCnpjRaiz: company, codigo: Number(codigo) });
        writesPathCompany(caller, params, query, isActive ? 'aprovacao' : right);
      },
      handle: async ({ caller, params }) => ok(await products.deactivate(caller, params)),
    }),

    operation('GET', `${PATH}/exportar/:cpfCnpjRaiz/:exibirDesativados`, {
      id: 'exportProducts',
      summary: 'Exporta o catálogo de produtos',
      params: t.Object({ cpfCnpjRaiz, exibirDesativados: ShowDeactivated }),
      produces: 'application/zip',
      guard: readsPathCompany,
      handle: ({ params, quotaOwner }) =>
        exportAnswer(listings, quotaOwner, clock, 'CATALOGO_PRODUTOS', params.cpfCnpjRaiz, {
          kind: 'products',
          form: 'export',
          filter: { cpfCnpjRaiz: params.cpfCnpjRaiz, withoutDeactivated: !params.exibirDesativados },
        }),
    }),

    deprecatedBatch(
      parts.deprecatedOperations,
      operation('POST', PATH, {
        id: 'batchProducts',
        right: 'preenchimento',
        summary: 'Inclui, versiona, retifica ou desativa produtos em lote',
        body: batchBody(productBatchItem(schemas.batch)),
        success: t.Array(BatchResult),
        handle: async ({ caller, body, note }) => ok(await products.runBatch(caller, body, note)),
      }),
    ),
  ];
}
