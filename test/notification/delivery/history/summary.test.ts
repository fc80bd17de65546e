/** GET /appliance/api/deliveries/summary: the outcomes of the deliveries of some days. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '../../../../src/clock.ts';
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

/** Inserts attempts for a subscription, this number of hours ago. */
function insertAttempts(
  subscriptionId: number,
  hoursAgo: number,
  delivered: number,
  failed: number,
  company = '',
): void {
  server.app.core.db
    .prepare('INSERT INTO delivery_hour VALUES (?, ?, ?, ?, ?)')
    .run(Math.floor(START / HOUR_MS) - hoursAgo, subscriptionId, company, delivered, failed);
}

const NINE = '2026-01-15T09:00:00.000-03:00';

test('attempts are counted in the hour in which they began: what fails and is repeated is not "nothing failed"', async () => {
  await server.close();
  server = await openApp({
    settings: { 'entrega.mapa': 'erp.empresa.com.br:443 = 127.0.0.1:9', 'entrega.repeticoes': '1m,1h' },
  });
  demo = await server.as('demo');
  await demo.call('POST', '/portal/api/ext/webhook', { evento: 'catp-prod-alterado', endpoint: ENDPOINT });
  await demo.call('POST', '/catp/api/ext/produto/12345678', {
    denominacao: 'Parafuso',
    modalidade: 'AMBOS',
    ncm: '73181500',
  });
  const admin = await server.as('admin');
  for (const advance of ['PT1M', 'PT1H']) await admin.call('POST', '/appliance/api/clock', { advance });
  demo = await server.as('demo');
  expect((await demo.call('GET', '/appliance/api/deliveries')).json[0].attempts).toHaveLength(3);
  const { days, hours, pending } = await summary(demo, '?days=1');
  expect([days, pending]).toEqual([[{ day: '2026-01-15', delivered: 0, failed: 3 }], 0]);
  expect([hours.length, hours.at(-2), hours.at(-1)]).toEqual([
    24,
    { at: NINE, delivered: 0, failed: 2 },
    { at: NINE.replace('T09', 'T10'), delivered: 0, failed: 1 },
  ]);
  expect((await summary(demo, '?days=1&cpfCnpjRaiz=12345678')).days[0].failed).toBe(3);
  expect((await summary(demo, '?days=1&cpfCnpjRaiz=87654321')).days[0].failed).toBe(0);
});

test('a user sees its own, an administrator all', async () => {
  insertAttempts(1, 0, 3, 0);
  insertAttempts(1, 9, 0, 1); // still the same day
  insertAttempts(1, 10, 0, 1);
  insertAttempts(2, 0, 1, 0);
  insertAttempts(2, 24 * 29 + 9, 1, 0);
  insertAttempts(2, 24 * 29 + 10, 1, 0);
  const { db } = server.app.core;
  db.exec(`INSERT INTO event (evento, destinatario_tipo, destinatario_id, conteudo, published_at)
    VALUES ('x', 'CNPJ', '12345678', '{}', ${START})`);
  for (let one = 0; one < 2; one += 1)
    db.exec("INSERT INTO delivery (event_id, subscription_id, state) VALUES (1, 2, 'pending')");
  db.exec(`UPDATE subscription SET failing_since = ${START - DAY_MS} WHERE id = 2`);
  expect((await server.anybody.call('GET', PATH)).status).toBe(401);

  const own = await summary(demo, '?days=2');
  expect([own.days, own.pending, own.failing]).toEqual([
    [
      { day: '2026-01-14', delivered: 0, failed: 1 },
      { day: '2026-01-15', delivered: 3, failed: 1 },
    ],
    ...[0, []],
  ]);
  expect(own.hours.at(-1)).toEqual({ at: NINE, delivered: 3, failed: 0 });
  const otherSummary = await summary(demo2);
  expect([
    otherSummary.days.length,
    otherSummary.days[0],
    otherSummary.days[29],
    otherSummary.pending,
  ]).toEqual([
    ...[30, { day: '2025-12-17', delivered: 1, failed: 0 }],
    ...[{ day: '2026-01-15', delivered: 1, failed: 0 }, 2],
  ]);
  expect(otherSummary.failing).toEqual([
    {
      subscriptionId: 2,
      evento: 'catp-prod-alterado',
      endpoint: ENDPOINT,
      since: '2026-01-14T09:00:00.000-03:00',
      deletesOn: '2026-02-13',
      daysLeft: 29,
    },
  ]);
  const all = await summary(await server.as('admin'), '?days=1');
  expect([all.days, all.pending, all.failing]).toEqual([
    [{ day: '2026-01-15', delivered: 4, failed: 1 }],
    ...[2, otherSummary.failing],
  ]);
});

test('the summary of one company shows nothing of another; deliveries without a company are shown for each', async () => {
  insertAttempts(1, 0, 1, 0, '12345678');
  insertAttempts(1, 1, 0, 2, '87654321');
  insertAttempts(1, 2, 4, 0);
  const day = async (query: string) => (await summary(demo, `?days=1${query}`)).days[0];
  expect(await day('')).toMatchObject({ delivered: 5, failed: 2 });
  expect(await day('&cpfCnpjRaiz=12345678')).toMatchObject({ delivered: 5, failed: 0 });
  expect(await day('&cpfCnpjRaiz=87654321')).toMatchObject({ delivered: 4, failed: 2 });
  expect((await demo.call('GET', `${PATH}?cpfCnpjRaiz=1`)).status).toBe(400);
});

test('it shows at least one day, and at most those that are kept', async () => {
  for (const days of [0, 31]) expect((await demo.call('GET', `${PATH}?days=${days}`)).status).toBe(400);
  for (const days of [1, 30]) expect((await summary(demo, `?days=${days}`)).days).toHaveLength(days);
});

test('no query of it scans a table', () => {
  const choices = [null, '1'].flatMap((documento) =>
    [null, '2'].map((cpfCnpjRaiz) => ({ documento, cpfCnpjRaiz })),
  );
  for (const choice of choices)
    for (const sql of Object.values(DELIVERY_SUMMARY(choice))) {
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

test('a failing subscription is deleted 30 days after its first failure, and no shown day is past', async () => {
  const deletionAfter = async (daysAgo: number) => {
    server.app.core.db.exec(
      `UPDATE subscription SET failing_since = ${START - daysAgo * DAY_MS} WHERE id = 1`,
    );
    const [{ deletesOn, daysLeft }] = (await summary(demo)).failing;
    return [deletesOn, daysLeft];
  };
  expect(await deletionAfter(0)).toEqual(['2026-02-14', 30]);
  expect(await deletionAfter(29)).toEqual(['2026-01-16', 1]);
  expect(await deletionAfter(30)).toEqual(['2026-01-15', 0]);
  expect(await deletionAfter(45)).toEqual(['2026-01-15', 0]);
});
