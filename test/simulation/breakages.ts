/** The product with one broken rule at a time: proof that the simulation detects it (`--break NAME`). */
import { DelinquencyStore } from '../../src/notification/delinquency/store.ts';
import { type DueDelivery, DeliveryStore } from '../../src/notification/delivery/work/delivery-store.ts';
import { OutcomeStore } from '../../src/notification/delivery/work/outcome-store.ts';
import type { DeliveryRequest, Sender } from '../../src/notification/delivery/send/sender.ts';
import { RetentionStore } from '../../src/notification/retention/store.ts';
import { SubscriptionStore } from '../../src/notification/subscription/store.ts';
import { type Clock, DAY_MS, HOUR_MS } from '../../src/clock.ts';
import type { Db } from '../../src/db/open.ts';
import type { Breakage } from './product-process.ts';

export interface NamedBreakage {
  /** The fault of the product. */
  readonly does: string;
  readonly breakage: Breakage;
  /** The violation that belongs to it. Any other shows a fault of the simulation or of the breakage. */
  readonly noticed: RegExp;
  /** The first seed to try: one that has shown the violation. */
  readonly seed: number;
}

const named = (does: string, noticed: RegExp, breakage: Breakage, seed = 1): NamedBreakage => ({
  does,
  noticed,
  breakage,
  seed,
});

