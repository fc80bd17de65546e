/** POST /ext/webhook (contract section 9). */
import { describe, expect, test } from 'bun:test';
import { openApp } from '../../support/app.ts';
import {
  ENDPOINT,
  EVENTO,
  PATH,
  REQUEST,
  refusalOf,
  serverForAllTests,
  serverForEachTest,
} from '../support.ts';

/** Returns an endpoint of this length. */
const endpointOf = (length: number): string => `${ENDPOINT}/`.padEnd(length, 'a');

describe('a caller is refused', () => {
  const open = serverForAllTests();

  test('without a session', async () => {
    const reply = await open().server.anybody.call('POST', PATH, REQUEST);
    expect([reply.status, reply.json.code]).toEqual([401, 'PUCX-ER0201']);
  });

  test('without the CSRF token', async () => {
    const reply = await open().demo.call('POST', PATH, REQUEST, { 'x-csrf-token': '' });
    expect([reply.status, reply.json.code]).toEqual([401, 'PUCX-ER0202']);
  });
});

describe('a malformed subscription is refused', () => {
  const open = serverForAllTests();

  test.each([
    ['nothing', {}, ['/evento', '/endpoint']],
    ['no evento', { endpoint: ENDPOINT }, ['/evento']],
    ['no endpoint', { evento: EVENTO }, ['/endpoint']],
    ['null and the empty text', { evento: null, endpoint: '' }, ['/evento', '/endpoint']],
    ['an unknown member', { ...REQUEST, chaveSecretta: 'x' }, ['/chaveSecretta']],
    ['an id', { ...REQUEST, id: 1 }, ['/id']],
    [
      'members of another type',
      { evento: 1, endpoint: ['x'], chaveSecreta: true },
      ['/evento', '/endpoint', '/chaveSecreta'],
    ],
    ['a list', [REQUEST], ['']],
  ])('%s', async (_, body, paths) => {
    expect(refusalOf(await open().demo.call('POST', PATH, body))).toEqual([400, paths]);
  });

  test('a misspelt member is reported with the nearest known name', async () => {
    const reply = await open().demo.call('POST', PATH, { ...REQUEST, chaveSecretta: 'x' });
    expect(reply.json.detail[0].message).toContain("'chaveSecreta'");
  });

  test.each([
    ['evento', 'a'.repeat(41)],
    ['endpoint', endpointOf(501)],
    ['chaveSecreta', 'a'.repeat(101)],
    ['chaveAutenticacao', 'a'.repeat(101)],
  ])('%s above its size', async (member, value) => {
    expect(refusalOf(await open().demo.call('POST', PATH, { ...REQUEST, [member]: value }))).toEqual([
      400,
      [`/${member}`],
    ]);
  });

  test.each(['com espaço', 'açaí', 'a\tb', 'a\nb', ' a', 'a\u007f', 'a\0', 'a\ud800'])(
    'evento %j',
    async (evento) => {
      expect(refusalOf(await open().demo.call('POST', PATH, { ...REQUEST, evento }))).toEqual([
        400,
        ['/evento'],
      ]);
    },
  );

  test.each([' a', 'a ', ' ', 'a\tb', 'a\r\nx: y', 'ação', 'a\u007fb', 'a\u00a0b', 'a\0b'])(
    'a secret %j',
    async (secret) => {
      const body = { ...REQUEST, chaveSecreta: secret, chaveAutenticacao: secret };
      expect(refusalOf(await open().demo.call('POST', PATH, body))).toEqual([
        400,
        ['/chaveSecreta', '/chaveAutenticacao'],
      ]);
    },
  );

  test.each([
    ['nonsense', 'não é url'],
    ['a relative one', '/notificacoes'],
    ['http', 'http://erp.empresa.example/'],
    ['another scheme', 'ftp://erp.empresa.example/'],
    ['another port', 'https://erp.empresa.example:8443/'],
    ['user info', 'https://maria:senha@erp.empresa.example/'],
    ['a fragment', `${ENDPOINT}#x`],
    ['an empty fragment', `${ENDPOINT}#`],
    ['no host', 'https://'],
    ['a third slash', 'https:///erp.empresa.example'],
    ['no slashes', 'https:erp.empresa.example'],
    ['backslashes', 'https:\\\\erp.empresa.example'],
    ['a tab inside', 'https://erp.empresa\t.example/'],
    ['a line break inside', 'https://erp.empresa.example/\na'],
    ['the metadata address of clouds', 'https://169.254.169.254/latest'],
    ['the same in one number', 'https://2852039166/'],
    ['a multicast address', 'https://224.0.0.1/'],
    ['an IPv6 form of a forbidden address', 'https://[::ffff:169.254.169.254]/'],
  ])('an endpoint with %s', async (_, endpoint) => {
    expect(refusalOf(await open().demo.call('POST', PATH, { ...REQUEST, endpoint }))).toEqual([
      400,
      ['/endpoint'],
    ]);
  });

  test('an endpoint is reported with all its faults, next to those of the other members', async () => {
    const endpoint = 'https://maria:senha@erp.empresa.example:81/#x';
    const reply = await open().demo.call('POST', PATH, { evento: 'a b', endpoint, chaveSecreta: ' ' });
    expect(refusalOf(reply)).toEqual([
      400,
      ['/evento', '/endpoint', '/endpoint', '/endpoint', '/chaveSecreta'],
    ]);
  });

  test('a refused subscription is not stored', async () => {
    expect((await open().demo.call('GET', PATH)).json).toEqual([]);
  });
});

