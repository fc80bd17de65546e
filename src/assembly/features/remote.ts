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
import type { RemoteRules } from '../../remote/model.ts';
import { RemoteRetention } from '../../remote/retention.ts';
import { remoteRoutes } from '../../remote/routes.ts';
import { ComparisonRunner } from '../../remote/runner.ts';
import { RemoteService } from '../../remote/service.ts';
import type { RemoteStore } from '../../remote/store.ts';
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
  const retention = new RemoteRetention({ store, pairs, writer, clock });
  const remotes = new RemoteService({ store, writer });
  const runner = new ComparisonRunner({
    ...{ store, pairs, writer, clock, reads, rulesOf },
    limits: importLimits(maxBytes),
    pathOf: (storedFile) => folder.pathOf(storedFile),
    discard: (storedFile) => folder.remove(storedFile),
    onFault: (error, id) => log.error('A comparação {id} falhou: {error}', { id, error: faultOf(error) }),
  });
  const comparisons = new Comparisons({ store, pairs, writer, remotes, runner });
  const feature: Feature = {
    operations: () => [
      ...remoteRoutes(remotes, rules),
      ...comparisonRoutes({ comparisons, reads, clock, rules, folder, maxBytes }),
    ],
    jobs: [
      {
        name: 'comparacoes-antigas',
        about:
          'Apaga as comparações com remotos feitas há mais de 30 dias, e o que ficou de remotos removidos.',
        pattern: '50 3 * * *',
        atStart: true,
        runOnce: () => retention.runOnce(),
      },
    ],
    start: () => runner.start(),
    stop: () => runner.stop(),
  };
  return { ...feature, remotes, comparisons, runner };
}

/** The rules of a profile, as a fresh instance with it has them. */
const rulesOf = (perfil: RemoteRules): CatalogueRules =>
  catalogueRules(readSettings({ environment: {}, commandLine: [['perfil', perfil]] }));
