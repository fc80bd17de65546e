/** Drafts by the operations of catp (contract section 25). */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';

const PATH = '/appliance/api/products/drafts';
const COMPANY = '12345678';

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  // The public service has no batch operation.
  server = await openApp({ settings: { operacoesDescontinuadas: 'false' } });
  demo = await server.as('demo');
});

afterEach(() => server.close());

const include = (draft: object, client = demo) =>
  client.call('POST', PATH, { cpfCnpjRaiz: COMPANY, denominacao: 'Rascunho', ...draft });

test('a draft is included with few members, edited in place and activated by a new version', async () => {
  const draft = await include({});
  expect(draft).toMatchObject({
    status: 200,
    json: { codigo: 1, versao: '1', situacao: 'RASCUNHO', denominacao: 'Rascunho', ncm: null },
  });
  const whole = { denominacao: 'Caixa', ncm: '39269090', modalidade: 'IMPORTACAO' };
  const editReply = await demo.call('PUT', `${PATH}/${COMPANY}/1`, whole);
  expect(editReply).toMatchObject({ status: 200, json: { ...whole, versao: '1', situacao: 'RASCUNHO' } });
  await demo.call('PUT', `/catp/api/ext/produto/${COMPANY}/1`, whole);
  const lateReply = await demo.call('PUT', `${PATH}/${COMPANY}/1`, whole);
  expect(lateReply).toMatchObject({ status: 422, json: { detail: [{ code: 'CATP-ER1006' }] } });
});

test('its form is validated like any other', async () => {
  const paths = async (draft: object) =>
    (await include(draft)).json.detail.map(({ path }: { path: string }) => path);
  expect(await paths({ denominacao: '' })).toEqual(['/denominacao']);
  expect(await paths({ ncm: '1', situacao: 'ATIVADO' })).toEqual(['/ncm', '/situacao']);
  expect(await paths({ codigosInterno: ['A', 'A'] })).toEqual(['/codigosInterno/1']);
});

test('it requires the right to write the catalogue, and an unknown one is 404', async () => {
  expect((await include({}, server.anybody)).status).toBe(401);
  expect((await include({}, await server.as('estranho'))).status).toBe(403);
  expect((await demo.call('PUT', `${PATH}/11222333/1`, { denominacao: 'A' })).status).toBe(403);
  expect((await demo.call('PUT', `${PATH}/${COMPANY}/1`, { denominacao: 'A' })).status).toBe(404);
});