describe('a loopback address literal', () => {
  test.each(['https://127.0.0.1/', 'https://[::1]/', 'https://2130706433/'])(
    'is refused by catp serve, also in a change: %s',
    async (endpoint) => {
      const server = await openApp({ parts: { mode: 'serve' } });
      const demo = await server.as('demo');
      const refused = await demo.call('POST', PATH, { ...REQUEST, endpoint });
      expect(refusalOf(refused)).toEqual([400, ['/endpoint']]);
      expect(refused.json.detail[0].message).toContain('própria máquina');
      const { id } = (await demo.call('POST', PATH, REQUEST)).json;
      const change = await demo.call('PUT', `${PATH}/${id}`, { id, ...REQUEST, endpoint });
      expect(refusalOf(change)).toEqual([400, ['/endpoint']]);
      expect((await demo.call('GET', PATH)).json).toMatchObject([REQUEST]);
      await server.close();
    },
  );
});

describe('an accepted subscription', () => {
  const open = serverForEachTest();

  test('has both secrets', async () => {
    const secrets = { chaveSecreta: 'um segredo !~', chaveAutenticacao: 'Basic bWFyaWE6c2VuaGE=' };
    const reply = await open().demo.call('POST', PATH, { ...REQUEST, ...secrets });
    expect([reply.status, reply.json]).toEqual([200, { id: 1, ...REQUEST, ...secrets }]);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('has null for secrets that are absent, null or empty', async () => {
    const reply = await open().demo.call('POST', PATH, {
      ...REQUEST,
      chaveSecreta: '',
      chaveAutenticacao: null,
    });
    expect(reply.json).toEqual({ id: 1, ...REQUEST, chaveSecreta: null, chaveAutenticacao: null });
    const other = await open().demo.call('POST', PATH, { ...REQUEST, evento: 'outro' });
    expect(other.json).toMatchObject({ id: 2, chaveSecreta: null, chaveAutenticacao: null });
  });

  test('accepts members of exactly their maximum size', async () => {
    const body = {
      evento: '!'.repeat(40),
      endpoint: endpointOf(500),
      chaveSecreta: 'a'.repeat(100),
      chaveAutenticacao: '~'.repeat(100),
    };
    expect((await open().demo.call('POST', PATH, body)).json).toEqual({ id: 1, ...body });
  });

  test.each([
    'https://ERP.Empresa.example:443/A?b=c d',
    'https://erp.empresa.example',
    'https://10.0.0.7/erp',
    'https://127.0.0.1/',
    'https://[fd00::7]/',
    'https://açaí.example/',
  ])('has the endpoint %s as it was sent', async (endpoint) => {
    expect((await open().demo.call('POST', PATH, { ...REQUEST, endpoint })).json.endpoint).toBe(endpoint);
    expect((await open().demo.call('GET', PATH)).json[0].endpoint).toBe(endpoint);
  });

  test('accepts a body without Content-Type as JSON', async () => {
    expect(
      (await open().demo.call('POST', PATH, JSON.stringify(REQUEST), { 'content-type': '' })).status,
    ).toBe(200);
  });

  test('can belong to administrators and public agents', async () => {
    const { server } = open();
    expect((await (await server.as('admin')).call('POST', PATH, REQUEST)).status).toBe(200);
    const other = await openApp({ settings: { ambiente: 'homologacao' } });
    expect((await (await other.as('publico')).call('POST', PATH, REQUEST)).status).toBe(200);
    await other.close();
  });
});

describe('one active subscription per event and user', () => {
  const open = serverForEachTest();

  test('refuses the second one with the code at the top of the body, and no detail', async () => {
    const { demo } = open();
    await demo.call('POST', PATH, REQUEST);
    const reply = await demo.call('POST', PATH, { ...REQUEST, endpoint: 'https://outro.example/' });
    expect(reply.status).toBe(422);
    expect(reply.json).toMatchObject({
      code: 'PLAT-ER9100',
      field: 'evento',
      message: 'Já existe uma assinatura para esse evento. Você deve usar o serviço de edição.',
      detail: [],
    });
    expect((await demo.call('GET', PATH)).json).toHaveLength(1);
  });

  test('refuses one of two concurrent ones', async () => {
    const { server, demo } = open();
    const again = await server.as('demo');
    const replies = await Promise.all([demo.call('POST', PATH, REQUEST), again.call('POST', PATH, REQUEST)]);
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 422]);
  });

  test('accepts another event, another letter case and another user', async () => {
    const { server, demo } = open();
    await demo.call('POST', PATH, REQUEST);
    expect((await demo.call('POST', PATH, { ...REQUEST, evento: EVENTO.toUpperCase() })).status).toBe(200);
    expect((await (await server.as('demo2')).call('POST', PATH, REQUEST)).status).toBe(200);
  });

  test('accepts the event again after a deletion, under a new id', async () => {
    const { demo } = open();
    await demo.call('POST', PATH, REQUEST);
    await demo.call('DELETE', `${PATH}/1`);
    expect((await demo.call('POST', PATH, REQUEST)).json.id).toBe(2);
  });
});

describe('an unknown event', () => {
  test('is accepted by default', async () => {
    const server = await openApp();
    expect(
      (await (await server.as('demo')).call('POST', PATH, { ...REQUEST, evento: 'nunca-visto' })).status,
    ).toBe(200);
    await server.close();
  });

  test('is refused when the setting says so, with the nearest known one', async () => {
    const server = await openApp({ settings: { 'assinatura.recusarDesconhecido': 'true' } });
    const demo = await server.as('demo');
    const reply = await demo.call('POST', PATH, { ...REQUEST, evento: 'catp-prod-alterada' });
    expect(refusalOf(reply)).toEqual([422, ['/evento']]);
    expect(reply.json.detail[0]).toMatchObject({ code: 'CATP-ER1301', field: 'evento' });
    expect(reply.json.detail[0].message).toContain("'catp-prod-alterado'");
    expect((await demo.call('POST', PATH, REQUEST)).status).toBe(200);
    const change = { id: 1, ...REQUEST, evento: 'nunca-visto' };
    expect(refusalOf(await demo.call('PUT', `${PATH}/1`, change))).toEqual([422, ['/evento']]);
    await server.close();
  });
});
