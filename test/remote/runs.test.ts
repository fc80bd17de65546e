/** Plans of runs (contract section 18, Send): the steps, their order, and the refusals before the first. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/clock.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { COMPANY, type Exports, compare } from './support.ts';

let server: TestApp;
let demo: Client;
let admin: Client;

beforeEach(async () => {
  server = await openApp();
  demo = await server.as('demo');
  admin = await server.as('admin');
  await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: [COMPANY] });
});
afterEach(() => server.close());

const PLAIN = { denominacao: 'Caixa', descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const MAKER = { nome: 'Muster GmbH', logradouro: 'Hauptstrasse 1', nomeCidade: 'Bonn' };
const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;

const ok = async (method: string, path: string, body?: object) => {
  const reply = await demo.call(method, path, body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.json;
};
const include = async (denominacao: string): Promise<number> =>
  (await ok('POST', PRODUCTS, { ...PLAIN, denominacao })).codigo;
const deactivate = (codigo: number) => ok('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`);
const remoteProduct = (codigo: number, denominacao: string) => ({
  seq: codigo,
  codigo,
  cpfCnpjRaiz: COMPANY,
  situacao: 'Ativado',
  versao: '1',
  ...PLAIN,
  denominacao,
});

const compareFiles = async (files: Partial<Exports> = {}): Promise<number> =>
  (await compare(server, demo, files)).id;
const ask = (id: number, body: object = {}, client = demo) =>
  client.call('POST', `/appliance/api/comparisons/${id}/runs`, {
    direction: 'send',
    simulate: true,
    ...body,
  });

async function planRun(id: number, body: object = {}) {
  const started = await ask(id, body);
  if (started.status !== 202) throw new Error(started.text);
  await server.app.core.remote.runRunner.idle();
  const run = (await demo.call('GET', `/appliance/api/runs/${started.json.id}`)).json;
  const steps = (await demo.call('GET', `/appliance/api/runs/${started.json.id}/steps`)).json;
  return { run, steps };
}

describe('a simulated run', () => {
  test('has its steps in the order operators, products, links, deactivations', async () => {
    const [old, unchanged] = [await include('Velho'), await include('Mantido')];
    const exports = { produtos: [remoteProduct(1, 'Velho'), remoteProduct(2, 'Mantido')] };
    await compareFiles(exports);
    await deactivate(old);
    await ok('PUT', `${PRODUCTS}/${unchanged}`, { ...PLAIN, denominacao: 'Mudado' });
    const fresh = await include('Novo');
    const { codigo } = await ok('POST', `/catp/api/ext/operador-estrangeiro/${COMPANY}/DE`, MAKER);
    await ok('POST', `/catp/api/ext/fabricante/${COMPANY}`, {
      codigoProduto: fresh,
      conhecido: true,
      codigoPais: 'DE',
      codigoOperadorEstrangeiro: codigo,
    });
    const { run, steps } = await planRun(await compareFiles(exports));
    expect(run).toMatchObject({
      remote: 'portal',
      direction: 'send',
      simulated: true,
      state: 'done',
      total: 5,
      done: 0,
      sent: 0,
      notSent: { drafts: 0, pastVersions: 0, concessionActs: 0 },
      asked: {},
    });
    const counted = run.operations.map(
      ({ kind, operation, outcome, count }: Record<string, string>) =>
        `${kind} ${operation} ${outcome} ${count}`,
    );
    expect(counted.sort()).toEqual([
      'operador include pending 1',
      'produto deactivate pending 1',
      'produto include pending 1',
      'produto newVersion pending 1',
      'vinculo link pending 1',
    ]);
    expect(run.estimatedEnd).not.toBeNull();
    const lines = steps.map(
      ({ n, kind, operation, codigo: localCode, outcome }: Record<string, string>) =>
        `${n} ${kind} ${operation} ${localCode} ${outcome}`,
    );
    expect(lines).toEqual([
      `1 operador include ${codigo} pending`,
      '2 produto include 3 pending',
      '3 produto newVersion 2 pending',
      '4 vinculo link 3 pending',
      '5 produto deactivate 1 pending',
    ]);
  });

  test('has only the requested kinds, states and codes', async () => {
    for (const name of ['A', 'B', 'C']) await include(name);
    const id = await compareFiles();
    const totals = [];
    for (const choice of [{}, { kinds: ['operador'] }, { states: ['mudouAqui'] }, { codigos: ['1', '3'] }]) {
      const { run } = await planRun(id, choice);
      totals.push(run.total);
      expect(run.asked).toEqual(choice);
    }
    expect(totals).toEqual([3, 0, 0, 2]);
  });

  test('has the records of a code that two kinds share, or those of one of the kinds', async () => {
    const product = await include('A');
    const maker = await ok('POST', `/catp/api/ext/operador-estrangeiro/${COMPANY}/DE`, { ...MAKER });
    const { codigo } = maker;
    const link = { codigoProduto: product, conhecido: true, codigoPais: 'DE' };
    await ok('POST', `/catp/api/ext/fabricante/${COMPANY}`, { ...link, codigoOperadorEstrangeiro: codigo });
    const id = await compareFiles();
    const kindsOf = async (filter: object) =>
      (await planRun(id, filter)).steps.map(({ kind }: { kind: string }) => kind);
    expect(await kindsOf({ codigos: ['1'] })).toEqual(['produto', 'vinculo']);
    expect(await kindsOf({ codigos: ['1'], kinds: ['vinculo'] })).toEqual(['vinculo']);
    expect(await kindsOf({ codigos: ['1', codigo], kinds: ['operador', 'produto'] })).toEqual([
      'operador',
      'produto',
    ]);
  });

  test('skips records that changed locally since the comparison as mudouDepois', async () => {
    const codigo = await include('A');
    const id = await compareFiles();
    await ok('PUT', `${PRODUCTS}/${codigo}`, { ...PLAIN, denominacao: 'Outro' });
    const { run, steps } = await planRun(id);
    expect(run).toMatchObject({ total: 1, skipped: 1, done: 1, estimatedEnd: null });
    expect(steps).toMatchObject([{ outcome: 'skipped', code: 'mudouDepois', attempts: 0 }]);
    const all = `/appliance/api/runs/${run.id}/steps`;
    expect((await demo.call('GET', `${all}?outcome=pending`)).json).toEqual([]);
    expect((await demo.call('GET', `${all}?outcome=skipped&after=1`)).json).toEqual([]);
    expect((await demo.call('GET', `${all}?outcome=skipped&limit=1`)).json).toHaveLength(1);
  });

  test('states how many drafts and past versions are not sent', async () => {
    const codigo = await include('A');
    await ok('PUT', `${PRODUCTS}/${codigo}`, { ...PLAIN, denominacao: 'Outro' });
    const drafts = '/appliance/api/products/drafts';
    await demo.call('POST', drafts, { cpfCnpjRaiz: COMPANY, denominacao: 'Rascunho' });
    const { run } = await planRun(await compareFiles());
    expect(run).toMatchObject({ total: 1, notSent: { drafts: 1, pastVersions: 1, concessionActs: 0 } });
  });

  test('is listed newest first, visible to users who represent the company, and kept for 90 days', async () => {
    await include('A');
    const id = await compareFiles();
    const [first, second] = [(await planRun(id)).run.id, (await planRun(id)).run.id];
    const path = `/appliance/api/runs?cpfCnpjRaiz=${COMPANY}`;
    const ids = async (query = '') =>
      (await demo.call('GET', `${path}${query}`)).json.map((run: { id: number }) => run.id);
    expect(await ids()).toEqual([second, first]);
    expect(await ids('&remote=portal')).toEqual([second, first]);
    expect(await ids('&remote=outro')).toEqual([]);
    const stranger = await server.as('estranho');
    expect((await stranger.call('GET', path)).status).toBe(403);
    for (const below of ['', '/steps'])
      expect((await stranger.call('GET', `/appliance/api/runs/${first}${below}`)).status).toBe(404);
    const { runStore, retention } = server.app.core.remote;
    server.clock.moveTo(server.clock.now() + 90 * DAY_MS);
    expect(await retention.forgetOldRuns()).toBe(0);
    server.clock.moveTo(server.clock.now() + 1);
    expect(await retention.forgetOldRuns()).toBe(2);
    expect(runStore.find(first)).toBeUndefined();
  });

  test('is deleted with its remote', async () => {
    await include('A');
    const { run } = await planRun(await compareFiles());
    await admin.call('DELETE', '/appliance/api/remotes/portal');
    const { retention, runStore } = server.app.core.remote;
    await retention.runOnce();
    expect(runStore.find(run.id)).toBeUndefined();
  });
});

describe('a run is refused', () => {
  test('if it would send to a remote without an address', async () => {
    const id = await compareFiles();
    const refused = await ask(id, { simulate: false });
    expect([refused.status, refused.json.detail[0].code]).toEqual([422, 'CATP-ER1523']);
  });

  test('if the comparison is not the newest', async () => {
    const id = await compareFiles();
    await compareFiles();
    expect((await ask(id)).json.detail[0]).toMatchObject({ code: 'CATP-ER1506' });
  });

  test('if a state is not of its direction, or the comparison is of another company', async () => {
    const id = await compareFiles();
    expect((await ask(id, { states: ['soLa'] })).json.detail[0]).toMatchObject({
      code: 'CATP-ER1510',
      path: '/states',
    });
    expect((await ask(id, {}, await server.as('estranho'))).status).toBe(404);
    expect((await ask(id, { direction: 'ambos' })).status).toBe(400);
  });

  test('if no record of the requested kinds has one of the codes', async () => {
    await include('A');
    const { id } = await compare(server, demo, { produtos: [remoteProduct(70, 'Só lá')] });
    for (const [body, path] of [
      [{ codigos: ['1', '2'] }, '/codigos/1'],
      [{ codigos: ['01'] }, '/codigos/0'],
      [{ codigos: ['1,true'] }, '/codigos/0'],
      [{ codigos: ['1'], kinds: ['operador', 'vinculo'] }, '/codigos/0'],
      [{ codigos: ['OPE_1'] }, '/codigos/0'],
    ] as const) {
      const { status, json } = await ask(id, body);
      expect([status, json.detail[0]]).toMatchObject([422, { code: 'CATP-ER1535', path, field: 'codigos' }]);
    }
    // Code 70 is only remote, and 1 only local: both are in records.
    expect((await ask(id, { codigos: ['1', '70'] })).status).toBe(202);
  });

  test('if it would deactivate more than the greater of 10 and 5 % of the active remote records', async () => {
    const names = Array.from({ length: 11 }, (_, at) => `P ${at}`);
    const codes = [];
    for (const name of names) codes.push(await include(name));
    const exports = { produtos: codes.map((codigo, at) => remoteProduct(codigo, names[at] ?? '')) };
    await compareFiles(exports);
    for (const codigo of codes.slice(0, 10)) await deactivate(codigo);
    expect((await ask(await compareFiles(exports))).status).toBe(202);
    await deactivate(codes[10] ?? 0);
    const id = await compareFiles(exports);
    const refused = await ask(id);
    expect([refused.status, refused.json.detail[0].code]).toEqual([422, 'APPL-ER0451']);
    expect(refused.json.detail[0].message).toContain('11 produto(s)');
    expect((await ask(id, { maxDeactivations: 10 })).status).toBe(422);
    expect((await ask(id, { maxDeactivations: 11 })).status).toBe(202);
    expect((await ask(id, { codigos: codes.slice(0, 10).map(String) })).status).toBe(202);
    expect((await ask(id, { kinds: ['operador'] })).status).toBe(202);
    expect((await ask(id, { states: ['soAqui'] })).status).toBe(202);
  });
});
