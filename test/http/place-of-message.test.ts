/** A message that is sent alone contains its position (contract section 3). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Client, type TestApp, openApp } from '../support/app.ts';

const RECORD = { denominacao: 'Café', ncm: '09012100', modalidade: 'IMPORTACAO', descricao: 'Em grãos' };
const ROASTED = { atributo: 'ATT_90005', valor: 'true' };

let server: TestApp;
let demo: Client;
beforeAll(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});
afterAll(() => server.close());

const batch = async (item: object): Promise<string[]> =>
  (
    await demo.call('POST', '/catp/api/ext/produto', [
      { seq: 1, cpfCnpjRaiz: '12345678', ...RECORD, ...item },
    ])
  ).json[0].erros;
const single = async (members: object) =>
  (await demo.call('POST', '/catp/api/ext/produto/12345678', { ...RECORD, ...members })).json;

describe('the errors of a batch item', () => {
  test('of three blank attributes name each place and attribute', async () => {
    const atributos = ['ATT_90001', 'ATT_90002', 'ATT_90003'].map((atributo) => ({ atributo, valor: '' }));
    const erros = await batch({ atributos });
    expect(erros.map((text) => text.slice(0, text.indexOf(';')))).toEqual([
      'atributos[0].valor (ATT_90001): membro obrigatório ausente',
      'atributos[1].valor (ATT_90002): membro obrigatório ausente',
      'atributos[2].valor (ATT_90003): membro obrigatório ausente',
    ]);
  });

  test.each([
    [{ codigosInterno: ['a', 'x'.repeat(61)] }, 'codigosInterno[1]: recebido'],
    [{ ncm: '1' }, 'ncm: recebido "1"'],
    [{ marca: 'X' }, 'marca: Membro desconhecido "marca"'],
    [
      { atributos: [{ atributo: 'ATT_90001', valor: 'true', x: 'y' }] },
      'atributos[0].x (ATT_90001): Membro desconhecido',
    ],
    [{ atributos: [{ valor: 'x' }] }, 'atributos[0].atributo: membro obrigatório ausente'],
    [{ atributos: ['x'] }, 'atributos[0]: recebido "x"'],
    [
      { atributosCompostos: [{ atributo: 'ATT_90030', valores: [{ atributo: 'ATT_90031', valor: '' }] }] },
      'atributosCompostos[0].valores[0].valor (ATT_90031): membro obrigatório ausente',
    ],
  ])('%j starts with %p', async (item, words) => {
    const erros = await batch(item);
    expect(erros.find((text) => text.startsWith(words)) ?? erros).toStartWith(words);
  });

  test('of a missing required attribute name the list and the attribute', async () => {
    const erros = await batch({ atributos: [ROASTED] });
    expect(erros.map((text) => text.slice(0, 22))).toEqual([
      'atributos (ATT_90001):',
      'atributos (ATT_90006):',
    ]);
  });

  test('that the contract quotes are not changed', async () => {
    expect(
      (await demo.call('POST', '/catp/api/ext/produto', [{ seq: 1, ...RECORD, cpfCnpjRaiz: '11222333' }]))
        .json[0].erros,
    ).toEqual(['O usuário logado não é representante legal do CPF/CNPJ Raiz.']);
  });
});

test('the message of a body with one problem names its place, and its detail has the path', async () => {
  const { message, detail } = await single({ atributos: [{ atributo: 'ATT_90001', valor: '' }] });
  expect(message).toStartWith('atributos[0].valor (ATT_90001): membro obrigatório ausente;');
  expect(detail).toMatchObject([{ path: '/atributos/0/valor', field: 'atributos' }]);
  expect(detail[0].message).toStartWith('valor: membro obrigatório ausente;');
  expect(Object.keys(detail[0])).toEqual(['message', 'code', 'field', 'path']);
});

test('the message of several problems names the place of the first one', async () => {
  const { message } = await single({
    atributos: [
      { atributo: 'ATT_90001', valor: '' },
      { atributo: 'ATT_90002', valor: '' },
    ],
  });
  expect(message).toContain('2 problemas; o primeiro: atributos[0].valor (ATT_90001): ');
});

test('the errors of an import, and its CSV, start with the place', async () => {
  const body = [
    { seq: 1, cpfCnpjRaiz: '12345678', ...RECORD, atributos: [{ atributo: 'ATT_90001', valor: '' }] },
  ];
  const form = new FormData();
  form.set('file', new File([JSON.stringify(body)], 'a.json'));
  form.set('tipo', 'produto');
  form.set('modo', 'lote');
  const { id } = (await demo.call('POST', '/appliance/api/imports', form)).json;
  while (['queued', 'running'].includes((await demo.call('GET', `/appliance/api/imports/${id}`)).json.state))
    await nextTurn();
  const results = (await demo.call('GET', `/appliance/api/imports/${id}/results`)).json;
  expect(results[0].errors[0]).toStartWith('atributos[0].valor (ATT_90001): membro');
  expect(results[0].problems[0].message).toStartWith('valor: membro');
  expect((await demo.call('GET', `/appliance/api/imports/${id}/errors.csv`)).text).toContain(
    'atributos[0].valor (ATT_90001): membro',
  );
});

describe('an empty value in a list', () => {
  test.each([
    [{ atributosMultivalorados: [{ atributo: 'ATT_90005', valores: [{}] }] }],
    [
      {
        atributosCompostos: [{ atributo: 'ATT_90030', valores: [{ atributo: 'ATT_90031', valor: '1' }, {}] }],
      },
    ],
    [
      {
        atributosCompostosMultivalorados: [
          { atributo: 'ATT_90030', valores: [[{ atributo: 'ATT_90031', valor: '1' }], []] },
        ],
      },
    ],
    [
      {
        atributosCompostosMultivalorados: [
          { atributo: 'ATT_90030', valores: [[{ atributo: 'ATT_90031', valor: '1' }], [{}]] },
        ],
      },
    ],
  ])('%j is 400', async (lists) => {
    const { status, detail } = await single(lists);
    expect([status, detail.length > 0]).toEqual([400, true]);
  });
});
