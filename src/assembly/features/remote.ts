/** Remotes: set up, compared with the catalogue, told as files. */
import type { Feature } from '../feature.ts';
import type { Ground } from '../ground.ts';
import { importLimits } from '../../catalogue/import/feed.ts';
import type { ImportFolder } from '../../catalogue/import/folder.ts';
import { catalogueRules } from '../../catalogue/rules.ts';
import { faultOf } from '../../log/log.ts';
import { PairStore } from '../../remote/compare/pair-store.ts';
import { comparisonRoutes } from '../../remote/comparison-routes.ts';
import { Comparisons } from '../../remote/comparisons.ts';
import { ExportFetcher } from '../../remote/exports.ts';
import { Hands } from '../../remote/hands.ts';
import type { RemoteRules } from '../../remote/model.ts';
import { RemoteRetention } from '../../remote/retention.ts';
import { remoteRoutes } from '../../remote/routes.ts';
import { ComparisonRunner } from '../../remote/runner.ts';
import { linksThere } from '../../remote/run/links-there.ts';
import type { Run } from '../../remote/run/model.ts';
import { RunPlanner } from '../../remote/run/planner.ts';
import { RunRetention } from '../../remote/run/retention.ts';
import { runRoutes } from '../../remote/run/routes.ts';
import { RunRunner } from '../../remote/run/runner.ts';
import { Sender } from '../../remote/run/sender.ts';
import { Runs } from '../../remote/run/service.ts';
import { StepStore } from '../../remote/run/step-store.ts';
import { RunStore } from '../../remote/run/store.ts';
import { RunWorker } from '../../remote/run/worker.ts';
import { RemoteService } from '../../remote/service.ts';
import type { RemoteStore } from '../../remote/store.ts';
import { Ways } from '../../remote/ways.ts';
import { HttpWires } from '../../remote/wire/client.ts';
import type { Wire } from '../../remote/wire/model.ts';
import { WayStore } from '../../remote/wire/store.ts';
import { Tokens } from '../../session/tokens.ts';
import { readSettings } from '../../settings/config.ts';
import type { CatalogueRules } from '../../validation/company.ts';

export interface RemoteParts {
  readonly rules: CatalogueRules;
  readonly store: RemoteStore;
  readonly folder: ImportFolder;
  readonly maxBytes: number;
}

export function openRemote(ground: Ground, { rules, store, folder, maxBytes }: RemoteParts) {
  const { db, writer, clock, reads, log } = ground;
  const pairs = new PairStore(db);
  const runStore = new RunStore(db);
  const runRetention = new RunRetention({ runs: runStore, writer, clock });
  const wayStore = new WayStore(db);
  const ways = new Ways(wayStore, ground.folder.keys.secrets);
  const { ambiente } = ground.settings;
  const tokens = new Tokens(ground.folder.keys.tokens, ambiente, clock);
  const wires = new HttpWires({
    ...{ store: wayStore, writer, clock, ambiente, wayOf: (id: number) => ways.find(id) },
    isOwnToken: async (token) => (await tokens.verify(token)) !== undefined,
  });
  const remotes = new RemoteService({ store, writer, ways, wires });
  const retention = new RemoteRetention({ ...{ store, pairs, ways, writer, clock }, runs: runRetention });
  const hands = new Hands(ground.folder.path);
  const pathOf = (storedFile: string) => folder.pathOf(storedFile);
  const discard = (storedFile: string) => folder.remove(storedFile);
  const fetcher = new ExportFetcher({ wires, clock, pathOf, discard });
  const runner = new ComparisonRunner({
    ...{ store, pairs, writer, clock, reads, rulesOf },
    limits: importLimits(maxBytes),
    ...{ pathOf, discard, fetcher, hands },
    onFault: (error, id) => log.error('A comparação {id} falhou: {error}', { id, error: faultOf(error) }),
  });
  const comparisons = new Comparisons({ store, pairs, writer, remotes, runner, hands });
  const planner = new RunPlanner({ db, writer, runs: runStore, remotes: store, pairs });
  const steps = new StepStore(db);
  const linksOf = async ({ cpfCnpjRaiz }: Run, wire: Wire) => {
    const file = pathOf(crypto.randomUUID());
    return linksThere(wire, cpfCnpjRaiz, { file, limits: importLimits(maxBytes), now: clock.now() });
  };
  const sender = new Sender({ db, writer, clock, steps, remotes: store, pairs, linksThere: linksOf });
  const workerOf = ({ id, remoteId }: Run) =>
    new RunWorker({ runs: runStore, steps, sender, writer, clock }, id, wires.open(remoteId));
  const runRunner = new RunRunner({
    ...{ runs: runStore, planner, writer, clock, hands, workerOf },
    onFault: (error, id) => log.error('O envio {id} falhou: {error}', { id, error: faultOf(error) }),
  });
  const hasWay = (id: number) => remotes.hasWay(id);
  const runs = new Runs({
    ...{ runs: runStore, remotes: store, writer, comparisons, runner: runRunner, hasWay },
    paceOf: (id, now) => ways.paceOf(id, now),
  });
  const feature: Feature = {
    operations: () => [
      ...remoteRoutes(remotes, rules),
      ...comparisonRoutes({ comparisons, reads, clock, rules, folder, maxBytes }),
      ...runRoutes({ runs, clock, rules }),
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
    ],
    start: () => {
      runner.start();
      runRunner.start();
    },
    stop: async () => {
      wires.stop();
      await runner.stop();
      await runRunner.stop();
    },
  };
  return {
    ...feature,
    remotes,
    fetcher,
    wayStore,
    store,
    comparisons,
    runner,
    runs,
    runStore,
    runRunner,
    retention,
    runRetention,
  };
}

/** The rules of a profile, as a fresh instance with it has them. */
const rulesOf = (perfil: RemoteRules): CatalogueRules =>
  catalogueRules(readSettings({ environment: {}, commandLine: [['perfil', perfil]] }));
