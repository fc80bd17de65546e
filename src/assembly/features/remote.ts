/** Remotes: their configuration, their comparison with the catalogue, and the files of the differences. */
import type { ImportRunnerParts } from '../../catalogue/import/runner.ts';
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import type { Idempotency } from '../../idempotency/service.ts';
import type { Catalogue } from './catalogue.ts';
import type { Imports } from './import.ts';
import { importLimits } from '../../catalogue/import/feed.ts';
import type { FetchInstructions } from '../../catalogue/import/model.ts';
import type { ItemApplier } from '../../catalogue/batch.ts';
import { catalogueRules } from '../../catalogue/rules.ts';
import { faultOf } from '../../log/log.ts';
import { type FetchApplierParts, fetchApplier } from '../../remote/fetch/applier.ts';
import { FetchPlan } from '../../remote/fetch/plan.ts';
import { FetchWorker, endImports } from '../../remote/fetch/worker.ts';
import { PairStore } from '../../remote/compare/pair-store.ts';
import { ComparisonReaders } from '../../remote/comparison-readers.ts';
import { createComparisons, type IsOrphaned } from '../../remote/comparisons.ts';
import { ExportFetcher } from '../../remote/exports.ts';
import { RemoteLocks } from '../../remote/remote-locks.ts';
import type { Comparison, RemoteRules } from '../../remote/model.ts';
import { DivergenceNotice } from '../../remote/divergence-notice.ts';
import { ComparisonRunner } from '../../remote/runner.ts';
import { downloadLinks } from '../../remote/run/links-there.ts';
import type { Run } from '../../remote/run/model.ts';
import { createRunPlanner } from '../../remote/run/planner.ts';
import { createRemoteRetention } from '../../remote/run/retention.ts';
import { RunRunner } from '../../remote/run/runner.ts';
import { Sender } from '../../remote/run/sender.ts';
import { createRuns } from '../../remote/run/service.ts';
import { StepStore } from '../../remote/run/step-store.ts';
import { RunStore } from '../../remote/run/store.ts';
import { RunWorker } from '../../remote/run/worker.ts';
import { createRemoteService } from '../../remote/service.ts';
import type { RemoteStore } from '../../remote/store.ts';
import { rowsOf } from '../../remote/standing/service.ts';
import { createRemoteWatch } from '../../remote/watch.ts';
import { RemoteConnections } from '../../remote/remote-connections.ts';
import { HttpWire, type WireOptions } from '../../remote/wire/client.ts';
import { HttpWires } from '../../remote/wire/wires.ts';
import type { Wire } from '../../remote/wire/model.ts';
import { ConnectionStore } from '../../remote/wire/store.ts';
import { CATALOGUE_PROFILE, COMMAND_LINE } from '../../session/model.ts';
import type { NotifyPeople } from '../../session/notices/model.ts';
import type { Transaction } from '../../db/writer.ts';
import { Tokens } from '../../session/tokens.ts';
import { readSettings } from '../../settings/config.ts';
import type { CatalogueRules } from '../../validation/company.ts';

export interface RemoteParts {
  readonly rules: CatalogueRules;
  readonly notify: NotifyPeople;
  readonly idempotency: Idempotency;
  readonly store: RemoteStore;
  readonly catalogue: Catalogue;
  readonly imports: Imports;
  readonly callerOf: ImportRunnerParts['callerOf'];
  readonly requireCompanies: (companies: readonly string[], path: string) => void;
}

