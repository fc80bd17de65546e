/** A data folder opened for work: what the server and the commands share. */
import { type Catalogue, catalogueRules, createCatalogue } from './catalogue/catalogue.ts';
import { ImportRetention } from './catalogue/import/retention.ts';
import { ImportStore } from './catalogue/import/store.ts';
import type { Clock, RealTime } from './clock.ts';
import type { Settings } from './config.ts';
import { Feed } from './db/feed.ts';
import { migrate } from './db/migrate.ts';
import { MIGRATIONS } from './db/migrations.ts';
import { type Db, type OpenOptions, openForWriting } from './db/open.ts';
import { type GroupMeasure, Writer, type WriterParts } from './db/writer.ts';
import type { DataFolder } from './db/folder.ts';
import { Delinquency } from './notification/delinquency/service.ts';
import { DelinquencyStore } from './notification/delinquency/store.ts';
import { DeliveryHistoryStore } from './notification/delivery/history/store.ts';
import { DeliveryHistory } from './notification/delivery/history/service.ts';
import { EventService } from './notification/event/service.ts';
import { EventStore } from './notification/event/store.ts';
import { EVENT_NAMES } from './notification/event/types.ts';
import { FailureService } from './notification/failure/service.ts';
import { FailureStore } from './notification/failure/store.ts';
import { Retention } from './notification/retention/service.ts';
import { RetentionStore } from './notification/retention/store.ts';
import { Backlog } from './notification/subscription/backlog.ts';
import { SubscriptionService } from './notification/subscription/service.ts';
import { SubscriptionStore } from './notification/subscription/store.ts';
import { Vault } from './notification/subscription/vault.ts';
import { ReadPool } from './reading/pool.ts';
import type { KnownRead } from './reading/texts.ts';
import { OperatorError } from './errors.ts';
import { reasonOf, systemCode } from './system/errors.ts';
import { Accounts } from './session/accounts.ts';
import type { AccountChange } from './session/model.ts';
import { Registry } from './session/registry.ts';
import { SessionStore } from './session/store.ts';

export interface CoreParts {
  readonly folder: DataFolder;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly stopwatch: () => number;
  readonly open?: OpenOptions;
  /** Brings the schema up to date. By default without asking: right for who holds the folder's lock, and no other. */
  readonly migrate?: (db: Db) => void;
  readonly onGroup?: (measure: GroupMeasure) => void;
  readonly onTrouble?: NonNullable<WriterParts['onTrouble']>;
  readonly wakeDelivery?: () => void;
  /** Told of each change of an account, after the commit. */
  readonly accountChanged?: (change: AccountChange) => void;
  /** Told after the commit that nothing may be sent for a subscription any more. */
  readonly subscriptionEnded?: (subscriptionId: number) => void;
  /** What a test puts in place of the machine's time. */
  readonly realTime?: RealTime;
  /** Told of a long read, by its kind, that is cut off because its reader stalls. */
  readonly onStalledRead?: (kind: string) => void;
}

export interface Core {
  readonly db: Db;
  readonly feed: Feed;
  readonly writer: Writer;
  readonly sessionStore: SessionStore;
  readonly registry: Registry;
  readonly accounts: Accounts;
  readonly events: EventService;
  readonly vault: Vault;
  readonly subscriptions: SubscriptionService;
  readonly failures: FailureService;
  readonly deliveryHistory: DeliveryHistory;
  readonly delinquency: Delinquency;
  readonly retention: Retention;
  readonly backlog: Backlog;
  readonly importRetention: ImportRetention;
  readonly catalogue: Catalogue;
  readonly reads: ReadPool<KnownRead>;
  /** Waits for the writes under way and closes the database. */
  close(): Promise<void>;
}

export function openCore(parts: CoreParts): Core {
  const { folder, settings, clock, stopwatch, onGroup, onTrouble } = parts;
  const db = openDatabase(parts);
  const feed = new Feed(db);
  const writer = new Writer({
    db,
    feed,
    clock,
    stopwatch,
    ...(onGroup && { onGroup }),
    ...(onTrouble && { onTrouble }),
  });
  const sessionStore = new SessionStore(db);
  const registry = new Registry(feed, sessionStore);
  const wakeDelivery = parts.wakeDelivery ?? (() => undefined);
  const vault = new Vault(folder.keys.secrets);
  const subscriptionStore = new SubscriptionStore(db);
  const backlog = new Backlog(subscriptionStore, writer);
  const subscriptions = new SubscriptionService({
    store: subscriptionStore,
    backlog,
    writer,
    vault,
    knownEvents: settings['assinatura.recusarDesconhecido'] ? EVENT_NAMES : undefined,
    ended: parts.subscriptionEnded ?? (() => undefined),
  });
  const accounts = new Accounts({
    store: sessionStore,
    writer,
    feed,
    userRemoved: (tx, documento) => subscriptions.endAllOf(tx, documento),
    changed: parts.accountChanged ?? (() => undefined),
  });
  const events = new EventService(new EventStore(db), writer, wakeDelivery);
  const failures = new FailureService(new FailureStore(db), clock);
  const deliveryHistory = new DeliveryHistory(new DeliveryHistoryStore(db), writer, wakeDelivery);
  const delinquency = new Delinquency({ store: new DelinquencyStore(db), subscriptions, writer, clock });
  const retention = new Retention({ store: new RetentionStore(db), writer, clock });
  const importRetention = new ImportRetention({
    store: new ImportStore(db),
    writer,
    clock,
    days: settings['importacao.dias'],
  });
  const reads = new ReadPool<KnownRead>({
    database: folder.database,
    limit: settings['servidor.listas'],
    waitMs: settings['servidor.listasEspera'],
    stallMs: settings['servidor.listasParada'],
    onStalled: parts.onStalledRead ?? (() => undefined),
    ...(parts.realTime && { realTime: parts.realTime }),
  });
  const catalogue = createCatalogue({
    db,
    writer,
    feed,
    rules: catalogueRules(settings),
    publisher: events,
    clock,
    stopwatch,
    reads,
    tableMaxBytes: settings['importacao.maximo'],
  });
  const close = async (): Promise<void> => {
    await catalogue.attribute.close();
    reads.close();
    await writer.close();
    db.close();
  };
  return {
    db,
    feed,
    writer,
    sessionStore,
    registry,
    accounts,
    events,
    vault,
    subscriptions,
    failures,
    deliveryHistory,
    delinquency,
    retention,
    backlog,
    importRetention,
    catalogue,
    reads,
    close,
  };
}

function openDatabase({ folder, clock, open, migrate: bring }: CoreParts): Db {
  let db: Db | undefined;
  try {
    db = openForWriting(folder.database, open);
    if (bring === undefined) migrate(db, MIGRATIONS, clock);
    else bring(db);
    return db;
  } catch (error) {
    db?.close();
    if (!isOfTheFile(error)) throw error;
    throw new OperatorError(
      `O banco de dados ${folder.database} não pode ser aberto (${reasonOf(error)}). Verifique as permissões e o disco; se ele está danificado, restaure uma cópia de segurança.`,
      { cause: error },
    );
  }
}

const isOfTheFile = (error: unknown): boolean =>
  /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH|NOTADB|CORRUPT|FULL|IOERR|BUSY|LOCKED)/.test(systemCode(error) ?? '');
