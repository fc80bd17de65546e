/** Remotes and comparisons (contract section 18): permissions, refusals, decisions of a person. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { DAY_MS } from '../../src/clock.ts';
import { type Client, type Reply, type TestApp, openApp } from '../support/app.ts';
import { COMPANY, NOTHING, compare, form } from './support.ts';

let server: TestApp;
let demo: Client;
let admin: Client;

beforeEach(async () => {
  server = await openApp();
  demo = await server.as('demo');
  admin = await server.as('admin');
  await admin.call('POST', REMOTES, { name: 'portal', companies: [COMPANY] });
});

afterEach(() => server.close());

const REMOTES = '/appliance/api/remotes';
const COMPARISONS = '/appliance/api/comparisons';
const PLAIN = { denominacao: 'Caixa', descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const PATH = `/catp/api/ext/produto/${COMPANY}`;

const include = async (members: object = {}) =>
  (await demo.call('POST', PATH, { ...PLAIN, ...members })).json.codigo as number;
const product = (codigo: number, members: object = {}) => ({
  ...{ seq: 1, codigo, cpfCnpjRaiz: COMPANY, situacao: 'Ativado', versao: '1', ...PLAIN },
  ...members,
});
const codes = ({ json }: Reply) => json.detail.map(({ code }: { code: string }) => code);
const compareNow = (produtos: unknown, fields = {}) => compare(server, demo, { produtos }, fields);

describe('a remote', () => {
  test('is created, changed and removed by an administrator; others see those of their companies', async () => {
    expect((await demo.call('POST', REMOTES, { name: 'x', companies: [COMPANY] })).status).toBe(403);
    expect((await demo.call('PUT', `${REMOTES}/portal`, { rules: 'portal' })).status).toBe(403);
    expect((await demo.call('DELETE', `${REMOTES}/portal`)).status).toBe(403);
    const portal = { name: 'portal', companies: [COMPANY], rules: 'portal' };
    expect((await demo.call('GET', REMOTES)).json).toEqual([portal]);
    expect((await demo.call('GET', `${REMOTES}/portal`)).json).toEqual(portal);
    const stranger = await server.as('estranho');
    expect((await stranger.call('GET', REMOTES)).json).toEqual([]);
    expect((await stranger.call('GET', `${REMOTES}/portal`)).status).toBe(404);
    const changed = await admin.call('PUT', `${REMOTES}/portal`, { rules: 'especificacao' });
    expect(changed.json).toEqual({ ...portal, rules: 'especificacao' });
    expect((await admin.call('DELETE', `${REMOTES}/portal`)).status).toBe(204);
    for (const method of ['GET', 'DELETE'] as const)
      expect((await admin.call(method, `${REMOTES}/portal`)).status).toBe(404);
    expect((await admin.call('PUT', `${REMOTES}/portal`, {})).status).toBe(404);
  });

  test('with an existing name is refused', async () => {
    const repeated = await admin.call('POST', REMOTES, { name: 'portal', companies: [COMPANY] });
    expect([repeated.status, codes(repeated)]).toEqual([422, ['CATP-ER1501']]);
  });

  test.each([
    ['a', 200],
    ['x'.repeat(40), 200],
    ['', 400],
    ['x'.repeat(41), 400],
    ['Portal', 400],
    ['a b', 400],
  ])('has a name of 1 to 40 small letters, digits and hyphens: %p', async (name, status) => {
    expect((await admin.call('POST', REMOTES, { name, companies: [COMPANY] })).status).toBe(status);
  });

  test('has at least one company', async () => {
    expect((await admin.call('POST', REMOTES, { name: 'x', companies: [] })).status).toBe(400);
  });

  test.each(['POST', 'PUT'])('with an unknown company is refused: %s', async (method) => {
    const body = { companies: [COMPANY, '99888777'], ...(method === 'POST' && { name: 'x' }) };
    const { json } = await admin.call(method, method === 'POST' ? REMOTES : `${REMOTES}/portal`, body);
    const unknown = { code: 'CATP-ER1202', field: 'companies', path: '/companies/1' };
    expect(json).toMatchObject({ status: 422, detail: [unknown] });
  });

  test('loses its comparisons and pairs when it is removed; one of the same name starts new', async () => {
    await include();
    const { id } = await compareNow([product(7)]);
    await admin.call('DELETE', `${REMOTES}/portal`);
    expect((await demo.call('GET', `${COMPARISONS}?cpfCnpjRaiz=${COMPANY}`)).json).toEqual([]);
    await server.app.core.jobs.find(({ name }) => name === 'comparacoes-antigas')?.runOnce();
    expect((await demo.call('GET', `${COMPARISONS}/${id}`)).status).toBe(404);
    await admin.call('POST', REMOTES, { name: 'portal', companies: [COMPANY] });
    expect((await compareNow([])).records).toMatchObject([{ state: 'soAqui' }]);
  });
});

describe('a comparison', () => {
  const start = (body: unknown, name = 'portal', client = demo) =>
    client.call('POST', `${REMOTES}/${name}/comparisons`, body);

  test('can be started by users who may write for the company, if the remote has the company', async () => {
    expect((await start(form({ ...NOTHING }), 'portal', admin)).status).toBe(403);
    expect((await start(form({ ...NOTHING }, { cpfCnpjRaiz: '11222333' }))).status).toBe(403);
    expect((await start(form({ ...NOTHING }), 'outro')).status).toBe(404);
    await admin.call('PUT', `${REMOTES}/portal`, { companies: ['11222333'] });
    const refused = await start(form({ ...NOTHING }));
    expect([refused.status, codes(refused)]).toEqual([422, ['CATP-ER1502']]);
    expect(refused.json.detail[0].message).toContain('tem 11222333');
  });

  test('needs its three files', async () => {
    const { vinculos: _, ...two } = NOTHING;
    const refused = await start(form(two));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('vinculos');
    expect(codes(await start({ cpfCnpjRaiz: COMPANY }))).toEqual(['CATP-ER1523']);
  });

  test("reads the zips of catp's own exports, which are all equal", async () => {
    await include();
    const of = async (path: string) => (await demo.call('GET', path)).bytes;
    const files = {
      produtos: await of(`/catp/api/ext/produto/exportar/${COMPANY}/true`),
      operadores: await of(`/catp/api/ext/operador-estrangeiro/exportar/${COMPANY}/true`),
      vinculos: await of(`/catp/api/ext/fabricante/exportar/${COMPANY}`),
    };
    const { comparison } = await compare(server, demo, files);
    expect(comparison).toMatchObject({ state: 'done', error: null, counts: { produto: { igual: 1 } } });
  });

  test.each([
    ['{}', 'produtos: JSON inválido'],
    [[1], 'produtos, item 1 (linha 1): não é um objeto JSON.'],
    [[{ denominacao: 'x' }], 'produtos, item 1 (linha 1): não tem codigo'],
    [[product(1, { cpfCnpjRaiz: '11222333' })], 'é da empresa 11222333, e a comparação é de 12345678.'],
  ])('of a file that is no export fails with the reason: %#', async (produtos, reason) => {
    const { comparison } = await compareNow(
      typeof produtos === 'string' ? new TextEncoder().encode(produtos) : produtos,
    );
    const error = { code: 'CATP-ER1529', message: expect.stringContaining(reason) };
    expect(comparison).toMatchObject({ state: 'failed', counts: null, error });
  });

  test('fails if more than half of the known records are missing; half is accepted, and force continues', async () => {
    const names = ['A', 'B', 'C', 'D'];
    for (const denominacao of names) await include({ denominacao });
    const all = names.map((denominacao, at) => product(at + 1, { denominacao }));
    await compareNow(all);
    expect((await compareNow(all.slice(0, 2))).comparison.state).toBe('done');
    const { comparison, id } = await compareNow(all.slice(0, 1));
    const message = expect.stringContaining('faltam 3 dos 4 produtos');
    expect(comparison).toMatchObject({ state: 'failed', error: { code: 'CATP-ER1528', message } });
    const records = await demo.call('GET', `${COMPARISONS}/${id}/records`);
    expect([records.status, codes(records)]).toEqual([422, ['CATP-ER1503']]);
    const forced = await compareNow(all.slice(0, 1), { force: 'true' });
    expect(forced.comparison.counts.produto).toEqual({ igual: 1, desativadoLa: 3 });
  });

  test('is listed newest first, for one remote or all', async () => {
    await admin.call('POST', REMOTES, { name: 'outro', companies: [COMPANY] });
    const [first, second] = [await compareNow([]), await compare(server, demo, {}, {}, 'outro')];
    const listed = async (query: string) =>
      (await demo.call('GET', `${COMPARISONS}?cpfCnpjRaiz=${COMPANY}${query}`)).json.map(
        ({ id }: { id: number }) => id,
      );
    expect(await listed('')).toEqual([second.id, first.id]);
    expect(await listed('&remote=portal')).toEqual([first.id]);
    expect((await demo.call('GET', `${COMPARISONS}?cpfCnpjRaiz=11222333`)).status).toBe(403);
    const stranger = await server.as('estranho');
    expect((await stranger.call('GET', `${COMPARISONS}/${first.id}`)).status).toBe(404);
  });

  test('is kept for 30 days', async () => {
    const { id } = await compareNow([]);
    const job = server.app.core.jobs.find(({ name }) => name === 'comparacoes-antigas');
    const isThere = () => server.app.core.db.prepare('SELECT 1 FROM remote_comparison WHERE id = ?').get(id);
    server.clock.moveTo(server.clock.now() + 30 * DAY_MS);
    await job?.runOnce();
    expect(isThere()).toBeDefined();
    server.clock.moveTo(server.clock.now() + 1);
    await job?.runOnce();
    expect(isThere()).toBeUndefined();
  });

  test('continues after a restart, and keeps none of its files', async () => {
    await include();
    await server.app.stop();
    const { id } = (await start(form({ ...NOTHING, produtos: [product(7)] }))).json;
    expect((await demo.call('GET', `${COMPARISONS}/${id}`)).json.state).toBe('queued');
    await server.close({ keepFolder: true });
    server = await openApp({ folder: server.folder, clock: server.clock });
    demo = await server.as('demo');
    await server.app.core.remote.runner.idle();
    expect((await demo.call('GET', `${COMPARISONS}/${id}`)).json).toMatchObject({
      ...{ state: 'done', counts: { produto: { igual: 1 } } },
    });
    expect(readdirSync(join(server.folder, 'imports'))).toEqual([]);
  });
});

describe('the records of a comparison', () => {
  beforeEach(async () => {
    for (const denominacao of ['Água', 'Óleo', 'Cal']) await include({ denominacao });
  });

  test('are filtered by kind, state and text, a page at a time', async () => {
    const { id } = await compareNow([product(7, { denominacao: 'Cal' })]);
    const read = async (query: string) =>
      (await demo.call('GET', `${COMPARISONS}/${id}/records?${query}`)).json;
    expect(await read('state=igual')).toMatchObject({ items: [{ codigo: '3' }], total: 1, next: null });
    expect(await read('text=oleo')).toMatchObject({ items: [{ codigo: '2' }], total: 1 });
    expect(await read('kind=operador')).toMatchObject({ items: [], total: 0 });
    const first = await read('limit=2');
    expect(first).toMatchObject({ items: [{ codigo: '1' }, { codigo: '2' }], total: 3 });
    expect(await read(`limit=2&after=${first.next}`)).toMatchObject({ items: [{ codigo: '3' }], next: null });
    expect((await demo.call('GET', `${COMPARISONS}/${id}/records?limit=501`)).status).toBe(400);
    expect((await demo.call('GET', `${COMPARISONS}/${id}/records?limit=500`)).status).toBe(200);
  });

  test('are exported as CSV and XLSX with the same filters', async () => {
    const { id } = await compareNow([product(7, { denominacao: 'Cal' })]);
    const csv = (await demo.call('GET', `${COMPARISONS}/${id}/records.csv?state=soAqui`)).text;
    expect(csv.split('\r\n')[1]).toBe('Produto;1;;;Água;Só aqui;;;;');
    expect(csv).not.toContain('Cal');
    const xlsx = await demo.call('GET', `${COMPARISONS}/${id}/records.xlsx`);
    expect(Object.keys(unzipSync(xlsx.bytes))).toContain('xl/worksheets/sheet1.xml');
  });
});

describe('a person decides', () => {
  const pair = (id: number, body: object) =>
    demo.call('POST', `${COMPARISONS}/${id}/pairs`, { kind: 'produto', ...body });

  test('which remote record an ambiguous one is, and the next comparison uses it', async () => {
    await include();
    const files = [product(7), product(8)];
    const { id } = await compareNow(files);
    expect((await pair(id, { codigo: '1', remoteCodigo: '8' })).json).toMatchObject({
      ...{ codigo: '1', remoteCodigo: '8', state: 'igual', candidates: [] },
    });
    expect((await demo.call('GET', `${COMPARISONS}/${id}`)).json.counts.produto).toEqual({ igual: 1 });
    expect((await compareNow(files)).records).toMatchObject([
      { codigo: '1', remoteCodigo: '8', state: 'igual' },
      { remoteCodigo: '7', state: 'soLa' },
    ]);
  });

  test('also after a later comparison failed', async () => {
    await include();
    const { id } = await compareNow([product(7), product(8)]);
    expect((await compareNow([{}])).comparison.state).toBe('failed');
    expect((await pair(id, { codigo: '1', remoteCodigo: '8' })).status).toBe(200);
  });

  test('that the record is new in the remote', async () => {
    await include({ codigosInterno: ['P'] });
    const files = [
      product(7, { codigosInterno: ['P', 'Q'] }),
      product(8, { codigosInterno: ['P'], denominacao: 'B' }),
    ];
    await admin.call('PUT', `${REMOTES}/portal`, { rules: 'especificacao' });
    const { id } = await compareNow(files);
    expect((await pair(id, { codigo: '1', remoteCodigo: null })).json).toMatchObject({
      ...{ remoteCodigo: null, state: 'soAqui' },
    });
    expect((await compareNow(files)).records).toMatchObject([
      { state: 'soAqui' },
      { state: 'soLa' },
      { state: 'soLa' },
    ]);
  });

  test.each([
    ['here', 'mudouAqui'],
    ['there', 'mudouLa'],
  ])('whose content is right, %p', async (keep, state) => {
    await include({ denominacao: 'Daqui', codigosInterno: ['P'] });
    const files = [product(7, { denominacao: 'De lá', codigosInterno: ['P'] })];
    const { id } = await compareNow(files);
    const decided = await pair(id, { codigo: '1', remoteCodigo: '7', keep });
    expect(decided.json).toMatchObject({ remoteCodigo: '7', state });
    expect((await compareNow(files)).records).toMatchObject([{ state }]);
  });

  test('whose situation is right, with a warning about what it deactivates', async () => {
    await include({ denominacao: 'Daqui', codigosInterno: ['P'] });
    await include({ denominacao: 'Caída aqui', codigosInterno: ['Q'] });
    await demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/2`);
    const files = [
      product(7, { denominacao: 'De lá', codigosInterno: ['P'], situacao: 'Desativado' }),
      product(8, { denominacao: 'De lá também', codigosInterno: ['Q'] }),
    ];
    const { id } = await compareNow(files);
    const decided = [
      await pair(id, { codigo: '1', remoteCodigo: '7', keep: 'there' }),
      await pair(id, { codigo: '2', remoteCodigo: '8', keep: 'here' }),
    ];
    const states = ['desativadoLa', 'desativadoAqui'];
    expect(decided.map(({ json }) => json.state)).toEqual(states);
    // The limit applies to both.
    const [fetched, sending] = [{ direction: 'fetch' }, { direction: 'send', simulate: true }];
    for (const choice of [fetched, sending])
      expect(
        codes(await demo.call('POST', `${COMPARISONS}/${id}/runs`, { ...choice, maxDeactivations: 0 })),
      ).toEqual(['APPL-ER0451']);
    const { json: run } = await demo.call('POST', `${COMPARISONS}/${id}/runs`, sending);
    await server.app.core.remote.runRunner.idle();
    const steps = await demo.call('GET', `/appliance/api/runs/${run.id}/steps`);
    expect(steps.json).toMatchObject([{ codigo: '2', operation: 'deactivate', outcome: 'pending' }]);
    expect((await compareNow(files)).records.map(({ state }: { state: string }) => state)).toEqual(states);
  });

  test('nothing for a record without doubt, an unknown record or candidate, or an older comparison', async () => {
    await include();
    await include({ denominacao: 'B' });
    const files = [product(7), product(8), product(9, { denominacao: 'B' })];
    const old = await compareNow(files);
    const { id } = await compareNow(files);
    const refused = async (comparison: number, body: object) => {
      const reply = await pair(comparison, body);
      return reply.status === 404 ? 404 : codes(reply);
    };
    expect(await refused(id, { codigo: '2', remoteCodigo: '7' })).toEqual(['CATP-ER1504']);
    expect(await refused(id, { codigo: '3', remoteCodigo: '7' })).toBe(404);
    expect(await refused(id, { codigo: '1', remoteCodigo: '10' })).toEqual(['CATP-ER1505']);
    expect(await refused(id, { codigo: '1', remoteCodigo: '9' })).toEqual(['CATP-ER1505']);
    expect(await refused(old.id, { codigo: '1', remoteCodigo: '7' })).toEqual(['CATP-ER1506']);
    const stranger = await server.as('estranho');
    const body = { kind: 'produto', codigo: '1', remoteCodigo: '7' };
    expect((await stranger.call('POST', `${COMPARISONS}/${id}/pairs`, body)).status).toBe(404);
  });
});

describe('the files to upload', () => {
  const filesOf = async (id: number, query = '') => {
    const zip = await demo.call('GET', `${COMPARISONS}/${id}/files.zip${query}`);
    expect(zip.headers.get('content-type')).toBe('application/zip');
    return Object.fromEntries(
      Object.entries(unzipSync(zip.bytes)).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]),
    );
  };

  test('are numbered in the order of sending, with the remote codes', async () => {
    const first = { denominacao: 'A', codigosInterno: ['A'] };
    const codigo = await include(first);
    const link = { seq: 1, cpfCnpjRaiz: COMPANY, conhecido: false, codigoPais: 'CN' };
    const old = await include({ denominacao: 'B' });
    const before = [product(70, first), product(80, { denominacao: 'B' })];
    await compareNow(before);
    await demo.call('PUT', `${PATH}/${codigo}`, { ...PLAIN, ...first, denominacao: 'A2' });
    await demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${old}`);
    const fresh = await include({ denominacao: 'C' });
    await demo.call('POST', '/catp/api/ext/fabricante', [
      { ...link, codigoProduto: codigo },
      { ...link, seq: 2, codigoProduto: fresh },
    ]);
    const { id } = await compareNow(before);
    const files = await filesOf(id);
    expect(Object.keys(files)).toEqual([
      '0001-produtos.json',
      '0002-vinculos.json',
      '0003-produtos-a-desativar.json',
      'LEIA-ME.txt',
    ]);
    const [toInclude, toChange] = JSON.parse(files['0001-produtos.json'] ?? '');
    expect(toInclude).toMatchObject({ seq: 1, denominacao: 'C', cpfCnpjRaiz: COMPANY });
    expect(toChange).toMatchObject({ seq: 2, codigo: 70, denominacao: 'A2' });
    expect([toInclude.codigo, toChange.versao]).toEqual([undefined, undefined]);
    expect(JSON.parse(files['0002-vinculos.json'] ?? '')).toMatchObject([
      { codigoProduto: 70, conhecido: false, codigoPais: 'CN', vincular: true },
    ]);
    expect(JSON.parse(files['0003-produtos-a-desativar.json'] ?? '')).toMatchObject([
      { codigo: 80, situacao: 'DESATIVADO' },
    ]);
    expect(files['LEIA-ME.txt']).toContain(
      '1 vínculo(s) são de produtos ou operadores que ainda não estão lá',
    );
    expect(Object.keys(await filesOf(id, '?kinds=vinculo&states=soAqui'))).toEqual([
      '0001-vinculos.json',
      'LEIA-ME.txt',
    ]);
    expect((await demo.call('GET', `${COMPARISONS}/${id}/files.zip?states=igual`)).status).toBe(400);
  });

  test('have at most 100 items each', async () => {
    const items = (count: number, from = 0) =>
      Array.from({ length: count }, (_, at) => ({
        ...{ seq: at + 1, cpfCnpjRaiz: COMPANY, ...PLAIN, denominacao: `P ${from + at}` },
      }));
    await demo.call('POST', '/catp/api/ext/produto', items(100));
    expect(Object.keys(await filesOf((await compareNow([])).id))).toEqual([
      '0001-produtos.json',
      'LEIA-ME.txt',
    ]);
    await demo.call('POST', '/catp/api/ext/produto', items(1, 100));
    const files = await filesOf((await compareNow([])).id);
    const counts = ['0001-produtos.json', '0002-produtos.json'].map(
      (name) => JSON.parse(files[name] ?? '[]').length,
    );
    expect(counts).toEqual([100, 1]);
  });
});