const LEFT_LYING = 'and has a free slot, but is left lying$';
/** A deletion for failures at the wrong time is reported as missing or as unexpected. */
const NOT_DELETED = /^subscription \d+ is deleted null \(null\), must be \d+ \(Exclusão automática/;
const DELETED = /^subscription \d+ is deleted \d+ \(Exclusão automática.*\), must be null \(null\)$/;

/** Replaces one method of a store. */
const withStore = <Store extends object>(
  make: new (db: Db) => Store,
  change: (store: Store, db: Db) => Partial<Store>,
): ((db: Db) => Store) => {
  return (db) => {
    const store = new make(db);
    // The methods use private fields: they are called on the real store.
    return new Proxy(store, {
      get: (target, name) => {
        const changed = change(target, db) as Record<PropertyKey, unknown>;
        if (Object.hasOwn(changed, name)) return changed[name];
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  };
};

const store = (change: (store: DeliveryStore, db: Db, clock: Clock) => Partial<DeliveryStore>): Breakage => ({
  store: (db, clock) => withStore(DeliveryStore, (real) => change(real, db, clock))(db),
});
const outcomes = (change: (store: OutcomeStore, db: Db) => Partial<OutcomeStore>): Breakage => ({
  outcomeStore: withStore(OutcomeStore, change),
});
const delinquency = (change: (store: DelinquencyStore, db: Db) => Partial<DelinquencyStore>): Breakage => ({
  delinquencyStore: withStore(DelinquencyStore, change),
});
const retention = (change: (store: RetentionStore, db: Db) => Partial<RetentionStore>): Breakage => ({
  retentionStore: withStore(RetentionStore, change),
});

/** Sends through another sender. */
const sends = (send: (sender: Sender, request: DeliveryRequest) => ReturnType<Sender['send']>): Breakage => ({
  sender: (sender) => ({
    send: (request) => send(sender, request),
    slotKey: (endpoint) => sender.slotKey(endpoint),
    close: () => sender.close(),
  }),
});

export const BREAKAGES: Readonly<Record<string, NamedBreakage>> = {
  'loses-outcomes': named(
    'marks a delivery delivered before it is sent',
    /^delivery \d+ must be pending, is delivered$/,
    {
      ...store((real, db) => ({
        find: (id: number): DueDelivery | undefined => {
          const due = real.find(id);
          db.prepare(
            `UPDATE delivery SET state = 'delivered', finished_at = 0, next_attempt_at = NULL WHERE id = ?`,
          ).run(id);
          return due;
        },
      })),
    },
  ),
  'forgets-failures': named(
    'writes no failure record',
    /^the failed attempt \d+ has no failure record$/,
    outcomes(() => ({ insertFailure: () => undefined })),
  ),
  'records-twice': named(
    'writes the failure record twice',
    /^failure record \d+ belongs to no failed attempt$/,
    outcomes((real) => ({
      insertFailure: (row) => {
        real.insertFailure(row);
        real.insertFailure(row);
      },
    })),
  ),
  'gives-up': named('gives up after the first failure', /^delivery \d+ must be pending, is failed$/, {
    repeats: (policy) => ({ ...policy, delays: [] }),
  }),
  'repeats-too-early': named('repeats after half the time', /^delivery \d+ is due too early:/, {
    repeats: ({ delays, random }) => ({ delays: delays.map((delay) => delay / 2), random }),
  }),
  'repeats-too-often': named(
    'repeats once more than it should',
    /^delivery \d+ is pending, must be failed$/,
    {
      repeats: ({ delays, random }) => ({ delays: [...delays, HOUR_MS], random }),
    },
  ),
  'stays-set-back': named(
    'leaves repeats in a far future after the clock was set back',
    /^delivery \d+ is to wait for \d+ ms$/,
    store(() => ({ pullForward: () => 0 })),
  ),
  'sleeps-through-repeats': named(
    'sets no timer for the next repeat',
    new RegExp(`^delivery \\d+ is due for a repeat ${LEFT_LYING}`),
    store(() => ({ nextRepeatAfter: () => undefined })),
  ),
  'sends-to-deleted': named(
    'does not cancel what a deleted subscription has pending',
    /^delivery \d+ is (sent after its subscription's deletion|pending, must be cancelled)$/,
    {
      isDeaf: true,
      subscriptionStore: withStore(SubscriptionStore, (_, db) => ({
        end: (id: number, at: number, motivo: string) => {
          db.prepare('UPDATE subscription SET deleted_at = ?, motivo_exclusao = ? WHERE id = ?').run(
            at,
            motivo,
            id,
          );
        },
        cancelSome: () => 0,
      })),
      store: withStore(DeliveryStore, (real, db) => ({
        findActive: (id: number) =>
          db.prepare<[number], Named>('SELECT id, endpoint FROM subscription WHERE id = ?').get(id),
        withRepeats: () => db.prepare<[], Named>('SELECT id, endpoint FROM subscription').all(),
        find: (id: number) => real.find(id) ?? undeletedFind(db, id),
      })),
    },
  ),
  'does-not-withdraw': named(
    'lets requests go on that are on their way to a deleted subscription',
    /^delivery \d+ arrives after its subscription's deletion$/,
    {
      isDeaf: true,
    },
  ),
  resurrects: named(
    'lets the outcome of a cancelled delivery count',
    /^delivery \d+ is pending, must be cancelled$|^too many deliveries are (delivered|failed):/,
    outcomes((real, db) => ({
      find: (id: number) => {
        const delivery = real.find(id);
        return delivery === 'ended' ? { attemptCount: 1, replay: false, resumeAt: null } : delivery;
      },
      continue: (id: number, repeat) => {
        if (typeof real.find(id) === 'object') return real.continue(id, repeat);
        const { nextAttemptAt } = repeat;
        db.prepare(`UPDATE delivery SET state = 'pending', next_attempt_at = ? WHERE id = ?`).run(
          nextAttemptAt,
          id,
        );
      },
      finish: (id: number, state: string, count: number, at: number) => {
        db.prepare(
          'UPDATE delivery SET state = ?, attempt_count = ?, finished_at = ?, next_attempt_at = NULL, replay = 0 WHERE id = ?',
        ).run(state, count, at, id);
      },
    })),
  ),
  'sends-twice': named(
    'sends each request twice',
    /^delivery \d+ is sent twice$/,
    sends(async (sender, request) => {
      void sender.send(request);
      return sender.send(request);
    }),
  ),
  'forgets-limits': named('has twice the slots', /^\d+ deliveries at once(, | to )/, {
    limits: ({ total, perReceiver }) => ({ total: 2 * total, perReceiver: 2 * perReceiver }),
  }),
  'forgets-receiver-limit': named(
    'lets one receiver have all slots',
    /^\d+ deliveries at once to \S+, \d+ allowed$/,
    {
      limits: ({ total }) => ({ total, perReceiver: total }),
    },
  ),
  'is-idle': named(
    'uses one slot only',
    new RegExp(`^delivery \\d+ is due for its first attempt ${LEFT_LYING}`),
    { limits: () => ({ total: 1, perReceiver: 1 }) },
  ),
  'serves-the-first-only': named(
    'looks at one subscription until it has nothing left',
    new RegExp(`^delivery \\d+ is due for its first attempt ${LEFT_LYING}`),
    store((real) => ({
      firstAfter: (id: number, limit: number) => {
        const deliveries = real.firstAfter(id, limit);
        return deliveries.filter(({ subscriptionId }) => subscriptionId === deliveries[0]?.subscriptionId);
      },
    })),
  ),
  'repeats-first': named(
    'makes repeats before first attempts',
    /^delivery \d+ is repeated before the first attempt of \d+$/,
    store((real, _, clock) => ({
      firstAfter: (id: number, limit: number) =>
        real.withRepeats(clock.now()).length > 0 ? [] : real.firstAfter(id, limit),
    })),
  ),
  'never-deletes': named(
    'never deletes for failures',
    NOT_DELETED,
    delinquency(() => ({ findFailing: () => undefined })),
  ),
  'deletes-too-early': named(
    'deletes after 29 days of failures',
    DELETED,
    delinquency((real) => ({
      findFailing: (id: number, now: number) => earlier(real.findFailing(id, now), DAY_MS),
      listFailingSince: (instant: number) => real.listFailingSince(instant + DAY_MS),
    })),
    10,
  ),
  'deletes-too-late': named(
    'deletes after 31 days of failures',
    NOT_DELETED,
    delinquency((real) => ({
      findFailing: (id: number, now: number) => earlier(real.findFailing(id, now), -DAY_MS),
    })),
  ),
  'deletes-for-want-of-attempts': named(
    'deletes though there was no failure lately',
    DELETED,
    delinquency((real) => ({
      findFailing: (id: number, now: number) => {
        const failing = real.findFailing(id, now);
        return failing && { ...failing, lastFailureAt: now };
      },
    })),
  ),
  'forgets-success': named(
    'counts failures from before the last success',
    DELETED,
    outcomes((real, db) => ({
      markSuccess: (id: number, _endpoint: string, at: number) => {
        db.prepare('UPDATE subscription SET last_success_at = ? WHERE id = ?').run(at, id);
      },
      find: (id: number) => real.find(id),
    })),
  ),
  'blames-the-new-endpoint': named('counts the failures of a former endpoint', DELETED, {
    subscriptionStore: withStore(SubscriptionStore, () => ({ forgetFailing: () => undefined })),
  }),
  'deletes-without-check': named(
    'checks for deletion by the job only, not at the failure itself',
    NOT_DELETED,
    delinquency((real, db) => ({
      findFailing: (id: number, now: number) => (isJob(db, now) ? real.findFailing(id, now) : undefined),
    })),
  ),
  'keeps-records': named(
    'never removes failure records',
    /^too many failure records:/,
    retention(() => ({ deleteFailures: () => 0 })),
  ),
  'removes-records-too-early': named(
    'removes failure records after 29 days',
    /^too few failure records:/,
    retention((real) => ({
      deleteFailures: (before: number, limit: number) => real.deleteFailures(before + DAY_MS, limit),
    })),
  ),
  'removes-records-too-late': named(
    'removes failure records after 31 days',
    /^too many failure records:/,
    retention((real) => ({
      deleteFailures: (before: number, limit: number) => real.deleteFailures(before - DAY_MS, limit),
    })),
  ),
  'removes-pending': named(
    'removes deliveries by the age of their event, pending or not',
    /^delivery \d+ must be pending, is gone$/,
    retention((real, db) => ({
      deleteDeliveries: (before: number, limit: number) =>
        real.deleteDeliveries(before, limit) +
        db.prepare(`DELETE FROM delivery WHERE state = 'pending' AND attempt_count > 0`).run().changes,
    })),
  ),
  'keeps-deliveries': named(
    'never removes finished deliveries',
    /^too many deliveries are (delivered|failed|cancelled):/,
    retention(() => ({ deleteDeliveries: () => 0 })),
  ),
};

type Named = { readonly id: number; readonly endpoint: string };

const earlier = <T extends { readonly failingSince: number }>(
  failing: T | undefined,
  ms: number,
): T | undefined => failing && { ...failing, failingSince: failing.failingSince - ms };

const undeletedFind = (db: Db, id: number): DueDelivery | undefined =>
  db
    .prepare<[number], DueDelivery>(
      `SELECT d.id, d.subscription_id AS subscriptionId, 0 AS replay, e.evento, e.destinatario_tipo AS destinatarioTipo,
         e.destinatario_id AS destinatarioId, e.conteudo, s.endpoint, s.chave_secreta AS chaveSecreta,
         s.chave_autenticacao AS chaveAutenticacao
       FROM delivery d JOIN event e ON e.id = d.event_id JOIN subscription s ON s.id = d.subscription_id
       WHERE d.id = ? AND d.state = 'pending'`,
    )
    .get(id);

/** A failure of the same instant shows that the check belongs to an attempt. */
const isJob = (db: Db, now: number): boolean =>
  db.prepare('SELECT 1 FROM delivery_failure WHERE failed_at = ?').get(now) === undefined;
