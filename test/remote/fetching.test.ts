/**
 * What changed on the other side comes in (contract section 18, Fetch): both sides are whole instances, and the exports of one are
 * compared with the other.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { TestClock } from '../../src/clock.ts';
import { Random } from '../simulation/random.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';
import { COMPANY, compare } from './support.ts';

let clock: TestClock;
let here: TestApp;
let there: TestApp;
let ours: Client;
let theirs: Client;

beforeEach(async () => {
  clock = new TestClock(START);
  [here, there] = [await openApp({ clock }), await openApp({ clock })];
  await signIn();
  const admin = await here.as('admin');
  await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: [COMPANY] });
});
afterEach(async () => {
  await here.close();
  await there.close();
});

/** Sessions end, and a new one is opened no sooner than a minute after the last. */
async function signIn(): Promise<void> {
  clock.moveTo(clock.now() + 61_000);
  [ours, theirs] = [await here.as('demo'), await there.as('demo')];
}

const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const OPERATORS = `/catp/api/ext/operador-estrangeiro/${COMPANY}`;
const LINKS = `/catp/api/ext/fabricante/${COMPANY}`;
const PLAIN = { descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const MAKER = { nome: 'Muster GmbH', logradouro: 'Hauptstrasse 1', nomeCidade: 'Bonn' };

async function ok(client: Client, method: string, path: string, body?: object) {
  const reply = await client.call(method, path, body);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
  return reply.text === '' ? undefined : reply.json;
}
const include = async (client: Client, denominacao: string, more: object = {}): Promise<number> =>
  (await ok(client, 'POST', PRODUCTS, { ...PLAIN, denominacao, ...more })).codigo;
const change = (client: Client, codigo: number, denominacao: string) =>
  ok(client, 'PUT', `${PRODUCTS}/${codigo}`, { ...PLAIN, denominacao });
const deactivate = (client: Client, codigo: number) =>
  ok(client, 'PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`);
const maker = async (client: Client, more: object = {}): Promise<string> =>
  (await ok(client, 'POST', `${OPERATORS}/DE`, { ...MAKER, ...more })).codigo;
const linkOf = (codigoProduto: number, codigoOperadorEstrangeiro: string) => ({
  ...{ codigoProduto, conhecido: true, codigoPais: 'DE', codigoOperadorEstrangeiro },
});

const EXPORTS = {
  produtos: `/catp/api/ext/produto/exportar/${COMPANY}/true`,
  operadores: `/catp/api/ext/operador-estrangeiro/exportar/${COMPANY}/true`,
  vinculos: `/catp/api/ext/fabricante/exportar/${COMPANY}`,
};

async function compared() {
  const files: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(EXPORTS)) {
    const { status, bytes } = await theirs.call('GET', path);
    files[name] = status === 200 ? bytes : [];
  }
  return compare(here, ours, files);
}
const counts = async () => (await compared()).comparison.counts;

const ask = (id: number, body: object = {}, client = ours) =>
  client.call('POST', `/appliance/api/comparisons/${id}/runs`, { direction: 'fetch', ...body });

/** Both of them work until neither has anything to do. */
async function settled(): Promise<void> {
  const { remote, imports } = here.app.core;
  while (remote.runStore.listOpen().length > 0) {
    await remote.runRunner.idle();
    await imports.runner.idle();
    await Bun.sleep(1);
  }
}

const shown = async (id: number) => ({
  run: await ok(ours, 'GET', `/appliance/api/runs/${id}`),
  steps: await ok(ours, 'GET', `/appliance/api/runs/${id}/steps`),
});
async function fetched(body: object = {}, comparison?: number) {
  const started = await ask(comparison ?? (await compared()).id, body);
  if (started.status !== 202) throw new Error(started.text);
  await settled();
  return shown(started.json.id);
}
const told = (steps: Record<string, string>[]) =>
  steps.map(({ kind, operation, codigo, outcome }) => `${kind} ${operation} ${codigo} ${outcome}`);
const product = async (codigo: number) =>
  (await ok(ours, 'GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`))?.[0];

describe('what is only there', () => {
  test('comes in order, under its own codes, and all is igual afterwards', async () => {
    const codigo = await include(theirs, 'Caixa', { codigosInterno: ['A', 'B'] });
    await ok(theirs, 'POST', LINKS, linkOf(codigo, await maker(theirs)));
    const { run, steps } = await fetched();
    expect(told(steps)).toEqual([
      'operador include OPE_1 sent',
      'produto include 1 sent',
      'vinculo link 1 sent',
    ]);
    expect(run).toMatchObject({
      ...{ direction: 'fetch', state: 'done', total: 3, done: 3, sent: 3, refused: 0, skipped: 0 },
      ...{ notSent: null, estimatedEnd: null },
    });
    expect(run.imports).toHaveLength(3);
    expect(await product(1)).toMatchObject({ denominacao: 'Caixa', codigosInterno: ['A', 'B'], versao: '1' });
    expect(await counts()).toEqual({ operador: { igual: 1 }, produto: { igual: 1 }, vinculo: { igual: 1 } });
  });

  test('gets a code behind the highest of both sides, where its own is taken here', async () => {
    for (const name of ['Daqui 1', 'Daqui 2']) await include(ours, name);
    await maker(ours, { nome: 'Anderer' });
    for (const name of ['La 1', 'La 2', 'La 3', 'La 4']) await include(theirs, name);
    const codigo = await maker(theirs);
    await ok(theirs, 'POST', LINKS, linkOf(1, codigo));
    const { steps } = await fetched();
    expect(told(steps)).toEqual([
      'operador include OPE_2 sent',
      'produto include 5 sent',
      'produto include 6 sent',
      'produto include 3 sent',
      'produto include 4 sent',
      'vinculo link 5 sent',
    ]);
    expect(await include(ours, 'Depois')).toBe(7);
    expect(await counts()).toEqual({
      ...{ operador: { igual: 1, soAqui: 1 }, produto: { igual: 4, soAqui: 3 }, vinculo: { igual: 1 } },
    });
  });

  test('comes as what it is: drafts as drafts, the deactivated deactivated', async () => {
    const drafts = '/appliance/api/products/drafts';
    await ok(theirs, 'POST', drafts, { cpfCnpjRaiz: COMPANY, denominacao: 'Rascunho' });
    const old = await include(theirs, 'Velho');
    const operator = await maker(theirs);
    await ok(theirs, 'POST', LINKS, linkOf(old, operator));
    await deactivate(theirs, old);
    await ok(theirs, 'PUT', `/catp/api/ext/operador-estrangeiro/desativar/${COMPANY}/DE/${operator}/1`);
    const { run } = await fetched();
    expect(run).toMatchObject({ state: 'done', refused: 0, skipped: 0 });
    expect([(await product(1)).situacao, (await product(2)).situacao]).toEqual(['RASCUNHO', 'DESATIVADO']);
    const after = await counts();
    expect([after.produto, after.operador]).toEqual([{ igual: 2 }, { igual: 1 }]);
  });

  test('that the rules of here refuse is refused with their words, and what hangs on it too', async () => {
    const codigo = await include(theirs, 'Caixa');
    await ok(theirs, 'POST', LINKS, linkOf(codigo, await maker(theirs)));
    const twin = await include(ours, 'Igual');
    await ok(ours, 'PUT', `${PRODUCTS}/${twin}`, { ...PLAIN, denominacao: 'Caixa', codigosInterno: ['Z'] });
    const { run, steps } = await fetched({ codigos: ['1', 'OPE_1'] });
    expect(run.state).toBe('done');
    // The same content, and another internal code: who is who is a person's to say.
    expect(told(steps)).toEqual(['operador include OPE_1 sent', 'vinculo link 1 refused']);
    expect(steps[1]).toMatchObject({
      code: 'CATP-ER1526',
      message: expect.stringContaining('o produto 1 de lá'),
    });
  });
});
