/** /appliance/api/deliveries and …/{id}/replay (contract sections 10 and 13). */
import { describe, expect, test } from 'bun:test';
import type { Core } from '../../../../src/assembly/core.ts';
import { listQuery } from '../../../../src/notification/delivery/history/store.ts';
import {
  DOCUMENTO,
  ENDPOINT,
  EVENTO,
  coreForEachTest,
  deliveriesOf,
  event,
  refusalOf,
  serverForAllTests,
  serverForEachTest,
  subscribed,
  subscribedTo,
} from '../../support.ts';

const PATH = '/appliance/api/deliveries';

describe('access', () => {
  const open = serverForAllTests();

  test('nobody sees or replays deliveries without a session; only the administrator sees all failures', async () => {
    const { server, demo } = open();
    expect((await server.anybody.call('GET', PATH)).status).toBe(401);
    expect((await server.anybody.call('POST', `${PATH}/1/replay`)).status).toBe(401);
    const body = { since: '2026-01-15T12:00:00Z' };
    expect((await demo.call('POST', `${PATH}/replay`, body)).status).toBe(403);
  });

  test.each([
    ['subscriptionId', '0'],
    ['subscriptionId', 'x'],
    ['evento', 'a b'],
    ['evento', 'a'.repeat(41)],
    ['state', 'PENDING'],
    ['state', 'lost'],
    ['limit', '0'],
    ['limit', '1001'],
  ])('%s=%s is malformed', async (name, value) => {
    const admin = await open().server.as('admin');
    expect(refusalOf(await admin.call('GET', `${PATH}?${name}=${value}`))).toEqual([400, [name]]);
  });

  test('a delivery that does not exist is not replayed', async () => {
    const admin = await open().server.as('admin');
    const reply = await admin.call('POST', `${PATH}/1/replay`);
    expect([reply.status, reply.json.code]).toEqual([404, 'APPL-ER0404']);
    expect(refusalOf(await admin.call('POST', `${PATH}/x/replay`))).toEqual([400, ['id']]);
    expect((await admin.call('GET', `${PATH}?limit=1000`)).json).toEqual([]);
  });
});

describe('visibility', () => {
  const open = serverForEachTest();

  test('a company’s deliveries are not shown for another one; those of a person or a body are shown for each', async () => {
    const { server, demo } = open();
    const admin = await server.as('admin');
    await demo.call('POST', '/portal/api/ext/webhook', { evento: 'x', endpoint: ENDPOINT });
    for (const [destinatarioTipo, destinatarioId] of [
      ['CNPJ', '12345678000195'],
      ['CNPJ', '87654321'],
      ['CPF', DOCUMENTO.demo],
    ])
      await admin.call('POST', '/appliance/api/events', {
        evento: 'x',
        destinatarioTipo,
        destinatarioId,
        conteudo: {},
      });
    const idsOf = async (query: string): Promise<unknown> =>
      (await demo.call('GET', `${PATH}${query}`)).json.map(({ id }: { id: number }) => id);
    expect(await idsOf('')).toEqual([3, 2, 1]);
    expect(await idsOf('?cpfCnpjRaiz=12345678')).toEqual([3, 1]);
    expect(await idsOf('?cpfCnpjRaiz=87654321')).toEqual([3, 2]);
    const { text } = await demo.call('GET', `${PATH}.csv?cpfCnpjRaiz=87654321&columns=id`);
    expect(text.trim().split(/\r?\n/)).toEqual([expect.stringContaining('Entrega'), '3', '2']);
    expect(refusalOf(await demo.call('GET', `${PATH}?cpfCnpjRaiz=1`))).toEqual([400, ['cpfCnpjRaiz']]);
  });

  test('a user sees and replays those of its own subscriptions, and none of another user’s', async () => {
    const { server, demo } = open();
    const [stranger, admin] = [await server.as('estranho'), await server.as('admin')];
    const own = await subscribed(demo);
    const foreignId = await subscribed(stranger);
    for (const destinatarioId of ['12345678', '11222333'])
      await admin.call('POST', '/appliance/api/events', {
        evento: EVENTO,
        destinatarioTipo: 'CNPJ',
        destinatarioId,
        conteudo: {},
      });
    const seenBy = async (client: typeof demo, query = ''): Promise<number[]> =>
      (await client.call('GET', PATH + query)).json.map(
        ({ subscriptionId }: { subscriptionId: number }) => subscriptionId,
      );
    expect(await seenBy(admin)).toEqual([foreignId, own]);
    expect(await seenBy(demo)).toEqual([own]);
    expect(await seenBy(demo, `?evento=${EVENTO}`)).toEqual([own]);
    expect(await seenBy(demo, `?subscriptionId=${foreignId}`)).toEqual([]);
    expect(await seenBy(stranger)).toEqual([foreignId]);
    expect((await demo.call('POST', `${PATH}/1/replay`)).status).toBe(200);
    expect((await stranger.call('POST', `${PATH}/1/replay`)).status).toBe(404);
  });
});

