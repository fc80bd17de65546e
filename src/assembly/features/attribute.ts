/** Attribute tables: load, validation, activation and responses. */
import { FolderMarks, INVENTED_TABLE } from '../../db/folder-mark.ts';
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import type { Nomenclature } from '../../nomenclature/service.ts';
import { lateFaultOf } from '../../http/kept-alive.ts';
import { ActiveProductStore } from '../../catalogue/product/active-store.ts';
import { ActivationStore } from '../../catalogue/attribute/activation/activation-store.ts';
import { Activator } from '../../catalogue/attribute/activation/activation.ts';
import { AttributeTables } from '../../catalogue/attribute/activation/in-force.ts';
import { PreparedTables } from '../../catalogue/attribute/activation/prepared-tables.ts';
import { ProductScan } from '../../catalogue/attribute/activation/scan.ts';
import { Sweeper, type SystemActions } from '../../catalogue/attribute/activation/sweep.ts';
import { createAttributeService } from '../../catalogue/attribute/service.ts';
import { createFetchedTables } from '../../catalogue/attribute/fetched.ts';
import { fetchedMaxBytes, originSettings } from '../../catalogue/attribute/origin/from-settings.ts';
import { Origin } from '../../catalogue/attribute/origin/origin.ts';
import { tableDecision } from '../../catalogue/attribute/origin/fetch-problem.ts';
import { createTableArchive } from '../../catalogue/attribute/serving/archive.ts';
import { createTableQueries } from '../../catalogue/attribute/serving/table-queries.ts';
import { TableBodyStore } from '../../catalogue/attribute/table/body-store.ts';
import { TableChangeStore } from '../../catalogue/attribute/table/change-store.ts';
import { TableLoader } from '../../catalogue/attribute/table/loader.ts';
import { AttributeTableStore } from '../../catalogue/attribute/table/store.ts';
import { OriginalTableStore } from '../../catalogue/attribute/table/original-store.ts';

export type AttributeRules = ReturnType<typeof openAttributeRules>;

/** Opens the rules that validate the attributes of a product. */
export function openAttributeRules({ db, feed, clock }: AppContext) {
  const store = new AttributeTableStore(db);
  const activations = new ActivationStore(db);
  const prepared = new PreparedTables(store);
  feed.onReplaced(() => prepared.clear());
  const marks = new FolderMarks(db);
  const isInvented = (id: number): boolean => store.find(id)?.sha256 === marks.find(INVENTED_TABLE);
  const inForce = new AttributeTables({ feed, activations, prepared, clock, isInvented });
  return {
    store,
    activations,
    prepared,
    inForce,
    /** Returns the version of the table in force. `undefined`: none. */
    versionInForce: (): string | undefined => {
      const activation = inForce.inForceToday();
      return activation && store.find(activation.tableId)?.versao;
    },
    /** Returns the table that comes into force next. */
    next: () => {
      const next = inForce.futureActivations().at(-1);
      const table = next && store.find(next.tableId);
      return next && table && { versao: table.versao, on: next.onDay };
    },
  };
}

export function openAttribute(
  appContext: AppContext,
  rules: AttributeRules,
  nomenclature: Nomenclature,
  actions: SystemActions,
) {
  const { db, feed, writer, clock, stopwatch, settings, reads, realTime, log } = appContext;
  const { store, activations, prepared, inForce } = rules;
  const maxBytes = settings['importacao.maximo'];
  const originMaxBytes = fetchedMaxBytes(settings);
  const scan = new ProductScan(store, activations, prepared, new ActiveProductStore(db));
  const sweeper = new Sweeper({ store: activations, scan, writer, actions, stopwatch });
  const activator = new Activator({ tables: store, activations, inForce, feed, sweeper, writer, clock });
  const bodies = new TableBodyStore(db);
  const loader = new TableLoader(store, bodies, writer, reads);
  const changes = new TableChangeStore(db);
  const archive = createTableArchive({ store, bodies, changes, activations, loader, reads, writer, clock });
  const service = createAttributeService({
    store,
    activations,
    inForce,
    loader,
    activator,
    reads,
    clock,
    maxBytes,
  });
  const fetched = createFetchedTables({
    store,
    activations,
    inForce,
    loader,
    service,
    reads,
    writer,
    clock,
    maxBytes: originMaxBytes,
    activates: settings['atributos.ativar'],
  });
  const { fetchFrom, ...ofOrigin } = originSettings(appContext, 'atributos.origem', originMaxBytes);
  const stopping = new AbortController();
  const origin = new Origin({
    name: 'attributes',
    subject: 'A tabela de atributos',
    db,
    writer,
    clock,
    ...ofOrigin,
    process: (file, by) => fetched.process(file, by),
  });
  const wasEverActivated = (tableId: number): boolean => activations.wasEverActivated(tableId);
  const tableQueries = createTableQueries({
    store,
    records: new OriginalTableStore(db),
    inForce,
    reads,
    clock,
  });
  const feature: Feature = {
    lateOperations: ({ attributeRoutes, ncmRoutes }) => [
      ...attributeRoutes({
        attributes: service,
        origin,
        fetchFrom: (address) => fetchFrom(address, stopping.signal),
        activates: settings['atributos.ativar'],
        isDecided: tableDecision(wasEverActivated),
        tableQueries,
        maxBytes,
        requiresProfile: settings['atributos.exigirPerfil'],
        realTime,
        onLateFault: lateFaultOf(log),
      }),
      ...ncmRoutes({ tableQueries, nomenclature, searches: appContext.reads, clock }),
    ],
    jobs: [
      {
        name: 'tabela-de-atributos',
        about: 'Põe em vigor a tabela de atributos do dia e desativa os produtos que ela não admite mais.',
        pattern: '5 0 * * *',
        atStart: true,
        runOnce: () => service.runOnce(),
      },
      {
        name: 'tabelas-antigas',
        about:
          'Guarda o que cada tabela de atributos mudou, e apaga o resto das que foram buscadas e já não são pedidas.',
        pattern: '10 0 * * *',
        atStart: () => archive.isOverdue,
        runOnce: () => archive.runOnce(),
      },
      {
        name: 'atributos-da-origem',
        about:
          'Busca a tabela de atributos em atributos.origem, às atributos.horario; depois de uma falha, a cada hora.',
        pattern: origin.pattern,
        isDue: () => origin.isDue,
        atStart: () => origin.isDue,
        runOnce: () => origin.runOnce(),
      },
    ],
    prepare: async () => {
      await loader.removeLeftovers();
      const file = settings['atributos.arquivo'];
      if ((await service.loadFirst(file)) === 'waits')
        log.warning(
          'A tabela de {file} (atributos.arquivo) foi carregada e espera que alguém a ponha em vigor: ela desativaria muitos produtos. Veja quais com catp attributes diff.',
          { file },
        );
    },
    close: async () => {
      stopping.abort();
      await origin.close();
      sweeper.stop();
      await loader.close();
      await activator.waitForSweep();
    },
  };
  return {
    ...feature,
    prepared,
    service,
    serving: tableQueries,
    origin,
    /** State of the table and of its origin, for health reports. */
    fetched: {
      table: () => {
        const activation = inForce.inForceToday();
        const table = activation && store.find(activation.tableId);
        return table && { versao: table.versao, since: activation.onDay, loadedAt: table.loadedAt };
      },
      hasOrigin: origin.isSet,
      origin: () => origin.state(),
      wasEverActivated,
    },
  };
}
