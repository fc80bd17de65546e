/** Hints for an unknown path (contract section 3). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';

let server: TestApp;
let demo: Client;
beforeAll(async () => {
  server = await openApp({});
  demo = await server.as('demo');
});
afterAll(() => server.close());

const CATP = '/catp/api/ext';

describe('an unknown path is 404 and names the nearest operation', () => {
  test.each([
    ['GET', `${CATP}/produtos?cpfCnpjRaiz=12345678`, `Você quis dizer GET ${CATP}/produto?`],
    ['GET', '/catp/api/produto', `GET ${CATP}/produto?`],
    ['POST', '/catp/ext/produto/12345678', `POST ${CATP}/produto/{cpfCnpjRaiz}?`],
    [
      'POST',
      `${CATP}/operador-extrangeiro/12345678/DE`,
      `POST ${CATP}/operador-estrangeiro/{cpfCnpjRaiz}/{codigoPais}?`,
    ],
    ['GET', `${CATP}/Produto`, `GET ${CATP}/produto?`],
    ['POST', '/portal/api/autenticar/chave-accesso', 'POST /portal/api/autenticar/chave-acesso?'],
    ['GET', '/portal/api/webhook', 'GET /portal/api/ext/webhook?'],
    [
      'GET',
      '/cadatributos/api/ext/atributos-ncm/09012100',
      'GET /cadatributos/api/ext/atributo-ncm/{codigoNcm}?',
    ],
  ])('%s %s: %s', async (method, path, words) => {
    const { status, json } = await demo.call(method, path);
    expect([status, json.message.includes(words)]).toEqual([404, true]);
  });
});

describe('a path that fits another operation, cut short or misspelt, names what is wrong', () => {
  const VERSION = '/produto/{cpfCnpjRaiz}/{codigo}/{versao}.';
  test.each([
    [
      405,
      'GET',
      `${CATP}/produto/exportar`,
      `Faltam {cpfCnpjRaiz}/{exibirDesativados} no fim: GET ${CATP}/produto/exportar/`,
    ],
    [405, 'GET', `${CATP}/produto/exportar/12345678`, 'Falta {exibirDesativados} no fim'],
    [
      404,
      'PUT',
      `${CATP}/produto/desativar/12345678`,
      `Falta {codigo} no fim: PUT ${CATP}/produto/desativar/{cpfCnpjRaiz}/{codigo}.`,
    ],
    [404, 'GET', '/cadatributos/api/ext/atributo-ncm', 'Falta {codigoNcm} no fim'],
    [404, 'GET', '/cadatributos/api/atributo-ncm/download', 'Falta {tipo} no fim'],
    [405, 'GET', `${CATP}/produto/12345678/1`, `Falta {versao} no fim: GET ${CATP}${VERSION}`],
    [405, 'GET', `${CATP}/produto/12345678`, `Faltam {codigo}/{versao} no fim: GET ${CATP}${VERSION}`],
    [405, 'DELETE', '/portal/api/ext/webhook', 'Falta {id} no fim: DELETE /portal/api/ext/webhook/{id}.'],
    [405, 'GET', '/portal/api/ext/webhook/falha', 'Você quis dizer GET /portal/api/ext/webhook/falhas?'],
    [
      404,
      'PUT',
      `${CATP}/produto/desativa/12345678/1`,
      `Você quis dizer PUT ${CATP}/produto/desativar/{cpfCnpjRaiz}/{codigo}?`,
    ],
    [
      404,
      'GET',
      `${CATP}/produto/exportart/12345678/true`,
      `Você quis dizer GET ${CATP}/produto/exportar/{cpfCnpjRaiz}/{exibirDesativados}?`,
    ],
    [
      404,
      'GET',
      '/cadatributos/api/ext/atributo-ncm/historico-versoe',
      'Você quis dizer GET /cadatributos/api/ext/atributo-ncm/historico-versoes?',
    ],
  ])('%i %s %s: %s', async (expected, method, path, words) => {
    const { status, json, headers } = await demo.call(method, path);
    expect([status, json.message]).toEqual([expected, expect.stringContaining(words)]);
    expect(headers.has('allow')).toBe(status === 405);
  });
});

test('a path with all its segments, and one that is not public, get no hint', async () => {
  expect((await demo.call('PUT', `${CATP}/produto/desativar/12345678/1`)).json.message).not.toContain(
    'no fim',
  );
  expect((await demo.call('GET', '/appliance/api/product')).json.message).not.toContain('quis dizer');
  expect((await demo.call('GET', `${CATP}/produto/desativa/12345678/1`)).status).toBe(400);
});

test.each(['duimp-api', 'talpco', 'tabx', 'ccta', 'cct', 'due', 'recintos-ext', 'ccti'])(
  'a path of the module %s names --stubs',
  async (module) => {
    for (const path of [`/${module}`, `/${module}/api/ext/x/1`]) {
      const { status, json } = await server.anybody.call('GET', path);
      expect([status, json.message]).toEqual([404, expect.stringContaining('--stubs')]);
    }
    expect((await server.anybody.call('GET', `/${module}x`)).json.message).not.toContain('--stubs');
  },
);

test.each(['12345678000195', '12.345.678/0001-95', '12.ABC.345/01DE-35'])(
  'the full number %s of a company is refused with the hint to use its first 8',
  async (cnpj) => {
    const root = cnpj.replaceAll(/[./-]/g, '').slice(0, 8);
    const { status, json } = await demo.call(
      'GET',
      `${CATP}/produto?cpfCnpjRaiz=${encodeURIComponent(cnpj)}`,
    );
    expect([status, json.message]).toEqual([400, expect.stringContaining(`Use os primeiros 8: ${root}.`)]);
    const { message } = (await demo.call('POST', `${CATP}/produto/${encodeURIComponent(cnpj)}`, {})).json;
    expect(message).toContain(`Use os primeiros 8: ${root}.`);
  },
);

test('another wrong number of a company gets no such hint', async () => {
  for (const text of ['1234567800019', '123456780001951', '1234567'])
    expect((await demo.call('GET', `${CATP}/produto?cpfCnpjRaiz=${text}`)).json.message).not.toContain(
      'primeiros',
    );
});

test('the legal grounds of attributes are reported as not supported', async () => {
  for (const path of [
    '/cadatributos/api/ext/fundamento-legal',
    '/cadatributos/api/ext/atributo/fundamentos-legais/1',
  ]) {
    const { status, json } = await demo.call('GET', path);
    expect([status, json.message]).toEqual([404, expect.stringContaining('não existem nesta instalação')]);
  }
});
