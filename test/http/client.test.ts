/**
 * A day of a public client program, with its usual requests, over HTTP and over HTTPS (contract sections 1 to
 * 9).
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import { type TestApp, openApp } from '../support/app.ts';
import { SCHEMES, trusting } from '../support/tls.ts';

const PRODUCT = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };
const COMPANY = '12345678';

describe.each(SCHEMES)('a client over %s', (over) => {
  let server: TestApp;
  let headers: Record<string, string> = {};
  beforeAll(async () => {
    server = await openApp({ over });
  });
  afterAll(() => server.close());

  /** Such programs join a base with a slash at its end and a path with a slash at its beginning. */
  async function send(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await trusting(`${server.url}/${path}`, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // The renewed token is valid for the next request.
    const csrf = response.headers.get('X-CSRF-Token');
    if (csrf !== null && headers.Authorization !== undefined) headers = { ...headers, 'X-CSRF-Token': csrf };
    return response;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- each test states what it expects
  async function ok(method: string, path: string, body?: unknown): Promise<any> {
    const response = await send(method, path, body);
    const text = await response.text();
    expect([method, path, response.ok ? '' : text]).toEqual([method, path, '']);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  test('signs in, keeps a catalogue, moves it, subscribes, and reads its failures', async () => {
    const signedIn = await trusting(`${server.url}//portal/api/autenticar/chave-acesso`, {
      method: 'POST',
      headers: { 'Client-Id': 'demo', 'Client-Secret': 'demo', 'Role-Type': 'IMPEXP' },
      body: '',
    });
    expect(signedIn.status).toBe(200);
    headers = {
      Authorization: `Bearer ${signedIn.headers.get('Set-Token')}`,
      'X-CSRF-Token': signedIn.headers.get('X-CSRF-Token') ?? '',
    };
    expect(Number(signedIn.headers.get('X-CSRF-Expiration'))).toBeGreaterThan(server.clock.now());

    const { codigo } = await ok('POST', `/catp/api/ext/produto/${COMPANY}`, PRODUCT);
    const second = await ok('PUT', `/catp/api/ext/produto/${COMPANY}/${codigo}`, {
      ...PRODUCT,
      descricao: 'M8',
    });
    expect(second).toMatchObject({ codigo, versao: '2', situacao: 'ATIVADO' });
    const operator = await ok('POST', `/catp/api/ext/operador-estrangeiro/${COMPANY}/DE`, {
      nome: 'Schrauben GmbH',
      logradouro: 'Weg 1',
      nomeCidade: 'Köln',
    });
    const link = {
      codigoProduto: codigo,
      conhecido: true,
      codigoPais: 'DE',
      codigoOperadorEstrangeiro: operator.codigo,
    };
    expect(await ok('POST', `/catp/api/ext/fabricante/${COMPANY}`, link)).toMatchObject({ codigoPais: 'DE' });
    const batch = await ok('POST', '/catp/api/ext/produto', [{ ...PRODUCT, seq: 1, cpfCnpjRaiz: COMPANY }]);
    expect(batch).toEqual([{ seq: 1, codigo: '2', erros: [], sucesso: true, versao: '1' }]);
    const query = new URLSearchParams({ cpfCnpjRaiz: COMPANY, denominacao: 'PARAFUSO', paisOrigem: 'DE' });
    const list = await ok('GET', `/catp/api/ext/produto?${query}`);
    expect(list.map((one: { codigo: number }) => one.codigo)).toEqual([codigo]);

    const exported = await send('GET', `/catp/api/ext/produto/exportar/${COMPANY}/true`);
    const [json] = Object.values(unzipSync(await exported.bytes()));
    expect(JSON.parse(new TextDecoder().decode(json))).toHaveLength(2);

    const subscription = await ok('POST', '/portal/api/ext/webhook', {
      evento: 'catp-prod-desativado',
      endpoint: 'https://erp.exemplo/notificacoes',
    });
    expect(await ok('GET', '/portal/api/ext/webhook')).toHaveLength(1);
    expect(await ok('GET', '/portal/api/ext/webhook/falhas?data=15012026')).toEqual([]);
    expect((await send('DELETE', `/portal/api/ext/webhook/${subscription.id}`)).status).toBe(204);
  });

  test('gets the reason of each refusal', async () => {
    const refused = await send('POST', `/catp/api/ext/produto/${COMPANY}`, { ...PRODUCT, ncm: '7318.15.00' });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: 'PUCX-ER0010', detail: [{ path: '/ncm' }] });
  });
});
