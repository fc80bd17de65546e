/** The `field` of a problem is the member of the record at `path`, as the contract prints it (section 3). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';

const PRODUCT = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '73181500' };
const OPERATOR = { nome: 'ACME', logradouro: 'Rua 1', nomeCidade: 'Berlim' };
const PRODUCTS = '/catp/api/ext/produto/12345678';
const OPERATORS = '/catp/api/ext/operador-estrangeiro/12345678/DE';

let server: TestApp;
let demo: Client;
beforeAll(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});
afterAll(() => server.close());

describe('a problem in', () => {
  test.each([
    ['/atributos/0/valor', 'atributos', { ...PRODUCT, atributos: [{ atributo: 'A', valor: [] }] }],
    ['/atributos/0/valor', 'atributos', { ...PRODUCT, atributos: [{ atributo: 'A' }] }],
    ['/atributos/0/cor', 'atributos', { ...PRODUCT, atributos: [{ atributo: 'A', valor: '1', cor: 1 }] }],
    ['/atributos/1', 'atributos', { ...PRODUCT, atributos: [{ atributo: 'A', valor: '1' }, 5] }],
    [
      '/atributosCompostosMultivalorados/0/valores/0/0/valor',
      'atributosCompostosMultivalorados',
      { ...PRODUCT, atributosCompostosMultivalorados: [{ atributo: 'A', valores: [[{ atributo: 'B' }]] }] },
    ],
    ['/codigosInterno/0', 'codigosInterno', { ...PRODUCT, codigosInterno: [''] }],
    ['/a~1b', 'a/b', { ...PRODUCT, 'a/b': 1 }],
    ['/12', '12', { ...PRODUCT, 12: { a: 1 } }],
    ['/ncm', 'ncm', { ...PRODUCT, ncm: '1' }],
    ['', null, []],
  ])('%s of a product is of %p', async (path, field, body) => {
    const { status, json } = await demo.call('POST', PRODUCTS, body);
    expect([status, json.detail]).toEqual([400, [expect.objectContaining({ path, field })]]);
  });

  test('an additional number of an operator belongs to its list', async () => {
    const body = { ...OPERATOR, identificacoesAdicionais: [{ numero: '', codigo: '16' }] };
    const { status, json } = await demo.call('POST', OPERATORS, body);
    expect([status, json.detail]).toEqual([
      400,
      [
        expect.objectContaining({
          path: '/identificacoesAdicionais/0/numero',
          field: 'identificacoesAdicionais',
        }),
      ],
    ]);
  });

  test('a repeated member in an item of a batch belongs to its record', async () => {
    const body = '[{"seq":1},{"seq":2,"atributos":[{"atributo":"A","atributo":"B"}]}]';
    const { status, json } = await demo.call('POST', '/catp/api/ext/produto', body);
    expect([status, json.detail]).toEqual([
      400,
      [expect.objectContaining({ path: '/1/atributos/0/atributo', field: 'atributos' })],
    ]);
  });

  test('a violated rule has the same field', async () => {
    const body = { ...PRODUCT, codigosInterno: ['a', 'a'], atributos: [{ atributo: 'NADA', valor: '1' }] };
    const { status, json } = await demo.call('POST', PRODUCTS, body);
    expect(status).toBe(422);
    expect(json.detail.length).toBeGreaterThan(1);
    for (const { path, field } of json.detail) expect(path.split('/')[1]).toBe(field);
  });
});
