/**
 * Server: the operations of all features behind one pipeline, their jobs in one schedule, one common
 * lifecycle. It is separate from core.ts because a command, which the executable loads late, must not load
 * the web pages.
 */
import { REAL_TIME, SECOND_MS } from '../clock.ts';
import { ageMs } from '../catalogue/attribute/origin/model.ts';
import { type Core, type CoreParts, openCore } from './core.ts';
import { fileSize } from '../db/folder.ts';
import { MIGRATIONS } from '../db/migrations.ts';
import type { HelpParts } from '../docs/generated.ts';
import { FAULT_HEADER } from '../dev/fault/model.ts';
import type { Development } from './features/dev.ts';
import { lackOfRoom } from './features/health.ts';
import { Metrics } from '../metrics/metrics.ts';
import { securityHeaders } from '../http/answers.ts';
import { Cors } from '../http/cors.ts';
import type { Operation } from '../http/operation.ts';
import { type Fetch, createRouter } from '../http/router.ts';
import { Scheduler } from '../jobs/scheduler.ts';
import { Lifecycle } from './lifecycle.ts';
import type { OnDemand } from './on-demand.ts';
import { type Logger, faultOf } from '../log/log.ts';
import { createPipeline } from './request-pipeline.ts';
import type { Caller } from '../session/model.ts';
import { isPlainOnTlsPort, secureConnectionOf } from '../tls/listener.ts';
import { API_VERSION, VERSION } from '../version.ts';
import { webPages } from '../web/serving/pages.ts';
import { loadOnce } from '../system/load-once.ts';
import { isLoopback } from '../system/loopback.ts';

export interface AppParts extends CoreParts {
  readonly log: Logger;
  readonly mode: 'dev' | 'serve';
  /** `dev` only: notifications may go to any local port, also without TLS. */
  readonly localReceivers?: boolean;
  /** `dev` only: a folder of files that answer for other modules (contract section 22). */
  readonly stubs?: string;
  /** Random source of a fault's `percent`, set by tests. */
  readonly faultRandom?: () => number;
  /** Every command of the command line, for the help pages. */
  readonly commands: HelpParts['commands'];
  /** Fills a development instance at its first start and after a reset. */
  readonly seed?: (core: Core) => Promise<void>;
}

export interface App {
  readonly core: Core;
  /** Loads all operations: those that the start does not need are loaded on demand. */
  readonly operations: () => Promise<readonly Operation<Caller>[]>;
  readonly fetch: Fetch;
  /** The features of a development instance only. */
  readonly development: Development | undefined;
  /** Starts the background work: deliveries, jobs, imports. */
  start(): void;
  /** Stops the background work after its current step. Requests are still served. */
  stop(): Promise<void>;
  /** Finishes accepted work and closes the database. */
  close(): Promise<void>;
}

/** All operations of the server, and the results that are built from them. */
interface Served {
  readonly operations: readonly Operation<Caller>[];
  /** Returns the OpenAPI document as JSON. */
  readonly document: () => string;
  readonly ledger: OnDemand['LEDGER'];
}

const ABOUT =
  'Catálogo de Produtos do Portal Único Siscomex: produtos, operadores estrangeiros, vínculos com fabricantes, importação, exportação e notificações.';

function tableMeasures({ catalogue, clock }: Core) {
  const { table, origin } = catalogue.attribute.fetched;
  const last = origin();
  const age = ageMs({ origin: last, loadedAt: table()?.loadedAt, now: clock.now() });
  return { ageMs: age, fetchedOk: last?.ok };
}

