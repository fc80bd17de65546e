/** Comparisons of several companies with one request (contract section 25): all begin, or none. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { COMPANY } from './support.ts';

const REMOTES = '/appliance/api/remotes';
const OTHER = '87654321';

let server: TestApp;
let remoteApp: TestApp;
let demo: Client;
let admin: Client;

beforeEach(async () => {
  [server, remoteApp] = [await openApp(), await openApp({ over: 'http' })];
  [demo, admin] = [await server.as('demo'), await server.as('admin')];
  const connection = { url: remoteApp.url, clientId: 'demo', clientSecret: 'demo' };
  await admin.call('POST', REMOTES, { name: 'la', companies: [COMPANY, OTHER], ...connection });
});
afterEach(async () => {
  await server.close();
  await remoteApp.close();
});

const start = (body: object, headers: Record<string, string> = {}, name = 'la') =>
  demo.call('POST', `${REMOTES}/${name}/comparisons`, body, headers);
const listed = async (): Promise<string[]> => {
  const lists = await Promise.all(
    [COMPANY, OTHER].map((one) => demo.call('GET', `/appliance/api/comparisons?cpfCnpjRaiz=${one}`)),
  );
  return lists.flatMap(({ json }) =>
    (json as { id: number; cpfCnpjRaiz: string }[]).map(({ id, cpfCnpjRaiz }) => `${id} ${cpfCnpjRaiz}`),
  );
};
const give = (papel: string, cpfCnpjRaiz: string) =>
  admin.call('POST', '/appliance/api/representations', {
    documento: '00000000191',
    cpfCnpjRaiz,
    perfil: 'IMPEXP',
    papel,
  });

test('a list is answered with one id per company, in its order, and repetitions count once', async () => {
  const { status, json } = await start({ companies: [OTHER, COMPANY, OTHER] });
  expect([status, json]).toEqual([202, { ids: [1, 2] }]);
  expect(await listed()).toEqual([`2 ${COMPANY}`, `1 ${OTHER}`]);
});

test('todas means the companies of the remote for which the caller has aprovacao', async () => {
  expect((await start({ companies: 'todas' })).json).toEqual({ ids: [1, 2] });
  await give('preenchimento', COMPANY);
  const { json } = await start({ companies: 'todas', force: true });
  expect(json).toEqual({ ids: [3] });
  expect(server.app.core.remote.store.findComparison(3)).toMatchObject({ cpfCnpjRaiz: OTHER, forced: true });
});

test('each company has its own audit entry', async () => {
  await start({ companies: 'todas' });
  const { json } = await admin.call('GET', '/appliance/api/audit');
  const entries = json.items as { action: string; after: object }[];
  const comparisons = entries.filter(({ action }) => action === 'COMPARACAO');
  expect(comparisons.map(({ after }) => after)).toMatchObject([
    { cpfCnpjRaiz: OTHER, id: 2 },
    { cpfCnpjRaiz: COMPANY, id: 1 },
  ]);
});

test('a repeated order is answered as the first one and begins nothing', async () => {
  const order = () => start({ companies: 'todas' }, { 'idempotency-key': 'a' });
  expect((await order()).json).toEqual({ ids: [1, 2] });
  expect((await order()).json).toEqual({ ids: [1, 2] });
  expect(await listed()).toHaveLength(2);
});

test('a company without aprovacao, or of another remote, begins none of them', async () => {
  await give('preenchimento', OTHER);
  expect((await start({ companies: [COMPANY, OTHER] })).status).toBe(403);
  await give('aprovacao', OTHER);
  await admin.call('PUT', `${REMOTES}/la`, { companies: [COMPANY] });
  const elsewhere = await start({ companies: [COMPANY, OTHER] });
  expect([elsewhere.status, elsewhere.json.detail[0]]).toMatchObject([
    422,
    { code: 'CATP-ER1502', path: '/companies/1' },
  ]);
  expect(await listed()).toEqual([]);
});

test('todas without a company of the caller is 422, an unknown remote 404, and one without address 422', async () => {
  await give('leitura', COMPANY);
  await admin.call('PUT', `${REMOTES}/la`, { companies: [COMPANY] });
  const none = await start({ companies: 'todas' });
  expect([none.status, none.json.detail[0]]).toMatchObject([
    422,
    { code: 'CATP-ER1502', path: '/companies' },
  ]);
  expect((await start({ companies: 'todas' }, {}, 'outro')).status).toBe(404);
  await admin.call('POST', REMOTES, { name: 'arquivos', companies: [OTHER] });
  const byFiles = await start({ companies: 'todas' }, {}, 'arquivos');
  expect([byFiles.status, byFiles.json.detail[0].code]).toEqual([422, 'CATP-ER1523']);
});

test.each([[{}], [{ cpfCnpjRaiz: COMPANY, companies: 'todas' }], [{ force: true }]])(
  '%j is 400: exactly one of cpfCnpjRaiz and companies is sent',
  async (body) => {
    const { status, json } = await start(body);
    expect([status, json.detail[0].path]).toEqual([400, '/companies']);
  },
);

test.each([['todos'], [[]], [[1]], [7], [Array.from({ length: 1001 }, () => COMPANY)]])(
  'companies that are no list of 1 to 1 000 roots, nor the text todas, are 422',
  async (companies) => {
    const { status, json } = await start({ companies });
    expect([status, json.detail[0].field]).toEqual([422, 'companies']);
  },
);

test('1 000 roots are accepted', async () => {
  const { status, json } = await start({ companies: Array.from({ length: 1000 }, () => COMPANY) });
  expect([status, json]).toEqual([202, { ids: [1] }]);
});