export function openRemote(appContext: AppContext, parts: RemoteParts) {
  const { rules, idempotency, store, catalogue, imports, callerOf, requireCompanies } = parts;
  const { folder, maxBytes, waiting } = imports.upload;
  const { db, writer, clock, realTime, reads, log } = appContext;
  const pairs = new PairStore(db);
  const runStore = new RunStore(db);
  const connectionStore = new ConnectionStore(db);
  const connections = new RemoteConnections(connectionStore, appContext.folder.keys.secrets);
  const { ambiente } = appContext.settings;
  const tokens = new Tokens(appContext.folder.keys.tokens, ambiente, clock);
  const remoteLocks = new RemoteLocks(appContext.folder.path);
  const wireOptions: WireOptions = {
    store: connectionStore,
    writer,
    clock,
    ambiente,
    connectionOf: (id: number) => connections.find(id),
    takeTurn: (id) => remoteLocks.takeTurn(id),
    isOwnToken: async (token) => (await tokens.verify(token)) !== undefined,
  };
  const wires = new HttpWires((remoteId, stopping) => new HttpWire(wireOptions, remoteId, stopping));
  const readers = new ComparisonReaders(store);
  appContext.feed.onOthers(() => readers.endReadsOfRemoved());
  const endStrays = async (isStray: IsOrphaned, reason: string): Promise<void> => {
    readers.endReadsOfRemoved();
    await comparisons.endOrphaned(isStray, reason);
    await runs.endOrphaned(isStray, reason);
  };
  const remotes = createRemoteService({
    store,
    writer,
    connections,
    wires,
    requireCompanies,
    endOrphaned: async (id, companies) => {
      await endStrays(
        ({ remoteId, cpfCnpjRaiz }) => remoteId === id && !companies.includes(cpfCnpjRaiz),
        'o remoto foi removido, ou não tem mais esta empresa',
      );
    },
  });
  const pathOf = (storedFile: string) => folder.pathOf(storedFile);
  const discard = (storedFile: string) => folder.remove(storedFile);
  const retention = createRemoteRetention({
    store,
    pairs,
    runs: runStore,
    connections,
    writer,
    clock,
    discard,
  });
  const fetcher = new ExportFetcher(wires, clock, pathOf, discard);
  const divergenceNotice = new DivergenceNotice(
    store,
    reads,
    (tx, cpfCnpjRaiz, remoto, { produto, operador, vinculo }) =>
      catalogue.events.remoteDiverges(tx, cpfCnpjRaiz, remoto, { produto, operador, vinculo }),
  );
  const runner = new ComparisonRunner({
    store,
    pairs,
    writer,
    reads,
    rulesOf,
    limits: importLimits(maxBytes),
    pathOf,
    discard,
    fetcher,
    divergenceNotice,
    remoteLocks,
    realTime,
    onFault: (error, id) => log.error('A comparação {id} falhou: {error}', { id, error: faultOf(error) }),
  });
  const comparisons = createComparisons({
    store,
    pairs,
    writer,
    reads,
    readers,
    remotes,
    runner,
    remoteLocks,
    pathOf,
    limits: importLimits(maxBytes),
  });
  const steps = new StepStore(db);
  const plan = new FetchPlan(db, steps, store, pairs);
  const planner = createRunPlanner({ db, writer, runs: runStore, remotes: store, pairs, fetching: plan });
  const linksOf = async ({ cpfCnpjRaiz }: Run, wire: Wire) => {
    const file = pathOf(crypto.randomUUID());
    return downloadLinks(wire, cpfCnpjRaiz, { file, limits: importLimits(maxBytes), now: clock.now() });
  };
  const sender = new Sender({ db, writer, clock, steps, remotes: store, pairs, downloadLinks: linksOf });
  const fetchParts = {
    runs: runStore,
    steps,
    remotes: store,
    imports,
    reads,
    pathOf,
    writer,
    limits: importLimits(maxBytes),
  };
  const paused = (tx: Transaction, { id, cpfCnpjRaiz, remote: name }: Run, reason: string): void =>
    parts.notify(tx, {
      kind: 'remotos',
      cpfCnpjRaiz,
      text: `O envio ao remoto ${name} parou: ${reason}.`,
      link: { href: `/remotos/${id}`, label: 'Ver envio' },
    });
  const workerOf = ({ id, remoteId, direction }: Run) =>
    direction === 'fetch'
      ? new FetchWorker(fetchParts, id)
      : new RunWorker(
          { runs: runStore, steps, sender, writer, clock, realTime, paused },
          id,
          wires.open(remoteId),
        );
  const runRunner = new RunRunner({
    runs: runStore,
    planner,
    writer,
    realTime,
    workerOf,
    mayOrder: ({ documento, key, cpfCnpjRaiz }) =>
      callerOf(documento, CATALOGUE_PROFILE, key)?.companies.has(cpfCnpjRaiz) === true,
    onFault: (error, id) => log.error('O envio {id} falhou: {error}', { id, error: faultOf(error) }),
  });
  const hasConnection = (id: number) => remotes.hasConnection(id);
  const watch = createRemoteWatch({ store, writer, runner, fetcher, clock, remoteLocks, hasConnection });
  const time = appContext.settings['remoto.horario'];
  const runs = createRuns({
    runs: runStore,
    remotes: store,
    writer,
    comparisons,
    runner: runRunner,
    hasConnection,
    endImports: (run, by) => endImports(imports, run, by),
    paceOf: (id, now) => connections.paceOf(id, now, wires.open(id).hasSession),
  });
  let endFeed: (() => void) | undefined;
  /** The server of the folder runs what commands queued. A command makes its own comparisons. */
  const wakeForCalls = (): void => {
    if (endFeed === undefined) return; // stopped since the commit was seen
    const isCalled = ({ documento }: Pick<Comparison | Run, 'documento'>): boolean =>
      documento === COMMAND_LINE;
    if (store.listUnfinished().some(isCalled)) runner.wake();
    if (runStore.listOpen().some(isCalled)) runRunner.wake();
  };
  const feature: Feature = {
    lateOperations: ({ remoteRoutes, comparisonRoutes, runRoutes, standingRoutes }) => [
      ...remoteRoutes(remotes, rules),
      ...comparisonRoutes({
        comparisons,
        readers,
        reads,
        clock,
        rules,
        idempotency,
        folder,
        maxBytes,
        waiting,
      }),
      ...runRoutes(runs, clock, rules, idempotency),
      ...standingRoutes(rules, (cpfCnpjRaiz, codigo) => {
        catalogue.product.lookUp.get({ cpfCnpjRaiz, codigo });
        return rowsOf(db, cpfCnpjRaiz, codigo);
      }),
    ],
    jobs: [
      {
        name: 'comparacoes-antigas',
        about:
          'Apaga as comparações com remotos feitas há mais de 30 dias, os envios que terminaram há mais de 90, e o que ficou de remotos removidos.',
        pattern: '50 3 * * *',
        atStart: true,
        runOnce: () => retention.runOnce(),
      },
      {
        name: 'remotos',
        about:
          'Compara com cada remoto que tem endereço o catálogo de cada empresa que ele tem, e avisa a empresa do que é novo.',
        pattern: time && `${time.minute} ${time.hour} * * *`,
        atStart: false,
        runOnce: () => watch.runOnce(),
      },
    ],
    start: () => {
      wires.start();
      runner.start();
      runRunner.start();
      endFeed ??= appContext.feed.onOthers(() => void setImmediate(wakeForCalls));
    },
    stop: async () => {
      endFeed?.();
      endFeed = undefined;
      wires.stop();
      await runner.stop();
      await runRunner.stop();
    },
  };
  const fetchApplierOf = (instructions: FetchInstructions): ItemApplier =>
    fetchApplier({ db, runs: runStore, steps, pairs, plan, ...takingOf(catalogue) }, instructions);
  return {
    ...feature,
    /** Ends the comparisons and runs of a removed company. */
    onCompanyRemoved: (removed: string) =>
      endStrays(({ cpfCnpjRaiz }) => cpfCnpjRaiz === removed, 'a empresa foi removida'),
    fetchApplierOf,
    remotes,
    wires,
    fetcher,
    connectionStore,
    store,
    comparisons,
    runner,
    runs,
    runStore,
    runRunner,
    retention,
  };
}

/** Returns the operations that apply fetched records. */
const takingOf = ({ product, operator, link }: Catalogue): Pick<FetchApplierParts, 'records' | 'links'> => ({
  records: {
    produto: {
      apply: (...item) => product.arrivals.apply(...item),
      deactivate: (tx, caller, cpfCnpjRaiz, codigo) =>
        product.arrivals.deactivate(tx, caller, { cpfCnpjRaiz, codigo: Number(codigo) }),
    },
    operador: {
      apply: (...item) => operator.arrivals.apply(...item),
      deactivate: (tx, caller, cpfCnpjRaiz, codigo) => {
        const codigoPais = operator.store.findHead(cpfCnpjRaiz, codigo)?.codigoPais ?? '';
        return operator.arrivals.deactivate(tx, caller, { cpfCnpjRaiz, codigoPais, codigo });
      },
    },
  },
  links: link.changes,
});

/** Returns the rules of a profile as a new instance with it has them. */
const rulesOf = (perfil: RemoteRules): CatalogueRules =>
  catalogueRules(readSettings({ environment: {}, commandLine: [['perfil', perfil]] }));
