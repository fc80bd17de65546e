/** Events of every change are stored only while a subscription exists for them (contract section 10). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { keepEvents } from '../support/subscribed.ts';
import { COMPANY, activate, deactivations, include, load, product, tableFile } from './attribute/support.ts';

const CHANGE_EVENTS = ['catp-prod-alterado', 'catp-oper-alterado', 'catp-vinc-alterado'] as const;
const COFFEE = '09012100';
const OPERATORS = `/catp/api/ext/operador-estrangeiro/${COMPANY}`;
const OPERATOR = { nome: 'Muster GmbH', logradouro: 'Hauptstrasse 1', nomeCidade: 'München' };

let server: TestApp;
let demo: Client;
beforeEach(async () => {
  server = await openApp();
  demo = await server.as('demo');
});
afterEach(() => server.close());

const storedEvents = (): string[] =>
  server.app.core.db
    .prepare<[], string>("SELECT evento FROM event WHERE evento LIKE 'catp-%-alterado' ORDER BY id")
    .pluck()
    .all();

/** Changes each kind of record, by its own operation and as an item of a file. */
async function changeEverything(): Promise<void> {
  const codigo = await include(demo, product(COFFEE));
  const link = { codigoProduto: codigo, conhecido: false, codigoPais: 'DE' };
  const item = { seq: 1, cpfCnpjRaiz: COMPANY };
  const calls = [
    ['PUT', `/catp/api/ext/produto/${COMPANY}/${codigo}`, product(COFFEE)],
    ['POST', '/catp/api/ext/produto', [{ ...item, ...product(COFFEE) }]],
    ['POST', `${OPERATORS}/DE`, OPERATOR],
    ['POST', '/catp/api/ext/operador-estrangeiro', [{ ...item, codigoPais: 'DE', ...OPERATOR }]],
    ['POST', `/catp/api/ext/fabricante/${COMPANY}`, link],
    ['POST', '/catp/api/ext/fabricante', [{ ...item, ...link, vincular: false }]],
  ] as const;
  for (const [method, path, body] of calls) {
    const reply = await demo.call(method, path, body);
    expect([path, reply.status, reply.text.includes('"sucesso":false')]).toEqual([path, 200, false]);
  }
  const form = new FormData();
  form.set('file', new Blob([JSON.stringify([{ ...item, ...product(COFFEE) }])]), 'produtos.json');
  form.set('tipo', 'produto');
  const started = await demo.call('POST', '/appliance/api/imports', form);
  for (;;) {
    const { json } = await demo.call('GET', `/appliance/api/imports/${started.json.id}`);
    if (json.state === 'done') return expect(json.created).toBe(1);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Puts a table in force that admits none of the products. */
async function sweepEverything(): Promise<void> {
  const admin = await server.as('admin');
  await activate(admin, await load(admin, tableFile('1', { '0901.21.00': [{ codigo: 'ATT_1' }] })));
}

describe('without a subscription', () => {
  test('no change stores an event, except the public one of the system', async () => {
    await changeEverything();
    await sweepEverything();
    expect(storedEvents()).toEqual([]);
    expect(deactivations(server)).toEqual([[COMPANY, COFFEE, [1, 2, 3]]]);
  });

  test('a subscription to another event, or a deleted one, stores nothing either', async () => {
    await keepEvents(server, 'catp-oper-alterado', 'duex-historico');
    await include(demo, product(COFFEE));
    const { json } = await demo.call('POST', '/portal/api/ext/webhook', {
      evento: 'catp-prod-alterado',
      endpoint: 'https://erp.invalid/aviso',
    });
    await demo.call('DELETE', `/portal/api/ext/webhook/${json.id}`);
    await include(demo, product(COFFEE));
    expect(storedEvents()).toEqual([]);
  });
});

describe('with a subscription', () => {
  test('every change stores its event, for any subscriber', async () => {
    await keepEvents(server, ...CHANGE_EVENTS);
    await changeEverything();
    await sweepEverything();
    const counts = CHANGE_EVENTS.map((evento) => storedEvents().filter((one) => one === evento).length);
    expect(counts).toEqual([4 + 3, 2, 2]);
  });

  test('only later changes store an event', async () => {
    await include(demo, product(COFFEE));
    await keepEvents(server, 'catp-prod-alterado');
    await include(demo, product(COFFEE));
    expect(storedEvents()).toEqual(['catp-prod-alterado']);
  });
});
