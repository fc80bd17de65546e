/** A data folder opened for work: what the server and the commands share. */
import { type Catalogue, catalogueRules, createCatalogue } from './catalogue/catalogue.ts';
import type { Clock } from './clock.ts';
import type { Settings } from './config.ts';
import { migrate } from './db/migrate.ts';
import { MIGRATIONS } from './db/migrations.ts';
import { type Db, type OpenOptions, openForWriting } from './db/open.ts';
import { type GroupMeasure, Writer } from './db/writer.ts';
import type { DataFolder } from './folder.ts';
import { EventService } from './notification/event/service.ts';
import { EventStore } from './notification/event/store.ts';
import { Accounts } from './session/accounts.ts';
import { Registry } from './session/registry.ts';
import { SessionStore } from './session/store.ts';

export interface CoreParts {
  readonly folder: DataFolder;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly stopwatch: () => number;
  readonly open?: OpenOptions;
  readonly onGroup?: (measure: GroupMeasure) => void;
  readonly onHalt?: (error: unknown) => void;
  readonly wakeDelivery?: () => void;
}

export interface Core {
  readonly db: Db;
  readonly writer: Writer;
  readonly sessionStore: SessionStore;
  readonly registry: Registry;
  readonly accounts: Accounts;
  readonly events: EventService;
  readonly catalogue: Catalogue;
  /** Waits for the writes under way and closes the database. */
  close(): Promise<void>;
}

export function openCore(parts: CoreParts): Core {
  const { folder, settings, clock, stopwatch, onGroup, onHalt } = parts;
  const db = openForWriting(folder.database, parts.open);
  migrate(db, MIGRATIONS, clock);
  const writer = new Writer({ db, clock, stopwatch, ...(onGroup && { onGroup }), ...(onHalt && { onHalt }) });
  const sessionStore = new SessionStore(db);
  const registry = new Registry(db, sessionStore, clock);
  const accounts = new Accounts(sessionStore, writer, registry, () => undefined);
  const events = new EventService(new EventStore(db), parts.wakeDelivery ?? (() => undefined));
  const catalogue = createCatalogue({
    db,
    writer,
    rules: catalogueRules(settings),
    attributes: { problemsOf: () => [] },
    publisher: events,
  });
  const close = async (): Promise<void> => {
    await writer.close();
    db.close();
  };
  return { db, writer, sessionStore, registry, accounts, events, catalogue, close };
}