describe('one delivery', () => {
  const open = serverForEachTest();

  test('is shown with its request to its owner, digits as published, secrets never', async () => {
    const { server, demo } = open();
    const [stranger, admin] = [await server.as('estranho'), await server.as('admin')];
    await subscribed(demo, { chaveSecreta: 'muito-secreta', chaveAutenticacao: 'Bearer xyz' });
    const recipient = { evento: EVENTO, destinatarioTipo: 'CPF', destinatarioId: '00000000191' };
    await admin.call('POST', '/appliance/api/events', { ...recipient, conteudo: { a: 1 } });
    const reply = await demo.call('GET', `${PATH}/1`);
    const [listed] = (await demo.call('GET', PATH)).json;
    expect(reply.json).toMatchObject({ ...listed, request: { body: '{"a":1}' } });
    expect(reply.json.publishedAt).toMatch(/^\d{4}-\d{2}-\d{2}T/);
    expect(reply.json.request.headers).toMatchObject({
      'event-type': EVENTO,
      'destinatario-tipo': 'CPF',
      'destinatario-id': '00000000191',
      secret: '•••',
      authorization: '•••',
    });
    expect(JSON.stringify(reply.json)).not.toMatch(/muito-secreta|xyz/);
    expect((await admin.call('GET', `${PATH}/1`)).json).toEqual(reply.json);
    const refused = await stranger.call('GET', `${PATH}/1`);
    expect([refused.status, refused.json.code]).toEqual([404, 'APPL-ER0404']);
    expect((await demo.call('GET', `${PATH}/2`)).status).toBe(404);
    expect(refusalOf(await demo.call('GET', `${PATH}/x`))).toEqual([400, ['id']]);
    expect((await server.anybody.call('GET', `${PATH}/1`)).status).toBe(401);
  });

  test('has no header for a missing secret', async () => {
    const { server, demo } = open();
    await subscribed(demo);
    const recipient = { evento: EVENTO, destinatarioTipo: 'CNPJ', destinatarioId: '12345678000195' };
    const admin = await server.as('admin');
    await admin.call('POST', '/appliance/api/events', { ...recipient, conteudo: [] });
    const { headers } = (await demo.call('GET', `${PATH}/1`)).json.request;
    expect(headers).toMatchObject({ 'destinatario-id': '12345678000195' });
    expect(Object.keys(headers)).not.toContain('secret');
    expect(Object.keys(headers)).not.toContain('authorization');
  });
});

