/** The product's own parts on a real SQLite file, as one process of the simulated machine. */
import { copyFileSync, rmSync } from 'node:fs';
import type { Clock } from '../../src/clock.ts';
import { Feed } from '../../src/db/feed.ts';
import { migrate } from '../../src/db/migrate.ts';
import { MIGRATIONS } from '../../src/db/migrations.ts';
import { type Db, openForWriting } from '../../src/db/open.ts';
import { Writer } from '../../src/db/writer.ts';
import { Delinquency } from '../../src/notification/delinquency/service.ts';
import { DelinquencyStore } from '../../src/notification/delinquency/store.ts';
import { DeliveryStore } from '../../src/notification/delivery/work/delivery-store.ts';
import { DeliveryHistoryStore } from '../../src/notification/delivery/history/store.ts';
import { DeliveryHistory } from '../../src/notification/delivery/history/service.ts';
import { OutcomeStore } from '../../src/notification/delivery/work/outcome-store.ts';
import type { RepeatPolicy } from '../../src/notification/delivery/work/repeats.ts';
import type { Sender } from '../../src/notification/delivery/send/sender.ts';
import { createWorker } from '../../src/notification/delivery/work/service.ts';
import type { SlotLimits } from '../../src/notification/delivery/work/slots.ts';
import type { DeliveryWorker } from '../../src/notification/delivery/work/worker.ts';
import { EventService } from '../../src/notification/event/service.ts';
import { EventStore } from '../../src/notification/event/store.ts';
import { Retention } from '../../src/notification/retention/service.ts';
import { RetentionStore } from '../../src/notification/retention/store.ts';
import { PendingCancellation } from '../../src/notification/subscription/backlog.ts';
import {
  type SubscriptionService,
  createSubscriptionService,
} from '../../src/notification/subscription/service.ts';
import { SubscriptionStore } from '../../src/notification/subscription/store.ts';
import { SecretSealer } from '../../src/notification/subscription/secret-sealer.ts';
import type { Lifecycle, VirtualTime } from './virtual-time.ts';
import { silentLog } from '../../src/log/log.ts';

/** A replacement of a part of the product that breaks a rule: proof that the simulation detects it. */
export interface Breakage {
  readonly store?: (db: Db, clock: Clock) => DeliveryStore;
  readonly outcomeStore?: (db: Db) => OutcomeStore;
  readonly delinquencyStore?: (db: Db) => DelinquencyStore;
  readonly retentionStore?: (db: Db) => RetentionStore;
  readonly subscriptionStore?: (db: Db) => SubscriptionStore;
  readonly limits?: (limits: SlotLimits) => SlotLimits;
  readonly repeats?: (policy: RepeatPolicy) => RepeatPolicy;
  readonly sender?: (sender: Sender) => Sender;
  readonly isDeaf?: boolean;
}

export interface ProductProcessParts {
  readonly file: string;
  readonly time: VirtualTime;
  readonly lifecycle: Lifecycle;
  readonly sender: Sender;
  readonly limits: SlotLimits;
  readonly repeats: RepeatPolicy;
  readonly breakage: Breakage;
  readonly onGroup: () => void;
}

/**
 * Interval in which the worker checks for writes of other processes; a shorter one would fill virtual time
 * with checks.
 */
export const LOOK_EVERY_MS = 3 * 60 * 60 * 1000;
const KEY = new Uint8Array(32).fill(7);

export interface ProductProcess {
  readonly db: Db;
  readonly writer: Writer;
  readonly worker: DeliveryWorker;
  readonly subscriptions: SubscriptionService;
  readonly events: EventService;
  readonly history: DeliveryHistory;
  readonly delinquency: Delinquency;
  readonly retention: Retention;
}

export function openProductProcess({
  file,
  time,
  lifecycle,
  sender,
  limits,
  repeats,
  breakage,
  onGroup,
}: ProductProcessParts): ProductProcess {
  const db = openFast(file);
  const clock = time.clockOf(lifecycle);
  const feed = new Feed(db);
  const writer = new Writer({ db, feed, clock, stopwatch: () => time.elapsed, onGroup });
  const secretSealer = new SecretSealer(KEY);
  const subscriptionStore = breakage.subscriptionStore?.(db) ?? new SubscriptionStore(db);
  const subscriptions = createSubscriptionService({
    store: subscriptionStore,
    backlog: new PendingCancellation(subscriptionStore, writer),
    writer,
    secretSealer,
    knownEvents: undefined,
    onEnded: (id) => breakage.isDeaf !== true && worker.withdraw(id),
    onEndpointChanged: () => worker.changed(),
  });
  const wake = (): void => worker.wake();
  const events = new EventService(new EventStore(db), writer, wake);
  const history = new DeliveryHistory(new DeliveryHistoryStore(db), writer, () => worker.changed());
  const delinquency = new Delinquency(
    breakage.delinquencyStore?.(db) ?? new DelinquencyStore(db),
    subscriptions,
    writer,
    clock,
  );
  const retention = new Retention(breakage.retentionStore?.(db) ?? new RetentionStore(db), writer, clock);
  const worker = createWorker({
    db,
    feed,
    writer,
    clock,
    log: silentLog(),
    sender: breakage.sender?.(sender) ?? sender,
    delinquency,
    composition: { openSecrets: (id, sealed) => secretSealer.open(id, sealed), standardWebhooks: false },
    limits: breakage.limits?.(limits) ?? limits,
    repeats: breakage.repeats?.(repeats) ?? repeats,
    realTime: time.realTimeOf(lifecycle),
    pollMs: LOOK_EVERY_MS,
    store: breakage.store?.(db, clock) ?? new DeliveryStore(db),
    outcomeStore: breakage.outcomeStore?.(db) ?? new OutcomeStore(db),
  });
  return { db, writer, worker, subscriptions, events, history, delinquency, retention };
}

/** Opens the database without syncs: the simulation kills a process, which loses no written data. */
function openFast(file: string): Db {
  const db = openForWriting(file, { synchronous: 'NORMAL' });
  db.pragma('synchronous = OFF');
  return db;
}

export const COMPANY = '12345678';
export const USERS = ['00000000191', '00000000272', '00000000353', '00000000434', '00000000515'] as const;
export const EVENTOS = ['catp-prod-alterado', 'catp-oper-alterado'] as const;

/**
 * Creates a migrated database in which every user represents the one company; made once, copied for each
 * seed.
 */
export function makeTemplate(file: string): void {
  const db = openFast(file);
  migrate(db, MIGRATIONS, { now: () => 0, at: () => ({ cancel: () => undefined }), test: true });
  db.prepare('INSERT INTO company (cpf_cnpj_raiz, nome) VALUES (?, ?)').run(COMPANY, 'Empresa');
  for (const documento of USERS) {
    db.prepare(`INSERT INTO user (documento, nome, tipo, administrador) VALUES (?, 'Alguém', 'PRIV', 0)`).run(
      documento,
    );
    db.prepare(`INSERT INTO representation (documento, cpf_cnpj_raiz, perfil) VALUES (?, ?, 'IMPEXP')`).run(
      documento,
      COMPANY,
    );
  }
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

export function copyTemplate(template: string, file: string): void {
  removeDatabase(file);
  copyFileSync(template, file);
}

export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}
