/** Context of an open data folder, which every feature uses, in a server and in a command. */
import { SealUpdater } from '../audit/seal-updater.ts';
import { AuditTrail } from '../audit/trail.ts';
import { type Clock, REAL_TIME, type RealTime } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import type { Settings } from '../settings/config.ts';
import { Feed } from '../db/feed.ts';
import { type DataFolder, withUsableFolder } from '../db/folder.ts';
import { refuseStrangeKeys } from '../db/key-mark.ts';
import { makeWriter } from '../db/folder-writer.ts';
import { isUnused, migrate, pendingMigrations } from '../db/migrate.ts';
import { MIGRATIONS } from '../db/migrations.ts';
import { type Db, type OpenOptions, withFileErrors, openForWriting, tryWrite } from '../db/open.ts';
import { TROUBLE_NOTICES, isOutOfSpace } from '../db/trouble.ts';
import { Writer } from '../db/writer.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type Logger, faultOf, silentLog } from '../log/log.ts';
import type { OwnMachine } from '../notification/delivery/send/own-machine.ts';
import type { WorkProcesses } from '../reading/work-process.ts';
import { ReadDispatcher } from './reading/read-dispatcher.ts';
import type { AnyReadRequest } from './reading/texts.ts';
import { Epochs } from '../replica/epoch.ts';
import { fenceOf, openPartner, openReplica } from './features/replica.ts';
import { type Disk, diskOf as diskOfMachine } from '../system/disk.ts';
import { makeOwnFolder } from '../system/own-folder.ts';
import { VERSION } from '../version.ts';

export interface AppContextOptions {
  readonly folder: DataFolder;
  readonly settings: Settings;
  readonly clock: Clock;
  /** Returns a monotonic time in ms. */
  readonly stopwatch: () => number;
  /** The log of a server. A command has none. */
  readonly log?: Logger;
  readonly metrics?: Metrics;
  /** Returns the remaining validity of the certificate of the HTTPS listener in ms, by real time. */
  readonly certificateMsLeft?: () => number | undefined;
  /** The local addresses that deliveries may reach: those of a development instance itself. */
  readonly ownMachine?: OwnMachine;
  /**
   * True for a development instance, which accepts identical products and reports those that the public
   * service would refuse.
   */
  readonly reportsIdentical?: boolean;
  readonly open?: OpenOptions;
  /** The folder lost its keys. Data that was encrypted with them is discarded. */
  readonly keysAreNew?: boolean;
  /**
   * True for a command that may run next to a server. It does not test at its start if the database is
   * writable.
   */
  readonly mayRunNextToServer?: boolean;
  /** Replaces the machine's time in tests, where the Clock is not used. */
  readonly realTime?: RealTime;
  /** Replaces the time of the audit seal, which waits after every change. */
  readonly sealTime?: RealTime;
  /** Replaces the state of the machine's disk in tests. */
  readonly diskOf?: (folder: string) => Disk;
  /** Worker processes that several instances in one process share. */
  readonly processes?: WorkProcesses<AnyReadRequest>;
}

export type AppContext = ReturnType<typeof openAppContext>;

export function openAppContext(parts: AppContextOptions) {
  const { folder, settings, clock, stopwatch, metrics } = parts;
  const { log = silentLog(), ownMachine = 'forbidden', realTime = REAL_TIME, sealTime = REAL_TIME } = parts;
  const { diskOf = diskOfMachine } = parts;
  // A folder that was copied from a replica or a mirror, or by a person, lacks it.
  withUsableFolder(folder.path, () => makeOwnFolder(folder.imports));
  const db = openDatabase(parts);
  const feed = new Feed(db);
  const trail = new AuditTrail(db, feed, folder, () => sealUpdater.onPageAdded());
  const replica = openReplica({ folder, settings, clock, realTime, log });
  const partner = openPartner({ folder, settings, clock, realTime, log }, db);
  const fence = fenceOf(replica, partner);
  const writer = new Writer({
    db,
    feed,
    clock,
    stopwatch,
    replication: fence,
    keepChanges: (changes, tx) => trail.addPage(changes, tx),
    onGroup: ({ size, commitMs }) => metrics?.group(size, commitMs),
    onTrouble: (trouble, error) =>
      trouble === undefined
        ? log.warning('O disco tem espaço outra vez: as gravações seguem.')
        : log.error(`${TROUBLE_NOTICES[trouble]} {error}`, { error: faultOf(error) }),
  });
  const sealUpdater = new SealUpdater(trail, writer, sealTime, log);
  const reads = new ReadDispatcher({
    database: folder.database,
    settings,
    processes: parts.processes,
    onFailed: (error) => writer.readFailed(error),
    onStalled: (kind, ms) =>
      log.warning('Uma leitura longa ({kind}) foi cortada: nada dela foi recebido em {ms} ms.', { kind, ms }),
    realTime,
  });
  return {
    folder,
    settings,
    clock,
    stopwatch,
    realTime,
    diskOf,
    certificateMsLeft: parts.certificateMsLeft ?? (() => undefined),
    log,
    metrics,
    ownMachine,
    reportsIdentical: parts.reportsIdentical ?? false,
    db,
    feed,
    writer,
    trail,
    sealUpdater,
    replica,
    partner,
    fence,
    epochs: new Epochs(db),
    reads,
    /** Waits for the writes under way and closes the database. */
    leave: async (): Promise<void> => {
      await reads.close();
      await sealUpdater.close();
      await writer.close();
      db.close();
    },
  };
}

function openDatabase({ folder, clock, open, keysAreNew, mayRunNextToServer }: AppContextOptions): Db {
  return withFileErrors(folder.database, () => {
    const db = openForWriting(folder.database, open);
    try {
      if (keysAreNew !== true) refuseStrangeKeys(db, folder);
      if (mayRunNextToServer !== true) requireWrite(db);
      // A database of an older version is upgraded before this call. A database that replaced it since that
      // check is refused: the list of pending migrations refuses one of a newer version.
      if (pendingMigrations(db, { migrations: MIGRATIONS }).length > 0) {
        if (!isUnused(db)) throw replacedByOlder(folder.database);
        migrate(db, MIGRATIONS, clock, VERSION, () => makeWriter(db, folder.path));
      }
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

const replacedByOlder = (database: string): OperatorError =>
  new OperatorError(
    `O banco de dados ${database} é de uma versão anterior do catp: foi posto no lugar enquanto este processo iniciava. Inicie-o de novo.`,
  );

/**
 * Throws when the database is not writable. SQLite also opens a read-only file, and refuses only the first
 * write. A full disk is accepted, because it may have space later.
 */
function requireWrite(db: Db): void {
  try {
    tryWrite(db);
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
  }
}
