/** The one place where the parts of the server are joined. */
import { catalogueAccess } from './catalogue/access.ts';
import { attributeRoutes } from './catalogue/attribute/routes.ts';
import { concessionActRoutes } from './catalogue/concession-act/routes.ts';
import { Listings } from './catalogue/listing/service.ts';
import { operatorRoutes } from './catalogue/foreign-operator/routes.ts';
import { linkRoutes } from './catalogue/manufacturer-link/routes.ts';
import { productRoutes } from './catalogue/product/routes.ts';
import type { Clock } from './clock.ts';
import type { Settings } from './config.ts';
import { type Core, openCore } from './core.ts';
import type { OpenOptions } from './db/open.ts';
import { fidelityRoutes } from './fidelity/routes.ts';
import { type DataFolder, fileSize } from './folder.ts';
import { type Readiness, healthRoutes } from './health/routes.ts';
import { Cors } from './http/cors.ts';
import { documentRoute } from './http/document-routes.ts';
import type { Operation } from './http/operation.ts';
import { Pipeline } from './http/pipeline.ts';
import { createRouter } from './http/router.ts';
import type { Logger } from './log.ts';
import { Metrics } from './metrics.ts';
import { createSender } from './notification/delivery/sender-settings.ts';
import { createWorker } from './notification/delivery/service.ts';
import { deliveryRoutes } from './notification/delivery/routes.ts';
import { eventRoutes } from './notification/event/routes.ts';
import { failureRoutes } from './notification/failure/routes.ts';
import { subscriptionRoutes } from './notification/subscription/routes.ts';
import { accountRoutes } from './session/account-routes.ts';
import { Authentication } from './session/authentication.ts';
import { Guard } from './session/guard.ts';
import { HourlyLimit } from './session/hourly-limit.ts';
import type { Caller } from './session/model.ts';
import { sessionRoutes } from './session/routes.ts';
import { Tokens } from './session/tokens.ts';
import { localDateTime } from './validation/calendar.ts';
import { emptyDatabase } from './dev/reset.ts';
import { devRoutes } from './dev/routes.ts';
import type { Dated } from './dev/time-travel.ts';
import { faultOf, logExchange } from './exchange-log.ts';
import { jobsOf } from './jobs/schedule.ts';
import { Scheduler } from './jobs/scheduler.ts';
import { VERSION } from './version.ts';
import { webPages } from './web/pages.ts';

const ABOUT =
  'Catálogo de Produtos do Portal Único Siscomex: produtos, operadores estrangeiros, vínculos com fabricantes, importação, exportação e notificações.';

export interface AppParts {
  readonly folder: DataFolder;
  readonly settings: Settings;
  readonly clock: Clock;
  /** A monotonic reading in ms. */
  readonly stopwatch: () => number;
  readonly log: Logger;
  readonly mode: 'dev' | 'serve';
  /** Fills a development instance, at its first start and after a reset. */
  readonly seed?: (core: Core) => Promise<void>;
  readonly open?: OpenOptions;
  readonly addressOf?: (request: Request) => string;
  readonly certificateOf?: (request: Request) => string | undefined;
}

export interface App {
  readonly core: Core;
  readonly operations: readonly Operation<Caller>[];
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Starts what goes on by itself: deliveries, jobs, imports. */
  start(): void;
  /** Finishes what was accepted and closes the database. */
  close(): Promise<void>;
}

/** What is in flight at a stop gets so long to end; the rest is made again at the next start. */
const DELIVERY_GRACE_MS = 500;

