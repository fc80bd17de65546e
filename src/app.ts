/** The one place where the parts of the server are joined. */
import { logAccountChange } from './session/account-log.ts';
import { createImports } from './catalogue/import/imports.ts';
import { type Clock, REAL_TIME, type RealTime } from './clock.ts';
import type { Settings } from './config.ts';
import { type Core, openCore } from './core.ts';
import type { OpenOptions } from './db/open.ts';
import { TROUBLE_NOTICES, acceptsWrites } from './db/trouble.ts';
import type { HelpParts } from './docs/generated.ts';
import { type DataFolder, fileSize } from './db/folder.ts';
import type { Readiness } from './health/routes.ts';
import { Cors } from './http/cors.ts';
import type { OnLateFault } from './http/kept-alive.ts';
import type { Operation } from './http/operation.ts';
import { type Fetch, createRouter } from './http/router.ts';
import type { Logger } from './log.ts';
import { Metrics } from './health/metrics.ts';
import { createSender } from './notification/delivery/send/sender-settings.ts';
import { createWorker } from './notification/delivery/service.ts';
import { Authentication } from './session/authentication.ts';
import { Guard } from './session/guard.ts';
import { HourlyLimit } from './session/hourly-limit.ts';
import type { Caller } from './session/model.ts';
import { Tokens } from './session/tokens.ts';
import { refill } from './dev/reset.ts';
import type { Dated } from './dev/time-travel.ts';
import { type Client, faultOf } from './http/exchange-log.ts';
import { jobsOf } from './jobs/schedule.ts';
import { Scheduler } from './jobs/scheduler.ts';
import { operationsOf } from './operations.ts';
import { createPipeline } from './session/gate.ts';
import type { Origins } from './tls/origins.ts';
import { VERSION } from './version.ts';
import { webPages } from './web/pages.ts';

export interface AppParts {
  readonly folder: DataFolder;
  readonly settings: Settings;
  readonly clock: Clock;
  /** A monotonic reading in ms. */
  readonly stopwatch: () => number;
  readonly log: Logger;
  readonly mode: 'dev' | 'serve';
  /** Every command of the command line, for the pages of help. */
  readonly commands: HelpParts['commands'];
  /** Fills a development instance, at its first start and after a reset. */
  readonly seed?: (core: Core) => Promise<void>;
  readonly open?: OpenOptions;
  /** What a test puts in place of the machine's time, where no clock counts. */
  readonly realTime?: RealTime;
  /** Who is at the other end of a request; without it, nobody in particular. */
  readonly origins?: Origins;
}

export interface App {
  readonly core: Core;
  readonly operations: readonly Operation<Caller>[];
  readonly fetch: Fetch;
  /** Starts what goes on by itself: deliveries, jobs, imports. */
  start(): void;
  /** Ends what goes on by itself after the step under way; requests are served on. */
  stop(): Promise<void>;
  /** Finishes what was accepted and closes the database. */
  close(): Promise<void>;
}

const NOBODY: Client = { address: 'local', scheme: 'http' };

/** What is in flight at a stop gets so long to end; the rest is made again at the next start. */
const DELIVERY_GRACE_MS = 500;