describe('the list', () => {
  const open = coreForEachTest();

  test('shows a delivery with its attempts, oldest first', async () => {
    const { core, clock } = open();
    const subscriptionId = await subscribedTo(core, DOCUMENTO.demo);
    const { id: eventId } = await core.notification.events.publishAlone(event());
    const insert = core.db.prepare(
      'INSERT INTO delivery_attempt (delivery_id, at, outcome, status, ms, description) VALUES (1, ?, ?, ?, ?, ?)',
    );
    insert.run(clock.now(), 'timeout', null, 3500, 'O prazo esgotou-se.');
    insert.run(clock.now() + 60_000, 'status', 503, 12, 'O destinatário respondeu com o status 503.');
    expect([...core.notification.delivery.history.list({ limit: 1 })]).toEqual([
      {
        id: 1,
        eventId,
        subscriptionId,
        evento: EVENTO,
        endpoint: ENDPOINT,
        state: 'pending',
        attempts: [
          {
            at: '2026-01-15T09:00:00.000-03:00',
            outcome: 'timeout',
            phase: 'answer',
            status: null,
            ms: 3500,
            description: 'O prazo esgotou-se.',
          },
          {
            at: '2026-01-15T09:01:00.000-03:00',
            outcome: 'status',
            phase: 'answer',
            status: 503,
            ms: 12,
            description: 'O destinatário respondeu com o status 503.',
          },
        ],
        nextAttemptAt: '2026-01-15T09:00:00.000-03:00',
      },
    ]);
  });

  test('continues after the first page that is read at a time', async () => {
    const { core } = open();
    await subscribedTo(core, DOCUMENTO.demo);
    for (let count = 0; count < 205; count += 1) await core.notification.events.publishAlone(event());
    const newestFirst = Array.from({ length: 205 }, (_, index) => 205 - index);
    for (const filter of [{}, { evento: EVENTO }, { subscriptionId: 1 }, { documento: DOCUMENTO.demo }])
      for (const limit of [99, 100, 101, 200, 201, 205, 1000])
        expect(
          [...core.notification.delivery.history.list({ ...filter, limit })].map(({ id }) => id),
        ).toEqual(newestFirst.slice(0, limit));
  });

  test('is newest first, by subscription, event, state and limit, joined by AND', async () => {
    const { core } = open();
    await deliver(core);
    setState(core, 2, 'failed');
    setState(core, 5, 'failed');
    const ids = (filter: object) =>
      [...core.notification.delivery.history.list({ limit: 100, ...filter })].map(({ id }) => id);
    expect(ids({})).toEqual([6, 5, 4, 3, 2, 1]);
    expect(ids({ limit: 2 })).toEqual([6, 5]);
    expect(ids({ subscriptionId: 1 })).toEqual([5, 3, 1]);
    expect(ids({ evento: 'outro' })).toEqual([4, 3]);
    expect(ids({ state: 'failed' })).toEqual([5, 2]);
    expect(ids({ state: 'failed', evento: EVENTO, subscriptionId: 1 })).toEqual([5]);
    expect(ids({ state: 'pending', evento: EVENTO })).toEqual([6, 1]);
    expect(ids({ state: 'delivered' })).toEqual([]);
    expect(ids({ evento: 'nenhum' })).toEqual([]);
    expect(ids({ subscriptionId: 9 })).toEqual([]);
  });

  test('no filter scans a table or sorts', () => {
    const { core } = open();
    const filters = [
      { subscriptionId: 1 },
      { evento: 'a' },
      { state: 'failed' },
      { subscriptionId: 1, evento: 'a' },
      { subscriptionId: 1, state: 'failed' },
      { evento: 'a', state: 'failed' },
      { subscriptionId: 1, documento: 'a' },
    ] as const;
    for (const filter of filters) {
      const plan = core.db
        .prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${listQuery(filter)}`)
        .all({ subscriptionId: null, evento: null, state: null, limit: 1, ...filter })
        .map(({ detail }) => detail);
      expect([filter, plan.filter((detail) => /^SCAN|TEMP B-TREE/.test(detail))]).toEqual([filter, []]);
    }
  });
});

describe('a replay', () => {
  const open = coreForEachTest();

  test('of a cancelled delivery is refused', async () => {
    const { core, wakes } = open();
    await deliver(core);
    setState(core, 1, 'cancelled');
    const before = wakes();
    await expect(core.notification.delivery.history.replay(1)).rejects.toMatchObject({
      kind: 'unprocessable',
      problems: [{ code: 'CATP-ER1302' }],
    });
    expect([deliveriesOf(core)[0]?.state, wakes()]).toEqual(['cancelled', before]);
  });

  test('of a deleted subscription is refused: it receives nothing any more', async () => {
    const { core } = open();
    await deliver(core);
    setState(core, 1, 'delivered');
    await core.notification.subscriptions.unsubscribe(DOCUMENTO.demo, 1);
    await expect(core.notification.delivery.history.replay(1)).rejects.toMatchObject({
      problems: [{ code: 'CATP-ER1303' }],
    });
    expect(deliveriesOf(core)[0]?.state).toBe('delivered');
  });

  test.each(['delivered', 'failed'])(
    'makes a delivery that is %s due at once, and wakes the worker',
    async (state) => {
      const { core, clock, wakes } = open();
      await deliver(core);
      setState(core, 1, state);
      const before = wakes();
      clock.moveTo(clock.now() + 5000);
      expect(await core.notification.delivery.history.replay(1)).toMatchObject({
        id: 1,
        state: 'pending',
        nextAttemptAt: '2026-01-15T09:00:05.000-03:00',
      });
      expect(deliveriesOf(core)[0]).toMatchObject({
        state: 'pending',
        next_attempt_at: clock.now(),
        replay: 1,
        resume_at: null,
      });
      expect(wakes()).toBe(before + 1);
    },
  );

  test('of a delivery that waits for a repeat keeps the repeat planned, however often it is requested', async () => {
    const { core, clock } = open();
    await deliver(core);
    core.db.prepare('UPDATE delivery SET attempt_count = 1, next_attempt_at = 99 WHERE id = 1').run();
    await core.notification.delivery.history.replay(1);
    await core.notification.delivery.history.replay(1);
    expect(deliveriesOf(core)[0]).toMatchObject({ next_attempt_at: clock.now(), replay: 1, resume_at: 99 });
  });
});

/** Creates two subscriptions and three events: deliveries 1 to 6, odd ones of the first subscription. */
async function deliver(core: Core): Promise<void> {
  for (const documento of [DOCUMENTO.demo, DOCUMENTO.demo2]) await subscribedTo(core, documento);
  await core.notification.events.publishAlone(event());
  core.db.prepare("UPDATE subscription SET evento = 'outro'").run();
  await core.notification.events.publishAlone(event({ evento: 'outro' }));
  core.db.prepare('UPDATE subscription SET evento = ?').run(EVENTO);
  await core.notification.events.publishAlone(event());
}

function setState(core: Core, id: number, state: string): void {
  core.db
    .prepare('UPDATE delivery SET state = ?, next_attempt_at = NULL, finished_at = 1 WHERE id = ?')
    .run(state, id);
}
