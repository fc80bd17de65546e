/** Joins the parts of attribute tables. */
import type { Clock } from '../../clock.ts';
import type { Feed } from '../../db/feed.ts';
import type { Db } from '../../db/open.ts';
import type { Writer } from '../../db/writer.ts';
import type { Reads } from '../../reading/pool.ts';
import { ActivationStore } from './activation/activation-store.ts';
import { Activator } from './activation/activation.ts';
import { ActiveProductStore } from '../product/active-store.ts';
import { AttributeTables } from './activation/in-force.ts';
import { TableLoader } from './table/loader.ts';
import { PreparedTables } from './activation/prepared-tables.ts';
import type { ImpactRead } from './activation/impact.ts';
import { ProductScan } from './activation/scan.ts';
import { AttributeService } from './service.ts';
import { TableServing } from './serving/serving.ts';
import { AttributeTableStore } from './table/store.ts';
import { Sweeper, type SystemHand } from './activation/sweep.ts';
import { TableHistory } from './serving/history.ts';

/** What judging a product needs. */
export interface AttributeRulesParts {
  readonly db: Db;
  readonly feed: Feed;
  readonly clock: Clock;
}

export type AttributeRules = ReturnType<typeof createAttributeRules>;

export function createAttributeRules({ db, feed, clock }: AttributeRulesParts) {
  const store = new AttributeTableStore(db);
  const activations = new ActivationStore(db);
  const prepared = new PreparedTables(store);
  feed.onReplaced(() => prepared.forget());
  return {
    store,
    activations,
    prepared,
    inForce: new AttributeTables({ feed, activations, prepared, clock }),
  };
}

export interface AttributesParts extends AttributeRulesParts {
  readonly rules: AttributeRules;
  readonly writer: Writer;
  readonly stopwatch: () => number;
  /** Who reads what is long. */
  readonly reads: Reads<ImpactRead>;
  /** Bytes of a table file (setting `importacao.maximo`). */
  readonly maxBytes: number;
  readonly hand: SystemHand;
}

export function createAttributes(parts: AttributesParts) {
  const { db, feed, clock, rules, writer, stopwatch, hand, maxBytes } = parts;
  const { store, activations, prepared, inForce } = rules;
  const scan = new ProductScan({ tables: store, prepared, products: new ActiveProductStore(db) });
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
    impacts: parts.reads,
    history,
    clock,
    maxBytes,
  });
  return {
    ...rules,
    service,
    serving: new TableServing({ store, inForce, clock }),
    /**
     * Removes what a crash left, and loads the first table (setting `atributos.arquivo`) where there is none. For the one
     * server of a data folder. Throws `OperatorError`.
     */
    start: async (firstFile: string): Promise<void> => {
      await loader.removeLeftovers();
      await service.loadFirst(firstFile);
    },
    /** Ends what is under way; a sweep goes on at the next start. */
    close: async (): Promise<void> => {
      sweeper.stop();
      await loader.close();
      await activator.settled();
    },
  };
}
