/** Decisions about many records with one request (contract section 25): all of them, or none. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { COMPANY, compare } from './support.ts';

const PLAIN = { descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };

let server: TestApp;
let demo: Client;
let admin: Client;

beforeEach(async () => {
  server = await openApp();
  [demo, admin] = [await server.as('demo'), await server.as('admin')];
  await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: [COMPANY] });
});
afterEach(() => server.close());

const include = (members: object) =>
  demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, { ...PLAIN, ...members });
const remoteProduct = (codigo: number, members: object) => ({
  seq: 1,
  codigo,
  cpfCnpjRaiz: COMPANY,
  situacao: 'Ativado',
  versao: '1',
  ...PLAIN,
  ...members,
});
const decide = (id: number, decisions: unknown, client = demo) =>
  client.call('POST', `/appliance/api/comparisons/${id}/pairs`, decisions);
const pair = (codigo: string, remoteCodigo: string | null, more: object = {}) => ({
  kind: 'produto',
  codigo,
  remoteCodigo,
  ...more,
});

/**
 * Products 1 and 2 changed on both sides (remote 7 and 8), 3 is doubtful (remote 9 or 10), 4 is equal; 12
 * and 13 are only remote.
 */
async function compareCatalogues(): Promise<number> {
  for (const codigo of ['P', 'Q'])
    await include({ denominacao: `Daqui ${codigo}`, codigosInterno: [codigo] });
  await include({ denominacao: 'Caixa' });
  await include({ denominacao: 'Igual' });
  const { id } = await compare(server, demo, {
    produtos: [
      remoteProduct(7, { denominacao: 'De lá P', codigosInterno: ['P'] }),
      remoteProduct(8, { denominacao: 'De lá Q', codigosInterno: ['Q'] }),
      remoteProduct(9, { denominacao: 'Caixa' }),
      remoteProduct(10, { denominacao: 'Caixa' }),
      remoteProduct(11, { denominacao: 'Igual' }),
      remoteProduct(12, { denominacao: 'Só lá' }),
      remoteProduct(13, { denominacao: 'Também só lá' }),
    ],
  });
  return id;
}
const difference = (here: string, remote: string) => ({
  member: 'denominacao',
  heading: 'Denominação',
  here,
  there: remote,
  base: null,
});
const countsOf = async (id: number) =>
  (await demo.call('GET', `/appliance/api/comparisons/${id}`)).json.counts.produto;

test('a list is decided in one step, and answers each record in its order', async () => {
  const id = await compareCatalogues();
  const { status, json } = await decide(id, [
    pair('3', '10'),
    pair('2', '8', { keep: 'there' }),
    pair('1', '7', { keep: 'here' }),
  ]);
  expect(status).toBe(200);
  expect(json.map(({ codigo, state }: { codigo: string; state: string }) => [codigo, state])).toEqual([
    ['3', 'igual'],
    ['2', 'mudouLa'],
    ['1', 'mudouAqui'],
  ]);
  expect(await countsOf(id)).toEqual({ igual: 2, mudouAqui: 1, mudouLa: 1, soLa: 2 });
});

test('each record that becomes mudouNosDois has its own differences', async () => {
  const id = await compareCatalogues();
  const [first, second] = (await decide(id, [pair('1', '12'), pair('2', '13')])).json;
  expect(first.state).toBe('mudouNosDois');
  expect(first.differences).toContainEqual(difference('Daqui P', 'Só lá'));
  expect(second.differences).toContainEqual(difference('Daqui Q', 'Também só lá'));
});

test('one refused decision leaves all undecided, and the refusal points at it', async () => {
  const id = await compareCatalogues();
  const before = await countsOf(id);
  for (const [decision, status, refusal] of [
    [pair('4', '11'), 422, { code: 'CATP-ER1504', path: '/1/codigo', field: 'codigo' }],
    [pair('3', '99'), 422, { code: 'CATP-ER1505', path: '/1/remoteCodigo' }],
    [pair('2', '7'), 422, { code: 'CATP-ER1505', path: '/1/remoteCodigo' }],
    [pair('1', '7'), 422, { code: 'CATP-ER1504', path: '/1/codigo' }],
  ] as const) {
    const reply = await decide(id, [pair('1', '7', { keep: 'here' }), decision]);
    expect([reply.status, reply.json.detail[0]]).toMatchObject([status, refusal]);
  }
  expect((await decide(id, [pair('1', '7', { keep: 'here' }), pair('5', null)])).status).toBe(404);
  expect(await countsOf(id)).toEqual(before);
  expect((await decide(id, [pair('1', '7', { keep: 'here' })])).status).toBe(200);
});

test('a user without aprovacao decides nothing', async () => {
  const id = await compareCatalogues();
  const right = { documento: '00000000191', cpfCnpjRaiz: COMPANY, perfil: 'IMPEXP', papel: 'leitura' };
  await admin.call('POST', '/appliance/api/representations', right);
  expect((await decide(id, [pair('1', '7', { keep: 'here' })])).status).toBe(403);
  expect((await decide(id, [pair('1', '7')], await server.as('estranho'))).status).toBe(404);
});

test('an empty list, one of more than 1 000 and a wrong item are 400', async () => {
  const id = await compareCatalogues();
  const all = Array.from({ length: 1001 }, () => pair('1', '7'));
  for (const [list, path] of [
    [[], ''],
    [all, ''],
    [[pair('1', '7'), { kind: 'produto', remoteCodigo: null }], '/1/codigo'],
    [[pair('1', '7'), { ...pair('1', '7'), keep: 'both' }], '/1/keep'],
    ['1', ''],
  ] as const) {
    const { status, json } = await decide(id, list);
    expect([status, json.detail[0].path]).toEqual([400, path]);
  }
});

test('1 000 decisions with the longest codes are read', async () => {
  const id = await compareCatalogues();
  const longest = { kind: 'operador', codigo: 'Z'.repeat(35), remoteCodigo: 'Z'.repeat(35), keep: 'there' };
  const reply = await decide(
    id,
    Array.from({ length: 1000 }, () => longest),
  );
  expect(reply.status).toBe(404);
});
