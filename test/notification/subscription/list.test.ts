/** GET /ext/webhook and DELETE /ext/webhook/{id}; the end of a subscription with its user (contract section 9). */
import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../../src/clock.ts';
import {
  DOCUMENTO,
  ENDPOINT,
  EVENTO,
  PATH,
  REQUEST,
  coreForEachTest,
  deliveriesOf,
  event,
  refusalOf,
  serverForEachTest,
  subscribed,
  subscribedTo,
} from '../support.ts';

const ACTIVE = {
  id: 1,
  evento: EVENTO,
  endpoint: ENDPOINT,
  chaveSecreta: 'um segredo',
  chaveAutenticacao: null,
  dataRegistro: '15-01-2026 09:00:00',
  dataExclusao: null,
  motivoExclusao: null,
  dataUltimoSucesso: null,
};

describe('the list', () => {
  const open = serverForEachTest();

  test('is refused without a session', async () => {
    expect((await open().server.anybody.call('GET', PATH)).status).toBe(401);
  });

  test.each(['sim', '2', 'verdadeiro'])('refuses exibirInativos=%s', async (value) => {
    expect(refusalOf(await open().demo.call('GET', `${PATH}?exibirInativos=${value}`))).toEqual([
      400,
      ['exibirInativos'],
    ]);
  });

  test('refuses exibirInativos twice, and ignores unknown parameters', async () => {
    const { demo } = open();
    expect((await demo.call('GET', `${PATH}?exibirInativos=true&exibirInativos=true`)).status).toBe(400);
    expect((await demo.call('GET', `${PATH}?outro=1`)).status).toBe(200);
  });

  test('of no subscription is 200 and empty', async () => {
    const reply = await open().demo.call('GET', PATH);
    expect([reply.status, reply.json]).toEqual([200, []]);
  });

  test('has every member, with dates in Brasília', async () => {
    const { server, demo } = open();
    await subscribed(demo, { chaveSecreta: 'um segredo' });
    const reply = await demo.call('GET', PATH);
    expect(reply.json).toEqual([ACTIVE]);
    expect(Object.keys(reply.json[0])).toEqual(Object.keys(ACTIVE));
    expect(reply.headers.get('cache-control')).toBe('no-store');
    server.app.core.db
      .prepare('UPDATE subscription SET last_success_at = ?')
      .run(server.clock.now() + DAY_MS);
    expect((await demo.call('GET', PATH)).json[0].dataUltimoSucesso).toBe('16-01-2026 09:00:00');
  });

  test('has only the user’s own, by id', async () => {
    const { server, demo } = open();
    await subscribed(demo, { evento: 'z' });
    await subscribed(await server.as('demo2'));
    await subscribed(demo, { evento: 'a' });
    expect((await demo.call('GET', PATH)).json.map(({ id }: { id: number }) => id)).toEqual([1, 3]);
    expect((await (await server.as('admin')).call('GET', PATH)).json).toEqual([]);
  });

  test('has deleted ones only on request', async () => {
    const { server, demo } = open();
    await subscribed(demo, { chaveSecreta: 'um segredo' });
    await subscribed(demo, { evento: 'outro' });
    server.clock.moveTo(server.clock.now() + 1000);
    await demo.call('DELETE', `${PATH}/1`);
    expect((await demo.call('GET', PATH)).json).toMatchObject([{ id: 2 }]);
    expect((await demo.call('GET', `${PATH}?exibirInativos=false`)).json).toMatchObject([{ id: 2 }]);
    expect((await demo.call('GET', `${PATH}?exibirInativos=true`)).json).toMatchObject([
      { ...ACTIVE, dataExclusao: '15-01-2026 09:00:01', motivoExclusao: 'Exclusão solicitada pelo usuário.' },
      { id: 2, dataExclusao: null },
    ]);
  });
});

