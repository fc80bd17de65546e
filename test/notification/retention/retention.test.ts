/** How long deliveries and failures are remembered (contract section 10). */
import { expect, test } from 'bun:test';
import { DAY_MS } from '../../../src/clock.ts';
import type { Db } from '../../../src/db/open.ts';
import { RETENTION_SLICE } from '../../../src/notification/retention/service.ts';
import { coreForEachTest, EVENTO } from '../support.ts';

const opened = coreForEachTest();
const MONTH_MS = 30 * DAY_MS;

interface Rows {
  readonly state: 'pending' | 'delivered';
  /** When it was published, finished, and failed. */
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
    db.prepare(
      `INSERT INTO delivery_failure (subscription_id, documento, failed_at, descricao, evento, conteudo)
       VALUES (1, '00000000191', ?, '', ?, '{}')`,
    ).run(at, EVENTO);
  }
}

const counts = (db: Db): Record<string, number> =>
  Object.fromEntries(
    ['event', 'delivery', 'delivery_attempt', 'delivery_failure'].map((table) => [
      table,
      Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()),
    ]),
  );

test('nothing of 30 days of 24 hours is removed, all of a millisecond more is', async () => {
  const { core, clock } = opened();
  insert(core.db, { state: 'delivered', at: clock.now() - MONTH_MS });
  expect(await core.notification.retention.runOnce()).toEqual({ failures: 0, deliveries: 0, events: 0 });
  clock.moveTo(clock.now() + 1);
  expect(await core.notification.retention.runOnce()).toEqual({ failures: 1, deliveries: 1, events: 1 });
  expect(counts(core.db)).toEqual({ event: 0, delivery: 0, delivery_attempt: 0, delivery_failure: 0 });
});

test('a pending delivery stays, however old, with its event and its attempts', async () => {
  const { core, clock } = opened();
  insert(core.db, { state: 'pending', at: clock.now() - 10 * MONTH_MS });
  expect(await core.notification.retention.runOnce()).toEqual({ failures: 1, deliveries: 0, events: 0 });
  expect(counts(core.db)).toEqual({ event: 1, delivery: 1, delivery_attempt: 1, delivery_failure: 0 });
});

test('much is removed in slices, and all of it', async () => {
  const { core, clock } = opened();
  const times = 2 * RETENTION_SLICE + 1;
  await core.writer.write(() =>
    insert(core.db, { state: 'delivered', at: clock.now() - 2 * MONTH_MS, times }),
  );
  expect(await core.notification.retention.runOnce()).toEqual({
    failures: times,
    deliveries: times,
    events: times,
  });
  expect(counts(core.db)).toEqual({ event: 0, delivery: 0, delivery_attempt: 0, delivery_failure: 0 });
});
