/**
 * `catp dev --local-receivers`: a handler on plain localhost is subscribed, and called at its own address
 * (contract section 15).
 */
import { afterEach, describe, expect, test } from 'bun:test';
import { type OpenAppOptions, type TestApp, openApp } from '../../support/app.ts';
import { PATH, REQUEST, refusalOf } from '../support.ts';

let server: TestApp | undefined;
afterEach(() => server?.close());

async function demoOf(parts: OpenAppOptions['parts']) {
  server = await openApp({ ...(parts && { parts }) });
  return { demo: await server.as('demo'), admin: await server.as('admin') };
}

const OWN = [
  'http://localhost:3000/hook',
  'http://127.0.0.1/',
  'http://[::1]:8080/',
  'https://localhost:8443/',
];

describe('without the flag', () => {
  test.each(OWN)('dev refuses it, and names both alternatives: %s', async (endpoint) => {
    const { demo } = await demoOf({});
    const refused = await demo.call('POST', PATH, { ...REQUEST, endpoint });
    expect(refusalOf(refused)).toEqual([400, ['/endpoint']]);
    expect(refused.json.detail[0].message).toMatch(/--local-receivers.*--map/);
  });

  test.each(OWN)('serve refuses it, also with the setting: %s', async (endpoint) => {
    const { demo } = await demoOf({ mode: 'serve', localReceivers: true });
    const refused = await demo.call('POST', PATH, { ...REQUEST, endpoint });
    expect(refused.status).toBe(400);
    expect(refused.text).not.toContain('--');
  });
});

describe('with the flag', () => {
  test('it is stored and answered as sent, also in a change', async () => {
    const { demo } = await demoOf({ localReceivers: true });
    const endpoint = 'http://LocalHost:3000/hook';
    const { id, ...subscription } = (await demo.call('POST', PATH, { ...REQUEST, endpoint })).json;
    expect(subscription.endpoint).toBe(endpoint);
    const changed = await demo.call('PUT', `${PATH}/${id}`, { id, ...REQUEST, endpoint: 'https://[::1]:9/' });
    expect([changed.status, changed.json.endpoint]).toEqual([200, 'https://[::1]:9/']);
  });

  test('an endpoint on another host is refused as in the public service', async () => {
    const { demo } = await demoOf({ localReceivers: true });
    for (const endpoint of ['http://erp.exemplo/', 'https://erp.exemplo:8443/', 'http://192.168.0.1:3000/'])
      expect((await demo.call('POST', PATH, { ...REQUEST, endpoint })).status).toBe(400);
  });

  test('the event of a change arrives, with the usual headers and body', async () => {
    const arrived = Promise.withResolvers<{ headers: Record<string, string>; body: unknown }>();
    using handler = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        arrived.resolve({ headers: request.headers.toJSON(), body: await request.json() });
        return new Response('ok');
      },
    });
    const { demo } = await demoOf({ localReceivers: true });
    const endpoint = `http://localhost:${handler.port}/hook`;
    await demo.call('POST', PATH, { ...REQUEST, endpoint, chaveSecreta: 'segredo-1' });
    await demo.call('POST', '/catp/api/ext/produto/12345678', {
      denominacao: 'Balde',
      modalidade: 'IMPORTACAO',
      ncm: '39269090',
    });
    expect(await arrived.promise).toMatchObject({
      headers: {
        'event-type': REQUEST.evento,
        'destinatario-id': '12345678000195',
        secret: 'segredo-1',
        'content-type': 'application/json; charset=utf-8',
      },
      body: { cpfCnpjRaiz: '12345678', operacao: 'INCLUSAO' },
    });
  });
});