export async function createApp(parts: AppParts): Promise<App> {
  const { folder, settings, clock, stopwatch, log } = parts;
  const metrics = new Metrics(() => ({
    databaseBytes: fileSize(folder.database),
    walBytes: fileSize(`${folder.database}-wal`),
  }));
  let halted = false;
  const core = openCore({
    folder,
    settings,
    clock,
    stopwatch,
    ...(parts.open && { open: parts.open }),
    onGroup: ({ size, commitMs }) => metrics.group(size, commitMs),
    onHalt: (error) => {
      halted = true;
      log.error('O disco falhou: gravações suspensas até um reinício. {error}', { error });
    },
    wakeDelivery: () => worker.wake(),
    subscriptionEnded: (id) => worker.withdraw(id),
  });
  const sender = createSender(settings, { loopback: parts.mode === 'dev' });
  const worker = createWorker({
    ...core,
    clock,
    log,
    sender,
    composition: {
      openSecrets: (id, sealed) => core.vault.open(id, sealed),
      standardWebhooks: settings['entrega.standardWebhooks'],
    },
    limits: { total: settings['entrega.simultaneas'], perReceiver: settings['entrega.porReceptor'] },
    // On a test clock a repeat is due to the millisecond.
    repeats: { delays: settings['entrega.repeticoes'], random: clock.test ? () => 0 : Math.random },
    onAttempt: ({ kind }) => metrics.delivery(kind),
  });
  const { catalogue } = core;
  await catalogue.attribute.start(settings['atributos.arquivo']);

  const tokens = new Tokens(folder.keys.tokens, settings.ambiente, clock);
  const guard = new Guard(tokens, core.registry);
  const limit = new HourlyLimit(settings.limiteHorario, clock);
  const authentication = new Authentication({
    store: core.sessionStore,
    tokens,
    clock,
    ambiente: settings.ambiente,
    intervalMs: settings['autenticacao.intervalo'],
  });
  const listings = new Listings(folder.database);
  const access = catalogueAccess(catalogue.rules);
  const deprecatedOperations = settings.operacoesDescontinuadas;

  const tableInForce = (): Readiness['attributeTable'] => {
    const table = catalogue.attribute.serving.current();
    return table === undefined ? null : { versao: table.versao };
  };
  const readiness = (): Readiness => ({
    ready: !halted,
    version: VERSION,
    ambiente: settings.ambiente,
    perfil: settings.perfil,
    attributeTable: tableInForce(),
    notices: [
      ...(halted ? ['O disco falhou: as gravações estão suspensas até um reinício.'] : []),
      ...(tableInForce() === null
        ? ['Nenhuma tabela de atributos em vigor: os atributos dos produtos não são conferidos.']
        : []),
    ],
  });

  const scheduler = new Scheduler({
    jobs: jobsOf(core),
    clock,
    onRun: (job, result) => log.info('A tarefa {job} terminou.', { job: job.name, ...result }),
    onFailure: (job, error) =>
      log.error('A tarefa {job} falhou: {error}', { job: job.name, error: faultOf(error) }),
  });
  /** What falls due by itself, in the order in which a moved clock does it. */
  const dated: readonly Dated[] = [worker, scheduler];
  const reset = async (): Promise<void> => {
    await worker.stop(0);
    await emptyDatabase(core.db, core.writer);
    core.registry.forget();
    catalogue.attribute.forget();
    await parts.seed?.(core);
    worker.start();
  };

  const operations: Operation<Caller>[] = [
    ...sessionRoutes({
      authentication,
      accounts: core.accounts,
      addressOf: parts.addressOf ?? (() => 'local'),
      certificateOf: parts.certificateOf ?? (() => undefined),
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
    ...attributeRoutes({
      attributes: catalogue.attribute.service,
      serving: catalogue.attribute.serving,
      maxBytes: settings['importacao.maximo'],
    }),
    ...subscriptionRoutes(core.subscriptions),
    ...failureRoutes(core.failures, settings['corpo.maximo']),
    ...eventRoutes({ events: core.events, rules: catalogue.rules }),
    ...deliveryRoutes(core.deliveryHistory),
    ...accountRoutes(core.accounts, catalogue.rules),
    ...healthRoutes(metrics, readiness),
    ...fidelityRoutes(),
    ...(parts.mode === 'dev' ? devRoutes({ clock, dated, reset }) : []),
  ];
  operations.push(
    documentRoute({
      operations: operations as unknown as Operation<never>[],
      version: VERSION,
      description: ABOUT,
    }),
  );

  const cors = new Cors(settings['cors.origens']);
  const pipeline = new Pipeline<Caller>({
    authenticate: (request) => {
      const signedIn = guard.signedIn(
        request.headers.get('authorization'),
        request.headers.get('x-csrf-token'),
      );
      const authenticated = ({ caller, claims }: Awaited<typeof signedIn>) => ({
        caller,
        administrator: caller.administrador,
        renewedHeaders: () => guard.renewedHeaders(claims),
      });
      return signedIn instanceof Promise ? signedIn.then(authenticated) : authenticated(signedIn);
    },
    countAccess: (caller, operationId) => limit.count(caller.documento, operationId),
    bodyLimit: settings['corpo.maximo'],
    ambiente: settings.ambiente,
    localDateTime: () => localDateTime(clock.now()),
    stopwatch,
    onExchange: (exchange) => {
      metrics.request(exchange.operationId, exchange.status, exchange.ms);
      logExchange(log, exchange);
    },
    corsHeaders: (request) => cors.headers(request),
  });
  const router = createRouter({ operations, pages: await webPages(), pipeline, cors, stopwatch });

  return {
    core,
    operations,
    fetch: router.fetch,
    start: () => {
      worker.start();
      scheduler.start();
    },
    close: async () => {
      await worker.stop(DELIVERY_GRACE_MS);
      sender.close();
      await catalogue.attribute.close();
      await scheduler.stop();
      listings.close();
      await core.close();
    },
  };
}
