/** Attribute tables: loaded, checked against, put in force, served. */
import { FolderMarks, INVENTED_TABLE } from '../../db/folder-mark.ts';
import type { Feature } from '../feature.ts';
import type { Ground } from '../ground.ts';
import type { Nomenclature } from '../../nomenclature/service.ts';
import { lateFaultOf } from '../../http/kept-alive.ts';
import { ActiveProductStore } from '../../catalogue/product/active-store.ts';
import { ActivationStore } from '../../catalogue/attribute/activation/activation-store.ts';
import { Activator } from '../../catalogue/attribute/activation/activation.ts';
import { AttributeTables } from '../../catalogue/attribute/activation/in-force.ts';
import { PreparedTables } from '../../catalogue/attribute/activation/prepared-tables.ts';
import { ProductScan } from '../../catalogue/attribute/activation/scan.ts';
import { Sweeper, type SystemHand } from '../../catalogue/attribute/activation/sweep.ts';
import { ncmRoutes } from '../../catalogue/attribute/ncm-routes.ts';
import { attributeRoutes } from '../../catalogue/attribute/routes.ts';
import { AttributeService } from '../../catalogue/attribute/service.ts';
import { TableHistory } from '../../catalogue/attribute/serving/history.ts';
import { TableServing } from '../../catalogue/attribute/serving/serving.ts';
import { TableLoader } from '../../catalogue/attribute/table/loader.ts';
import { AttributeTableStore } from '../../catalogue/attribute/table/store.ts';

export type AttributeRules = ReturnType<typeof openAttributeRules>;

/** What judging a product needs. */
export function openAttributeRules({ db, feed, clock }: Ground) {
  const store = new AttributeTableStore(db);
  const activations = new ActivationStore(db);
  const prepared = new PreparedTables(store);
  feed.onReplaced(() => prepared.forget());
  const marks = new FolderMarks(db);
  const isInvented = (id: number): boolean => store.find(id)?.sha256 === marks.find(INVENTED_TABLE);
  const inForce = new AttributeTables({ feed, activations, prepared, clock, isInvented });
  return {
    store,
    activations,
    prepared,
    inForce,
    /** What the table in force calls itself; `undefined` where there is none. */
    versionInForce: (): string | undefined => {
      const activation = inForce.inForceToday();
      return activation && store.find(activation.tableId)?.versao;
    },
    /** The one that takes its place next. */
    next: () => {
      const next = inForce.comingToday().at(-1);
      const table = next && store.find(next.tableId);
      return next && table && { versao: table.versao, on: next.onDay };
    },
  };
}

export function openAttribute(
  ground: Ground,
  rules: AttributeRules,
  nomenclature: Nomenclature,
  hand: SystemHand,
) {
  const { db, feed, writer, clock, stopwatch, settings, reads: impacts, realTime, log } = ground;
  const { store, activations, prepared, inForce } = rules;
  const maxBytes = settings['importacao.maximo'];
  const scan = new ProductScan({
    tables: store,
    activations,
    prepared,
    products: new ActiveProductStore(db),
  });
  const sweeper = new Sweeper({ store: activations, scan, writer, hand, stopwatch });
  const activator = new Activator({ tables: store, activations, inForce, feed, sweeper, writer, clock });
  const loader = new TableLoader({ store, writer });
  const history = new TableHistory({ store, inForce });
  feed.onReplaced(() => history.forget());
  const service = new AttributeService({
    store,
    inForce,
    loader,
    activator,
    impacts,
    history,
    clock,
    maxBytes,
  });
  const serving = new TableServing({ store, inForce, clock });
  const feature: Feature = {
    operations: () => [
      ...attributeRoutes({
        attributes: service,
        serving,
        maxBytes,
        asksForProfile: settings['atributos.exigirPerfil'],
        realTime,
        onLateFault: lateFaultOf(log),
      }),
      ...ncmRoutes({ serving, nomenclature, searches: ground.reads, clock }),
    ],
    jobs: [
      {
        name: 'tabela-de-atributos',
        about: 'Põe em vigor a tabela de atributos do dia e desativa os produtos que ela não admite mais.',
        pattern: '5 0 * * *',
        atStart: true,
        runOnce: () => service.runOnce(),
      },
    ],
    prepare: async () => {
      await loader.removeLeftovers();
      await service.loadFirst(settings['atributos.arquivo']);
    },
    close: async () => {
      sweeper.stop();
      await loader.close();
      await activator.settled();
    },
  };
  return {
    ...feature,
    prepared,
    service,
    serving,
  };
}