describe('deleting', () => {
  const open = serverForEachTest();

  test('is refused without a session', async () => {
    await subscribed(open().demo);
    expect((await open().server.anybody.call('DELETE', `${PATH}/1`)).status).toBe(401);
  });

  test.each(['0', '10000000000', 'x'])('refuses the id %s', async (id) => {
    expect(refusalOf(await open().demo.call('DELETE', `${PATH}/${id}`))).toEqual([400, ['id']]);
  });

  test('answers 404 for an unknown, deleted or foreign subscription', async () => {
    const { server, demo } = open();
    await subscribed(await server.as('demo2'));
    expect((await demo.call('DELETE', `${PATH}/1`)).status).toBe(404);
    expect((await demo.call('DELETE', `${PATH}/2`)).status).toBe(404);
    const id = await subscribed(demo);
    expect((await demo.call('DELETE', `${PATH}/${id}`)).status).toBe(204);
    expect((await demo.call('DELETE', `${PATH}/${id}`)).status).toBe(404);
  });

  test('answers 204 without a body, and accepts a body', async () => {
    await subscribed(open().demo);
    const reply = await open().demo.call('DELETE', `${PATH}/1`, '{ not even JSON', {
      'content-type': 'text/plain',
    });
    expect([reply.status, reply.text]).toEqual([204, '']);
  });

  test('never reuses an id', async () => {
    const { demo } = open();
    await subscribed(demo);
    await demo.call('DELETE', `${PATH}/1`);
    expect(await subscribed(demo, REQUEST)).toBe(2);
  });
});

describe('with the subscription', () => {
  const open = coreForEachTest();

  test('its pending deliveries are cancelled, and no others; ended ones do not change', async () => {
    const { core, ended } = open();
    const mine = await subscribedTo(core, DOCUMENTO.demo);
    const theirs = await subscribedTo(core, DOCUMENTO.demo2);
    for (let i = 0; i < 3; i += 1) await core.notification.events.publishAlone(event());
    core.db
      .prepare("UPDATE delivery SET state = 'delivered', next_attempt_at = NULL WHERE event_id = 1")
      .run();
    core.db.prepare("UPDATE delivery SET state = 'failed', next_attempt_at = NULL WHERE event_id = 2").run();
    await core.notification.subscriptions.unsubscribe(DOCUMENTO.demo, mine);
    const states = (id: number) =>
      deliveriesOf(core)
        .filter((row) => row.subscription_id === id)
        .map(({ state, next_attempt_at }) => [state, next_attempt_at !== null]);
    expect(states(mine)).toEqual([
      ['delivered', false],
      ['failed', false],
      ['cancelled', false],
    ]);
    expect(states(theirs)).toEqual([
      ['delivered', false],
      ['failed', false],
      ['pending', true],
    ]);
    expect(ended).toEqual([mine]);
  });

  test('the removal of a user ends all its subscriptions, with the reason', async () => {
    const { core, ended } = open();
    const [first, second] = [
      await subscribedTo(core, DOCUMENTO.demo),
      await subscribedTo(core, DOCUMENTO.demo, 'outro'),
    ];
    await subscribedTo(core, DOCUMENTO.demo2);
    await core.notification.events.publishAlone(event());
    await core.session.accounts.removeUser(DOCUMENTO.demo);
    expect(core.notification.subscriptions.list(DOCUMENTO.demo, false)).toEqual([]);
    expect(core.notification.subscriptions.list(DOCUMENTO.demo, true)).toMatchObject([
      { id: first, dataExclusao: '15-01-2026 09:00:00', motivoExclusao: 'Exclusão por remoção do usuário.' },
      { id: second, motivoExclusao: 'Exclusão por remoção do usuário.' },
    ]);
    expect(deliveriesOf(core).map(({ state }) => state)).toEqual(['cancelled', 'pending']);
    expect(core.notification.subscriptions.list(DOCUMENTO.demo2, false)).toHaveLength(1);
    expect(ended).toEqual([first, second]);
  });

  test('a refused removal ends nothing', async () => {
    const { core, ended } = open();
    await subscribedTo(core, '00000000999');
    await expect(core.session.accounts.removeUser('00000000999')).rejects.toMatchObject({ kind: 'notFound' });
    expect(core.notification.subscriptions.list('00000000999', false)).toHaveLength(1);
    expect(ended).toEqual([]);
  });
});
