/** GET /ext/webhook/falhas (contract section 9). */
import { describe, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../src/clock.ts';
import { QUERY } from '../../../src/notification/failure/store.ts';
import { START } from '../../support/app.ts';
import {
  DOCUMENTO,
  EVENTO,
  type Opened,
  PATH,
  refusalOf,
  serverForAllTests,
  serverForEachTest,
  subscribed,
} from '../support.ts';

const FAILURES = `${PATH}/falhas`;

describe('access', () => {
  const open = serverForAllTests();

  test('a user without a session reads no failures', async () => {
    expect((await open().server.anybody.call('GET', FAILURES)).status).toBe(401);
  });
});

describe('malformed:', () => {
  const open = serverForAllTests();
  const WRONG = [
    '31022026',
    '00012026',
    '01132026',
    '29022025',
    '1012026',
    '2026-01-15',
    '15/01/26',
    '01010000',
    'hoje',
    '1501202６',
  ];

  test.each(WRONG)('the day %s in the query', async (data) => {
    expect(refusalOf(await open().demo.call('GET', `${FAILURES}?data=${data}`))).toEqual([400, ['data']]);
  });

  test.each(WRONG)('the day %s in the body', async (data) => {
    expect(refusalOf(await open().demo.call('GET', FAILURES, { data }))).toEqual([400, ['/data']]);
  });

  test('a repeated day, a body that is no JSON, an unknown member', async () => {
    const { demo } = open();
    expect((await demo.call('GET', `${FAILURES}?data=15012026&data=15012026`)).status).toBe(400);
    expect((await demo.call('GET', FAILURES, '{', { 'content-type': 'application/json' })).status).toBe(400);
    expect(refusalOf(await demo.call('GET', FAILURES, { dia: '15012026' }))).toEqual([400, ['/dia']]);
  });
});

describe('the list', () => {
  const open = serverForEachTest();

  test('of a day without failures is 200 and empty', async () => {
    const reply = await open().demo.call('GET', FAILURES);
    expect([reply.status, reply.json]).toEqual([200, []]);
  });

  test('shows each failure in the form of the specification', async () => {
    await fail(open(), START);
    expect((await open().demo.call('GET', FAILURES)).json).toEqual([
      { id: 1, data: '15-01-2026 09:00:00', descricao: 'Falha 1', evento: EVENTO, conteudo: '{"a": "ç"}' },
    ]);
  });

  test('covers the Brasília day from its first to its last millisecond, oldest first', async () => {
    const midnight = Date.parse('2026-01-15T03:00:00Z');
    await fail(open(), midnight + DAY_MS, midnight + DAY_MS - 1, midnight, midnight - 1);
    expect(await idsOf(open(), '?data=14012026')).toEqual([4]);
    expect(await idsOf(open(), '?data=15012026')).toEqual([3, 2]);
    expect(await idsOf(open(), '?data=16012026')).toEqual([1]);
  });

  test('is of today by default, by the clock', async () => {
    await fail(open(), START, START + DAY_MS);
    expect(await idsOf(open(), '')).toEqual([1]);
    expect(await idsOf(open(), '?data=')).toEqual([1]);
    const { server } = open();
    server.clock.moveTo(START + DAY_MS);
    expect(await idsOf({ server, demo: await server.as('demo') }, '')).toEqual([2]);
  });

  test('uses the day in the body if the query has none, and the one in the query if both have one', async () => {
    const { demo } = open();
    await fail(open(), START - DAY_MS, START);
    const inBody = await demo.call('GET', FAILURES, { data: '14012026' });
    expect(inBody.json).toMatchObject([{ id: 1 }]);
    for (const data of ['14012026', '31022026', 5])
      expect((await demo.call('GET', `${FAILURES}?data=15012026`, { data })).json).toMatchObject([{ id: 2 }]);
    expect((await demo.call('GET', FAILURES, { data: null })).json).toMatchObject([{ id: 2 }]);
  });

  test('of any length is complete and in order, with many of one instant too', async () => {
    const one = Array.from({ length: 401 }, () => START);
    const other = Array.from({ length: 250 }, () => START - 1);
    await fail(open(), ...one, ...other);
    const ids = await idsOf(open(), '');
    const oldest = Array.from({ length: 250 }, (_, index) => 402 + index);
    const newest = Array.from({ length: 401 }, (_, index) => 1 + index);
    expect(ids).toEqual([...oldest, ...newest]);
  });

  test('is found by its index, wherever a page begins', () => {
    const { db } = open().server.app.core;
    const plan = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${QUERY}`);
    expect(plan.all('1', 0, 1, 0, 0, 10).map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^SEARCH delivery_failure USING INDEX delivery_failure_of_user \(documento=\?/),
      'CORRELATED SCALAR SUBQUERY 1',
      expect.stringMatching(/^SEARCH r USING COVERING INDEX representation/),
      'CORRELATED SCALAR SUBQUERY 2',
      expect.stringMatching(/^SEARCH g USING COVERING INDEX group_right_by_company/),
    ]);
  });

  test('has only the user’s own failures, and those of its deleted subscriptions too', async () => {
    const { server, demo } = open();
    await fail(open(), START);
    await demo.call('DELETE', `${PATH}/1`);
    expect(await idsOf(open(), '')).toEqual([1]);
    for (const key of ['demo2', 'admin'] as const)
      expect((await (await server.as(key)).call('GET', FAILURES)).json).toEqual([]);
  });

  test('has a failure until 30 × 24 h after it, whether or not it has been deleted by then', async () => {
    await fail(open(), START);
    const query = '?data=15012026';
    for (const [after, ids] of [
      [30 * DAY_MS - SECOND_MS, [1]],
      [30 * DAY_MS, [1]],
      [30 * DAY_MS + 1, []],
      [31 * DAY_MS + HOUR_MS, []],
    ] as const) {
      open().server.clock.moveTo(START + after);
      // The session has expired in between.
      expect([
        after,
        (await (await open().server.as('demo')).call('GET', FAILURES + query)).json.length,
      ]).toEqual([after, ids.length]);
    }
  });
});

/** Writes failures of a subscription of `demo` at these instants, as a delivery does. */
async function fail({ server, demo }: Opened, ...instants: readonly number[]): Promise<void> {
  const id = await subscribed(demo);
  const insert = server.app.core.db.prepare(
    `INSERT INTO delivery_failure (subscription_id, documento, failed_at, descricao, evento, conteudo)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  for (const [index, failedAt] of instants.entries())
    insert.run(id, DOCUMENTO.demo, failedAt, `Falha ${index + 1}`, EVENTO, '{"a": "ç"}');
}

const idsOf = async ({ demo }: Opened, query: string): Promise<number[]> =>
  (await demo.call('GET', FAILURES + query)).json.map(({ id }: { id: number }) => id);