export async function createApp(parts: AppParts): Promise<App> {
  const { folder, settings, clock, stopwatch, log, mode, seed } = parts;
  const build = {
    version: VERSION,
    ambiente: settings.ambiente,
    perfil: settings.perfil,
    schema: String(MIGRATIONS.at(-1)?.number ?? 0),
  };
  const metrics = new Metrics(build, () => ({
    remotes: core.remote.runStore.countUnfinished(),
    databaseBytes: fileSize(folder.database),
    walBytes: fileSize(`${folder.database}-wal`),
    now: clock.now(),
    backup: core.backups.state(),
    takesWrites: (core.writer.trouble ?? core.fence.refusal ?? lackOfRoom(core)) === undefined,
    queue: core.notification.delivery.queue(),
    certificateMsLeft: core.certificateMsLeft(),
    replica: core.replica?.state(),
    attributeTable: tableMeasures(core),
    email: core.email.state(),
  }));
  const ownMachine = mode === 'serve' ? 'forbidden' : parts.localReceivers === true ? 'any' : 'lawful';
  const openProvider =
    settings['oidc.emissor'] === ''
      ? undefined
      : (await import('./features/oidc.ts')).providerOpener(
          settings,
          log,
          (request) => core.session.clientOf(request),
          () => web,
        );
  const core = openCore({
    ...parts,
    metrics,
    ownMachine,
    reportsIdentical: mode === 'dev',
    ...(openProvider && { openProvider }),
  });
  const scheduler = new Scheduler(
    core.jobs,
    clock,
    (job, result) => {
      metrics.job(job.name, 'ok', clock.now());
      log.info('A tarefa {job} terminou.', { job: job.name, ...result });
    },
    (job, error) => {
      metrics.job(job.name, 'failed', clock.now());
      core.writer.readFailed(error);
      log.error('A tarefa {job} falhou: {error}', { job: job.name, error: faultOf(error) });
    },
  );
  const lifecycle = new Lifecycle(core.features, scheduler);
  const { guard, limit, clientOf, schemeOf, attempts } = core.session;
  const cors = new Cors(settings['cors.origens'], mode === 'dev' ? [FAULT_HEADER] : []);
  const secure = { http: securityHeaders('http', mode), https: securityHeaders('https', mode) };
  const serverHeaders = (request: Request) => {
    const headers = secure[schemeOf(request)];
    const ofCors = cors.headers(request);
    return ofCors === undefined ? headers : { ...headers, ...ofCors };
  };
  let development: Development | undefined;
  if (mode === 'dev') {
    const { openDevelopment } = await import('./features/dev.ts'); // late, because `serve` uses none of it
    development = openDevelopment(core, {
      tableSource: core.catalogue.attribute.serving,
      products: core.catalogue.product.store,
      users: core.session.store,
      keys: core.session.store,
      operationIds: () => served?.operations.map(({ id }) => id) ?? [],
      serverHeaders,
      random: parts.faultRandom,
      stubs: parts.stubs,
      isSecure: (request) => secureConnectionOf(request) !== undefined,
      dueWork: [...core.features.flatMap(({ dueWork = [] }) => dueWork), scheduler],
      pause: (work) => lifecycle.pause(work),
      onClockSet: (from, to) => {
        core.session.clockPut(from, to);
        scheduler.clockPut();
      },
      fill: async () => seed?.(core),
    });
  }
  const ofStart = core.features.map((feature) => feature.operations?.() ?? []);
  const loadRest = async (): Promise<Served> => {
    const { ON_DEMAND: onDemand } = await import('./on-demand.ts');
    const ofFeatures = core.features.flatMap((feature, place) => [
      ...(ofStart[place] ?? []),
      ...(feature.lateOperations?.(onDemand) ?? []),
    ]);
    const operations =
      development === undefined
        ? ofFeatures
        : [...ofFeatures.map(development.conformity.compareEach), ...(development.operations?.() ?? [])];
    const document = onDemand.servedDocument<Caller>({
      operations: operations.filter(({ retired }) => !retired),
      version: API_VERSION,
      description: ABOUT,
      problems: onDemand.PROBLEM_LISTS.map((list) => ({ ...list })),
      callbacks: onDemand.CALLBACKS,
    });
    return {
      operations: [...operations, document.operation],
      document: document.text,
      ledger: onDemand.LEDGER,
    };
  };
  const whole = loadOnce(loadRest);
  const listOperations = async () => (await whole()).operations;
  // A development instance checks every operation against the public service, and may simulate its faults.
  const served = development === undefined ? undefined : await whole();
  const pipeline = createPipeline({
    guard,
    limit,
    serverHeaders,
    settings,
    clock,
    stopwatch,
    metrics,
    log,
    clientOf,
    attempts,
    failed: (error) => core.writer.readFailed(error),
    watch: development?.journal,
  });
  const { jobs } = core;
  const web = webPages({
    commands: parts.commands,
    operations: listOperations,
    jobs,
    mode,
    ambiente: settings.ambiente,
    document: async () => (await whole()).document(),
    ledger: async () => (await whole()).ledger,
    schemeOf,
    certificates: settings['tls.clientes'] !== '',
    provider: settings['oidc.emissor'] === '' ? '' : settings['oidc.rotulo'],
    hasPasswords: () => core.session.passwords.isOffered,
    sendsEmail: core.email.emails.isOn,
    fixedSecrets: mode === 'dev' && parts.ownSecrets === undefined,
  });
  const fetch = createRouter({
    operations: served?.operations ?? ofStart.flat(),
    allOperations: served === undefined ? listOperations : undefined,
    pages: new Map([...web.pages, ...core.session.providerPages()]),
    missingPage: web.missing,
    pipeline,
    cors,
    complete: (request, answer) => {
      for (const [name, value] of Object.entries(secure[schemeOf(request)])) answer.headers.set(name, value);
      return answer;
    },
    stopwatch,
    simultaneous: settings['servidor.simultaneas'],
    reception: {
      stallMs: settings['servidor.segundosCorpo'] * SECOND_MS,
      realTime: parts.realTime ?? REAL_TIME,
    },
    isPlainOnTlsPort,
    waiting: () => core.session.throttle.waiting,
    names: mode === 'dev' && isLoopback(settings.host) ? settings['servidor.nomes'] : undefined,
    hook: development?.hook,
    neighbours: development?.neighbours,
  });
  try {
    await lifecycle.prepare();
  } catch (error) {
    await core.close();
    throw error;
  }
  return {
    core,
    operations: listOperations,
    fetch,
    development,
    start: () => lifecycle.start(),
    stop: () => {
      development?.end();
      return lifecycle.stop();
    },
    close: async () => {
      await lifecycle.close();
      await core.leave();
    },
  };
}
