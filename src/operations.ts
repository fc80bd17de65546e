/** Every operation of the server, feature by feature: what is mounted, and what `/openapi.json` shows. */
import { catalogueAccess } from './catalogue/access.ts';
import { attributeRoutes } from './catalogue/attribute/routes.ts';
import { concessionActRoutes } from './catalogue/concession-act/routes.ts';
import { operatorRoutes } from './catalogue/foreign-operator/routes.ts';
import type { Imports } from './catalogue/import/imports.ts';
import { importRoutes } from './catalogue/import/routes.ts';
import type { Listings } from './catalogue/listing/service.ts';
import { linkRoutes } from './catalogue/manufacturer-link/routes.ts';
import { productRoutes } from './catalogue/product/routes.ts';
import type { Clock, RealTime } from './clock.ts';
import type { Settings } from './config.ts';
import type { Core } from './core.ts';
import { type DevRoutesParts, devRoutes } from './dev/routes.ts';
import { fidelityRoutes } from './fidelity/routes.ts';
import { type Readiness, healthRoutes } from './health/routes.ts';
import { documentRoute } from './http/document-routes.ts';
import type { OnLateFault } from './http/kept-alive.ts';
import type { Operation } from './http/operation.ts';
import type { Metrics } from './health/metrics.ts';
import { deliveryRoutes } from './notification/delivery/history/routes.ts';
import { eventRoutes } from './notification/event/routes.ts';
import { failureRoutes } from './notification/failure/routes.ts';
import { subscriptionRoutes } from './notification/subscription/routes.ts';
import { accountRoutes } from './session/account-routes.ts';
import type { Authentication } from './session/authentication.ts';
import type { Caller } from './session/model.ts';
import { sessionRoutes } from './session/routes.ts';
import { API_VERSION } from './version.ts';

export interface OperationsParts {
  readonly core: Core;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly authentication: Authentication;
  readonly listings: Listings;
  readonly imports: Imports;
  readonly metrics: Metrics;
  readonly readiness: () => Readiness;
  readonly addressOf: (request: Request) => string;
  readonly certificateOf: (request: Request) => string | undefined;
  readonly realTime: RealTime;
  /** Told of a failure of work that an answer is kept alive for. */
  readonly onLateFault: OnLateFault;
  /** Only a development instance has it. */
  readonly development: DevRoutesParts | undefined;
}

const ABOUT =
  'Catálogo de Produtos do Portal Único Siscomex: produtos, operadores estrangeiros, vínculos com fabricantes, importação, exportação e notificações.';

export function operationsOf(parts: OperationsParts): readonly Operation<Caller>[] {
  const { core, settings, clock, authentication, listings, imports, metrics, readiness, development } = parts;
  const { catalogue } = core;
  const access = catalogueAccess(catalogue.rules);
  const deprecatedOperations = settings.operacoesDescontinuadas;
  const operations: Operation<Caller>[] = [
    ...sessionRoutes({
      authentication,
      accounts: core.accounts,
      addressOf: parts.addressOf,
      certificateOf: parts.certificateOf,
    }),
    ...productRoutes({
      products: catalogue.product.service,
      schemas: catalogue.product.schemas,
      rules: catalogue.rules,
      listings,
      access,
      clock,
      deprecatedOperations,
    }),
    ...operatorRoutes({
      operators: catalogue.operator.service,
      schemas: catalogue.operator.schemas,
      rules: catalogue.rules,
      listings,
      access,
      clock,
      deprecatedOperations,
    }),
    ...linkRoutes({
      links: catalogue.link.service,
      schemas: catalogue.link.schemas,
      listings,
      access,
      clock,
      deprecatedOperations,
    }),
    ...concessionActRoutes({
      concessionActs: catalogue.concessionAct.service,
      schemas: catalogue.concessionAct.schemas,
      listings,
      access,
    }),
    ...importRoutes({ imports: imports.service, ...imports.upload }),
    ...attributeRoutes({
      attributes: catalogue.attribute.service,
      serving: catalogue.attribute.serving,
      maxBytes: settings['importacao.maximo'],
      realTime: parts.realTime,
      onLateFault: parts.onLateFault,
    }),
    ...subscriptionRoutes({ subscriptions: core.subscriptions, loopback: development !== undefined }),
    ...failureRoutes(core.failures, settings['corpo.maximo']),
    ...eventRoutes({ events: core.events, rules: catalogue.rules }),
    ...deliveryRoutes(core.deliveryHistory),
    ...accountRoutes(core.accounts, catalogue.rules),
    ...healthRoutes(metrics, readiness),
    ...fidelityRoutes(),
    ...(development === undefined ? [] : devRoutes(development)),
  ];
  operations.push(
    documentRoute({
      operations: operations.filter(({ retired }) => !retired),
      version: API_VERSION,
      description: ABOUT,
    }),
  );
  return operations;
}