export async function createApp(parts: AppParts): Promise<App> {
  const { folder, settings, clock, stopwatch, log } = parts;
  const metrics = new Metrics(() => ({
    databaseBytes: fileSize(folder.database),
    walBytes: fileSize(`${folder.database}-wal`),
  }));
  const core = openCore({
    folder,
    settings,
    clock,
    stopwatch,
    ...(parts.open && { open: parts.open }),
    ...(parts.realTime && { realTime: parts.realTime }),
    onGroup: ({ size, commitMs }) => metrics.group(size, commitMs),
    onTrouble: (trouble, error) =>
      trouble === undefined
        ? log.warning('O disco tem espaço outra vez: as gravações seguem.')
        : log.error(`${TROUBLE_NOTICES[trouble]} {error}`, { error: faultOf(error) }),
    accountChanged: (change) => logAccountChange(log, change),
    wakeDelivery: () => worker.wake(),
    subscriptionEnded: (id) => worker.withdraw(id),
    onStalledRead: (kind) =>
      log.warning('Uma leitura longa ({kind}) foi cortada: nada dela foi recebido em {ms} ms.', {
        kind,
        ms: settings['servidor.listasParada'],
      }),
  });
  const sender = createSender(settings, {
    loopback: parts.mode === 'dev',
    ...(parts.realTime && { realTime: parts.realTime }),
  });
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
  try {
    await catalogue.product.service.start();
    await catalogue.attribute.start(settings['atributos.arquivo']);
  } catch (error) {
    await core.close();
    throw error;
  }

  const tokens = new Tokens(folder.keys.tokens, settings.ambiente, clock);
  const guard = new Guard(tokens, core.registry);
  const limit = new HourlyLimit(settings.limiteHorario, clock);
  const authentication = new Authentication({
    store: core.sessionStore,
    tokens,
    clock,
    stopwatch,
    ambiente: settings.ambiente,
    intervalMs: settings['autenticacao.intervalo'],
  });
  const imports = createImports({
    ...core,
    clock,
    stopwatch,
    path: folder.imports,
    maxBytes: settings['importacao.maximo'],
    callerOf: (documento, perfil) => core.sessionStore.findCaller(documento, perfil),
    onFault: (error, job) =>
      log.error('A importação {id} falhou: {error}', { id: job?.id, error: faultOf(error) }),
  });

  const tableInForce = (): Readiness['attributeTable'] => {
    const table = catalogue.attribute.serving.current();
    return table === undefined ? null : { versao: table.versao };
  };
  const readiness = (): Readiness => ({
    ready: acceptsWrites(core.writer.trouble),
    version: VERSION,
    ambiente: settings.ambiente,
    perfil: settings.perfil,
    attributeTable: tableInForce(),
    notices: [
      ...(core.writer.trouble === undefined ? [] : [TROUBLE_NOTICES[core.writer.trouble]]),
      ...(tableInForce() === null
        ? ['Nenhuma tabela de atributos em vigor: os atributos dos produtos não são conferidos.']
        : []),
    ],
  });

  const jobs = jobsOf(core);
  const scheduler = new Scheduler({
    jobs,
    clock,
    onRun: (job, result) => log.info('A tarefa {job} terminou.', { job: job.name, ...result }),
    onFailure: (job, error) =>
      log.error('A tarefa {job} falhou: {error}', { job: job.name, error: faultOf(error) }),
  });
  /** What falls due by itself, in the order in which a moved clock does it. */
  const backlog: Dated = {
    nextDueAt: () => undefined,
    runDue: async () => void (await core.backlog.runOnce()),
  };
  const dated: readonly Dated[] = [backlog, worker, scheduler];
  const reset = async (): Promise<void> => {
    await worker.stop(0);
    await imports.runner.stop();
    await refill(core.db, core.writer, async () => {
      core.feed.replaced();
      await parts.seed?.(core);
    });
    worker.start();
    await imports.runner.start();
  };

  const realTime = parts.realTime ?? REAL_TIME;
  const onLateFault: OnLateFault = (error) =>
    log.error('Um trabalho longo falhou depois de começada a resposta: {error}', { error: faultOf(error) });
  const clientOf = (request: Request): Client => parts.origins?.clientOf(request) ?? NOBODY;
  const operations = operationsOf({
    core,
    settings,
    clock,
    authentication,
    listings: core.reads,
    imports,
    metrics,
    readiness,
    realTime,
    onLateFault,
    addressOf: (request) => clientOf(request).address,
    certificateOf: (request) => parts.origins?.documentoOf(request),
    development: parts.mode === 'dev' ? { clock, dated, reset, realTime, onLateFault } : undefined,
  });
  const cors = new Cors(settings['cors.origens']);
  const pipeline = createPipeline({ guard, limit, cors, settings, clock, stopwatch, metrics, log, clientOf });
  const pages = await webPages({ commands: parts.commands, operations, jobs });
  const fetch = createRouter({ operations, pages, pipeline, cors, stopwatch });

  let stopping: { readonly steps: Promise<unknown>; readonly jobs: Promise<void> } | undefined;
  /** A job may be long: only the end of the sweeps, at the close, cuts one short. */
  const stop = () =>
    (stopping ??= {
      steps: Promise.all([worker.stop(DELIVERY_GRACE_MS), imports.runner.stop()]),
      jobs: scheduler.stop(),
    });

  return {
    core,
    operations,
    fetch,
    start: () => {
      worker.start();
      void imports.runner.start();
      scheduler.start();
    },
    stop: async () => void (await stop().steps),
    close: async () => {
      await stop().steps;
      sender.close();
      await catalogue.attribute.close();
      await stop().jobs;
      await core.close();
    },
  };
}
