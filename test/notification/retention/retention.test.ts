/** Retention of deliveries and failures (contract section 10). */
import { expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '../../../src/clock.ts';
import type { Db } from '../../../src/db/open.ts';
import { DELETED_AT_ONCE } from '../../../src/db/delete-in-slices.ts';
import { coreForEachTest, EVENTO } from '../support.ts';

const opened = coreForEachTest();
const MONTH_MS = 30 * DAY_MS;

interface Rows {
  readonly state: 'pending' | 'delivered';
  /** When the event was published, finished, and failed. */
  readonly at: number;
  readonly times?: number;
}

function insert(db: Db, { state, at, times = 1 }: Rows): void {
  const subscription = `INSERT INTO subscription (documento, evento, endpoint, registered_at)
    VALUES ('00000000191', '${EVENTO}', 'https://erp.exemplo/', 0) ON CONFLICT DO NOTHING`;
  db.exec(subscription);
  for (let i = 0; i < times; i++) {
    const event = db
      .prepare(
        `INSERT INTO event (evento, destinatario_tipo, destinatario_id, conteudo, published_at)
         VALUES (?, 'CNPJ', '12345678', '{}', ?)`,
      )
      .run(EVENTO, at).lastInsertRowid;
    const delivery = db
      .prepare(
        `INSERT INTO delivery (event_id, subscription_id, state, attempt_count, next_attempt_at, finished_at)
         VALUES (?, 1, ?, 1, ?, ?)`,
      )
      .run(event, state, state === 'pending' ? at : null, state === 'pending' ? null : at).lastInsertRowid;
    db.prepare(
      `INSERT INTO delivery_attempt (delivery_id, at, outcome, ms, description) VALUES (?, ?, 'status', 1, '')`,
    ).run(delivery, at);
    db.prepare('INSERT INTO delivery_hour VALUES (?, 1, ?, 1, 0)').run(Math.floor(at / HOUR_MS), String(i));
    db.prepare(
      `INSERT INTO delivery_failure (subscription_id, documento, failed_at, descricao, evento, conteudo)
       VALUES (1, '00000000191', ?, '', ?, '{}')`,
    ).run(at, EVENTO);
  }
}

const NOTHING = { event: 0, delivery: 0, delivery_attempt: 0, delivery_failure: 0, delivery_hour: 0 };

const counts = (db: Db): Record<string, number> =>
  Object.fromEntries(
    ['event', 'delivery', 'delivery_attempt', 'delivery_failure', 'delivery_hour'].map((table) => [
      table,
      Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()),
    ]),
  );

test('nothing is removed at an age of 30 days of 24 hours, and everything a millisecond later', async () => {
  const { core, clock } = opened();
  insert(core.db, { state: 'delivered', at: clock.now() - MONTH_MS });
  const run = () => core.notification.retention.runOnce();
  expect(await run()).toEqual({ failures: 0, deliveries: 0, events: 0, hours: 0 });
  clock.moveTo(clock.now() + 1);
  expect(await run()).toEqual({ failures: 1, deliveries: 1, events: 1, hours: 0 });
  expect(counts(core.db)).toEqual({ ...NOTHING, delivery_hour: 1 });
  // An hour is kept until all of it is old enough.
  clock.moveTo(clock.now() + HOUR_MS - 2);
  expect((await run()).hours).toBe(0);
  clock.moveTo(clock.now() + 1);
  expect((await run()).hours).toBe(1);
  expect(counts(core.db)).toEqual(NOTHING);
});

test('a pending delivery stays, however old, with its event and its attempts', async () => {
  const { core, clock } = opened();
  insert(core.db, { state: 'pending', at: clock.now() - 10 * MONTH_MS });
  const removed = await core.notification.retention.runOnce();
  expect(removed).toEqual({ failures: 1, deliveries: 0, events: 0, hours: 1 });
  expect(counts(core.db)).toEqual({ ...NOTHING, event: 1, delivery: 1, delivery_attempt: 1 });
});

test('many records are removed in slices, and completely', async () => {
  const { core, clock } = opened();
  const times = 2 * DELETED_AT_ONCE + 1;
  await core.writer.write(() =>
    insert(core.db, { state: 'delivered', at: clock.now() - 2 * MONTH_MS, times }),
  );
  expect(await core.notification.retention.runOnce()).toEqual({
    failures: times,
    deliveries: times,
    events: times,
    hours: times,
  });
  expect(counts(core.db)).toEqual(NOTHING);
});
