/** Answers to a method that the address, or every operation, lacks (contract sections 2 and 3). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Client, type Reply, type TestApp, openApp } from '../support/app.ts';

const PRODUCTS = '/catp/api/ext/produto';
const OPERATORS = '/catp/api/ext/operador-estrangeiro';
const WEBHOOKS = '/portal/api/ext/webhook';

let server: TestApp;
let demo: Client;
beforeAll(async () => {
  server = await openApp();
  demo = await server.as('demo');
});
afterAll(() => server.close());

const statusAndAllow = ({ status, headers }: Reply): unknown => [status, headers.get('allow')];

describe('405, without a token', () => {
  test.each([
    ['GET', `${PRODUCTS}/desativar/12345678/1`, 'PUT'],
    ['HEAD', `${PRODUCTS}/desativar/12345678/1`, 'PUT'],
    ['DELETE', `${PRODUCTS}/desativar/12345678/1`, 'PUT'],
    ['PUT', `${PRODUCTS}/exportar/12345678/true`, 'GET, HEAD'],
    ['PUT', `${OPERATORS}/exportar/12345678/true`, 'GET, HEAD'],
    ['PUT', `${WEBHOOKS}/falhas`, 'GET, HEAD'],
    ['DELETE', `${WEBHOOKS}/falhas`, 'GET, HEAD'],
  ])('%s %s: fixed words of a path are no parameter of another', async (method, path, allow) => {
    expect(statusAndAllow(await server.anybody.call(method, path))).toEqual([405, allow]);
    expect(statusAndAllow(await demo.call(method, path))).toEqual([405, allow]);
  });

  test.each([
    ['DELETE', `${PRODUCTS}/12345678/`, 'POST'],
    ['GET', `${PRODUCTS}/desativar/12345678/1/`, 'PUT'],
    ['POST', '/docs/', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
  ])('%s %s: a slash at the end changes nothing', async (method, path, allow) => {
    expect(statusAndAllow(await server.anybody.call(method, path))).toEqual([405, allow]);
  });

  test('the parameters of the other path are validated as before', async () => {
    expect((await demo.call('GET', `${PRODUCTS}/desativa/12345678/1`)).status).toBe(400);
    expect((await demo.call('GET', `${PRODUCTS}/12345678/1/1`)).status).toBe(404);
    expect((await demo.call('PUT', `${WEBHOOKS}/falha`, {})).status).toBe(400);
  });
});

test('HEAD has the length of the body of GET, also of a streamed one, and releases its resources', async () => {
  const shared = await openApp({ demo: true, settings: { 'servidor.simultaneas': '4' } });
  const client = await shared.as('demo');
  const list = `${PRODUCTS}?cpfCnpjRaiz=12345678`;
  const { bytes } = await client.call('GET', list);
  for (let times = 0; times < 5; times += 1) {
    const head = await client.call('HEAD', list);
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      200,
      '',
      `${bytes.length}`,
    ]);
  }
  await shared.close();
});

test('a slash at the end of an address is ignored', async () => {
  expect((await server.anybody.call('GET', '/healthz/')).status).toBe(200);
  expect((await demo.call('GET', `${PRODUCTS}/?cpfCnpjRaiz=12345678`)).status).toBe(204);
});

test('HEAD answers the same as GET, without the body', async () => {
  const [head, get] = [
    await server.anybody.call('HEAD', '/healthz'),
    await server.anybody.call('GET', '/healthz'),
  ];
  expect([head.status, get.status]).toEqual([200, 200]);
});

describe('a request with valid tokens gets new ones', () => {
  const renewed = ({ headers }: Reply): boolean[] => [
    headers.has('x-csrf-token'),
    headers.has('x-csrf-expiration'),
  ];

  test.each([
    [404, 'GET', '/catp/api/ext/nada'],
    [404, 'GET', '/nada'],
    [405, 'DELETE', `${PRODUCTS}/12345678`],
    [405, 'GET', `${PRODUCTS}/desativar/12345678/1`],
  ])('also with a %i of %s %s', async (status, method, path) => {
    const reply = await demo.call(method, path);
    expect([reply.status, renewed(reply)]).toEqual([status, [true, true]]);
    const unknown = await server.anybody.call(method, path, undefined, { authorization: 'x' });
    expect([unknown.status, renewed(unknown)]).toEqual([status, [false, false]]);
    expect((await demo.call('GET', `${PRODUCTS}?cpfCnpjRaiz=12345678`)).status).toBe(204);
  });

  test('also when the batch operations are switched off', async () => {
    const without = await openApp({ settings: { operacoesDescontinuadas: 'false' } });
    const client = await without.as('demo');
    const reply = await client.call('POST', PRODUCTS, []);
    expect([reply.status, renewed(reply)]).toEqual([404, [true, true]]);
    await without.close();
  });
});

describe('a body with a Content-Encoding', () => {
  const PRODUCT = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };

  test.each(['gzip', 'br', 'x'.repeat(200)])('%p is 415 with its name', async (coding) => {
    const reply = await demo.call('POST', `${PRODUCTS}/12345678`, PRODUCT, { 'content-encoding': coding });
    expect([reply.status, reply.json.code, reply.json.path]).toEqual([
      415,
      'CATP-ER0415',
      'Content-Encoding',
    ]);
    expect(reply.json.message).toBe(
      `Content-Encoding: recebido '${coding.slice(0, 100)}'; envie o corpo sem compressão.`,
    );
  });

  test.each(['identity', 'Identity', ''])('%p is accepted', async (coding) => {
    const reply = await demo.call('POST', `${PRODUCTS}/12345678`, PRODUCT, { 'content-encoding': coding });
    expect(reply.status).toBe(200);
  });
});

test('no fixed word of a path begins with a digit: a parameter that does is none', async () => {
  const words = (await server.app.operations()).flatMap(({ path }) => path.split('/'));
  expect(words.filter((word) => /^\d/.test(word))).toEqual([]);
});
