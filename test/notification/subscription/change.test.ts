/** PUT /ext/webhook/{id} (contract section 9). */
import { describe, expect, test } from 'bun:test';
import type { Core } from '../../../src/assembly/core.ts';
import { openApp } from '../../support/app.ts';
import { ENDPOINT, EVENTO, PATH, REQUEST, refusalOf, serverForEachTest, subscribed } from '../support.ts';

const SECRETS = { chaveSecreta: 'segredo 1', chaveAutenticacao: 'Basic YTpi' } as const;
const CHANGE = { id: 1, ...REQUEST } as const;
const OTHER_ENDPOINT = 'https://outro.example/';

const open = serverForEachTest();
const first = async () => (await open().demo.call('GET', PATH)).json[0];

describe('a caller is refused', () => {
  test('without a session', async () => {
    await subscribed(open().demo);
    expect((await open().server.anybody.call('PUT', `${PATH}/1`, CHANGE)).status).toBe(401);
  });

  test('for a subscription of another user, even of the same company or as administrator', async () => {
    const { server, demo } = open();
    await subscribed(demo);
    for (const key of ['demo2', 'estranho', 'admin'] as const) {
      const reply = await (
        await server.as(key)
      ).call('PUT', `${PATH}/1`, { ...CHANGE, endpoint: OTHER_ENDPOINT });
      expect([key, reply.status, reply.json.code]).toEqual([key, 404, 'PLAT-ER0404']);
    }
    expect((await first()).endpoint).toBe(ENDPOINT);
  });
});

describe('a change is refused with', () => {
  test.each([0, 10_000_000_000, 'x', '1.0', '-1', '%20'])('the id %p in the path', async (id) => {
    expect(refusalOf(await open().demo.call('PUT', `${PATH}/${id}`, CHANGE))).toEqual([400, ['id']]);
  });

  test.each([0, 10_000_000_000, 'um', 1.5, true])('the id %p in the body', async (id) => {
    await subscribed(open().demo);
    expect(refusalOf(await open().demo.call('PUT', `${PATH}/1`, { ...CHANGE, id }))).toEqual([400, ['/id']]);
  });

  test('a body without id, or with another one', async () => {
    const { demo } = open();
    await subscribed(demo);
    await subscribed(demo, { evento: 'outro' });
    expect(refusalOf(await demo.call('PUT', `${PATH}/1`, REQUEST))).toEqual([400, ['/id']]);
    expect(refusalOf(await demo.call('PUT', `${PATH}/1`, { ...CHANGE, id: 2 }))).toEqual([400, ['/id']]);
  });

  test('missing, unknown and malformed members, all at once', async () => {
    const body = { id: 1, endpoint: 'http://a.example', chaveSecreta: ' x', outro: 1 };
    const reply = await open().demo.call('PUT', `${PATH}/1`, body);
    expect(refusalOf(reply)).toEqual([400, ['/endpoint', '/chaveSecreta', '/outro', '/evento']]);
  });

  test('an unknown id and a deleted subscription', async () => {
    const { demo } = open();
    await subscribed(demo);
    expect((await demo.call('PUT', `${PATH}/2`, { ...CHANGE, id: 2 })).status).toBe(404);
    expect((await demo.call('PUT', `${PATH}/9999999999`, { ...CHANGE, id: 9_999_999_999 })).status).toBe(404);
    await demo.call('DELETE', `${PATH}/1`);
    expect((await demo.call('PUT', `${PATH}/1`, CHANGE)).status).toBe(404);
  });

  test('an event to which the user has another active subscription', async () => {
    const { demo } = open();
    await subscribed(demo);
    await subscribed(demo, { evento: 'outro' });
    const reply = await demo.call('PUT', `${PATH}/1`, { ...CHANGE, evento: 'outro', chaveSecreta: 'nova' });
    expect(reply.status).toBe(422);
    expect(reply.json).toMatchObject({ code: 'PLAT-ER9100', field: 'evento', detail: [] });
    expect(await first()).toMatchObject({ evento: EVENTO, chaveSecreta: null });
  });
});

describe('a change is answered and stored', () => {
  test('with id, evento and endpoint, and no other member', async () => {
    const { demo } = open();
    await subscribed(demo, SECRETS);
    const change = { id: 1, evento: 'outro', endpoint: OTHER_ENDPOINT };
    const reply = await demo.call('PUT', `${PATH}/1`, { ...change, chaveSecreta: 'nova' });
    expect([reply.status, reply.json]).toEqual([200, change]);
    expect(await first()).toMatchObject(change);
  });

  test('also with leading zeros of the id in the path', async () => {
    await subscribed(open().demo);
    expect((await open().demo.call('PUT', `${PATH}/0000000001`, CHANGE)).status).toBe(200);
  });

  test('with an absent secret, which is kept', async () => {
    await subscribed(open().demo, SECRETS);
    await open().demo.call('PUT', `${PATH}/1`, CHANGE);
    expect(await first()).toMatchObject(SECRETS);
  });

  test.each([null, ''])(
    'with a secret that is %j, which is removed, and the other one stays',
    async (empty) => {
      await subscribed(open().demo, SECRETS);
      await open().demo.call('PUT', `${PATH}/1`, { ...CHANGE, chaveSecreta: empty });
      expect(await first()).toMatchObject({ ...SECRETS, chaveSecreta: null });
      await open().demo.call('PUT', `${PATH}/1`, {
        ...CHANGE,
        chaveSecreta: 'de volta',
        chaveAutenticacao: empty,
      });
      expect(await first()).toMatchObject({ chaveSecreta: 'de volta', chaveAutenticacao: null });
    },
  );

  test('with an unknown event that was subscribed before the rule', async () => {
    const before = await openApp();
    await subscribed(await before.as('demo'), { evento: 'antigo' });
    await before.close({ keepFolder: true });
    const server = await openApp({
      folder: before.folder,
      settings: { 'assinatura.recusarDesconhecido': 'true' },
    });
    const demo = await server.as('demo');
    const change = { ...CHANGE, evento: 'antigo', endpoint: OTHER_ENDPOINT };
    expect((await demo.call('PUT', `${PATH}/1`, change)).status).toBe(200);
    await server.close();
  });
});

describe('the failing state', () => {
  const failingSince = ({ db }: Core): unknown =>
    db.prepare('SELECT failing_since FROM subscription WHERE id = 1').pluck().get();

  test('ends only with a change of the endpoint', async () => {
    const { server, demo } = open();
    const { core } = server.app;
    await subscribed(demo);
    core.db.prepare('UPDATE subscription SET failing_since = 5, last_failure_at = 6').run();
    await demo.call('PUT', `${PATH}/1`, { ...CHANGE, evento: 'outro', chaveSecreta: 'nova' });
    expect(failingSince(core)).toBe(5);
    await demo.call('PUT', `${PATH}/1`, { ...CHANGE, endpoint: `${ENDPOINT}?` });
    expect(failingSince(core)).toBeNull();
  });
});
