/** GET /appliance/api/deliveries/summary: how the deliveries of some days ended. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { DAY_MS } from '../../../../src/clock.ts';
import { DELIVERY_SUMMARY } from '../../../../src/notification/delivery/history/summary-store.ts';
import { type Client, START, type TestApp, openApp } from '../../../support/app.ts';

const PATH = '/appliance/api/deliveries/summary';
const ENDPOINT = 'https://erp.empresa.com.br/avisos';

let server: TestApp;
let demo: Client;
let demo2: Client;
beforeEach(async () => {
  server = await openApp();
  [demo, demo2] = [await server.as('demo'), await server.as('demo2')];
  for (const client of [demo, demo2])
    await client.call('POST', '/portal/api/ext/webhook', {
      evento: 'catp-prod-alterado',
      endpoint: ENDPOINT,
    });
});
afterEach(() => server.close());

async function summary(client: Client, query = '') {
  const reply = await client.call('GET', `${PATH}${query}`);
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  return reply.json;
}

/** Deliveries of a subscription that ended so on a day so many days ago; `null`: still to be tried. */
function put(subscriptionId: number, state: string, daysAgo: number | null, count = 1): void {
  const { db } = server.app.core;
  db.exec(`INSERT OR IGNORE INTO event (id, evento, destinatario_tipo, destinatario_id, conteudo, published_at)
    VALUES (1, 'x', 'CNPJ', '12345678', '{}', ${START})`);
  for (let one = 0; one < count; one += 1)
    db.prepare(
      'INSERT INTO delivery (event_id, subscription_id, state, finished_at) VALUES (1, ?, ?, ?)',
    ).run(subscriptionId, state, daysAgo === null ? null : START - daysAgo * DAY_MS);
}

test('a user sees its own, an administrator all', async () => {
  put(1, 'delivered', 0, 3);
  put(1, 'failed', 1);
  put(1, 'cancelled', 1);
  put(2, 'delivered', 0);
  put(2, 'delivered', 29);
  put(2, 'delivered', 30);
  put(2, 'pending', null, 2);
  server.app.core.db.exec(`UPDATE subscription SET failing_since = ${START - DAY_MS} WHERE id = 2`);
  expect((await server.anybody.call('GET', PATH)).status).toBe(401);

  const own = await summary(demo, '?days=2');
  expect(own).toEqual({
    days: [
      { day: '2026-01-14', delivered: 0, failed: 1 },
      { day: '2026-01-15', delivered: 3, failed: 0 },
    ],
    ...{ pending: 0, failing: [] },
  });
  const other = await summary(demo2);
  expect([other.days.length, other.days[0], other.days[29], other.pending]).toEqual([
    ...[30, { day: '2025-12-17', delivered: 1, failed: 0 }],
    ...[{ day: '2026-01-15', delivered: 1, failed: 0 }, 2],
  ]);
  expect(other.failing).toEqual([
    {
      ...{ subscriptionId: 2, evento: 'catp-prod-alterado', endpoint: ENDPOINT },
      since: '2026-01-14T09:00:00.000-03:00',
      ...{ deletesOn: '2026-02-13', daysLeft: 29 },
    },
  ]);
  const all = await summary(await server.as('admin'), '?days=1');
  expect(all).toEqual({
    days: [{ day: '2026-01-15', delivered: 4, failed: 0 }],
    ...{ pending: 2, failing: other.failing },
  });
});

test('it tells one day at least, and no more than are kept', async () => {
  for (const days of [0, 31]) expect((await demo.call('GET', `${PATH}?days=${days}`)).status).toBe(400);
  for (const days of [1, 30]) expect((await summary(demo, `?days=${days}`)).days).toHaveLength(days);
});

test('nothing of it reads a table from one end to the other', () => {
  for (const isOwn of [false, true])
    for (const sql of Object.values(DELIVERY_SUMMARY(isOwn))) {
      const values = Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, 1]));
      const plan = server.app.core.db
        .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...(Object.keys(values).length === 0 ? [] : [values]));
      const scans = plan.filter(({ detail }) =>
        /^SCAN (?!subscription USING INDEX subscription_failing)/.test(detail),
      );
      expect([sql, scans]).toEqual([sql, []]);
    }
});

test('a failing subscription is deleted 30 days after its first failure, and never in less than no day', async () => {
  const left = async (daysAgo: number) => {
    server.app.core.db.exec(
      `UPDATE subscription SET failing_since = ${START - daysAgo * DAY_MS} WHERE id = 1`,
    );
    const [{ deletesOn, daysLeft }] = (await summary(demo)).failing;
    return [deletesOn, daysLeft];
  };
  expect(await left(0)).toEqual(['2026-02-14', 30]);
  expect(await left(29)).toEqual(['2026-01-16', 1]);
  expect(await left(30)).toEqual(['2026-01-15', 0]);
  expect(await left(45)).toEqual(['2025-12-31', 0]);
});
