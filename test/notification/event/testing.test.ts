/** POST /appliance/api/subscriptions/{id}/test: sends a sample of the event to one's own receiver only. */
import { describe, expect, test } from 'bun:test';
import { ENDPOINT, EVENTO, PATH, REQUEST, refusalOf, serverForEachTest } from '../support.ts';

const open = serverForEachTest();
const testOf = (id: number | string, query = ''): string => `/appliance/api/subscriptions/${id}/test${query}`;

describe('access', () => {
  test('a subscription is tested only by its owner with a session, and not when it is deleted', async () => {
    const { server, demo } = open();
    await demo.call('POST', PATH, REQUEST);
    expect((await server.anybody.call('POST', testOf(1))).status).toBe(401);
    for (const other of ['demo2', 'estranho', 'admin'] as const)
      expect((await (await server.as(other)).call('POST', testOf(1))).status).toBe(404);
    await demo.call('DELETE', `${PATH}/1`);
    const refused = await demo.call('POST', testOf(1));
    expect([refused.status, refused.json.message]).toEqual([
      404,
      'Não existe assinatura ativa 1 deste usuário.',
    ]);
    expect(refusalOf(await demo.call('POST', testOf('x')))).toEqual([400, ['id']]);
    expect((await (await server.as('admin')).call('GET', '/appliance/api/events')).json).toEqual([]);
  });

  test('nobody gets a test about a company that it does not represent', async () => {
    const { demo } = open();
    await demo.call('POST', PATH, REQUEST);
    expect((await demo.call('POST', testOf(1, '?cpfCnpjRaiz=11222333'))).status).toBe(403);
    expect(refusalOf(await demo.call('POST', testOf(1, '?cpfCnpjRaiz=1')))).toEqual([400, ['cpfCnpjRaiz']]);
  });
});

describe('a test', () => {
  test('is sent to that subscription only, about the requested company', async () => {
    const { server, demo } = open();
    const demo2 = await server.as('demo2');
    for (const client of [demo, demo2]) await client.call('POST', PATH, REQUEST);
    expect((await demo.call('POST', testOf(1))).json).toEqual({ id: 1, deliveries: 1 });
    expect((await demo.call('POST', testOf(1, '?cpfCnpjRaiz=87654321'))).json.id).toBe(2);
    const admin = await server.as('admin');
    const { json: events } = await admin.call('GET', '/appliance/api/events');
    expect(events).toMatchObject([
      { destinatarioId: '87654321000198', conteudo: { cpfCnpjRaiz: '87654321', operacao: 'NOVA_VERSAO' } },
      { destinatarioId: '12345678000195', conteudo: { cpfCnpjRaiz: '12345678' } },
    ]);
    expect((await demo.call('GET', '/appliance/api/deliveries')).json).toMatchObject([
      { subscriptionId: 1, evento: EVENTO },
      { subscriptionId: 1 },
    ]);
    expect((await demo2.call('GET', '/appliance/api/deliveries')).json).toEqual([]);
  });

  test('of an unknown event has a body that is marked as a test', async () => {
    const { server, demo } = open();
    await demo.call('POST', PATH, { evento: 'desconhecido', endpoint: ENDPOINT });
    await demo.call('POST', testOf(1));
    const admin = await server.as('admin');
    expect((await admin.call('GET', '/appliance/api/events')).json).toMatchObject([
      { evento: 'desconhecido', conteudo: { teste: true } },
    ]);
  });
});
