/**
 * Two whole instances, one of which fetches the changes of the other: the exports of one are compared with
 * the other.
 */
import { afterEach, beforeEach } from 'bun:test';
import { TestClock } from '../../src/clock.ts';
import { type Client, type OpenAppOptions, START, type TestApp, openApp } from '../support/app.ts';
import { COMPANY, compare } from './support.ts';

export let clock: TestClock;
export let localApp: TestApp;
let remoteApp: TestApp;
export let ours: Client;
export let theirs: Client;

/** Opens both before each test, the remote set up for files. */
export function twoSidesForEachTest(): void {
  beforeEach(async () => {
    clock = new TestClock(START);
    [localApp, remoteApp] = [await openApp({ clock }), await openApp({ clock })];
    await signIn();
    const admin = await localApp.as('admin');
    await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: [COMPANY] });
  });
  afterEach(async () => {
    await localApp.close();
    await remoteApp.close();
  });
}

/** Restarts our instance on its folder. */
export async function restart(settings: OpenAppOptions['settings'] = {}): Promise<void> {
  await localApp.close({ keepFolder: true });
  localApp = await openApp({ clock, settings, folder: localApp.folder });
  await signIn();
}

/** Signs in again after the session ended, no sooner than a minute after the last sign-in. */
async function signIn(): Promise<void> {
  clock.moveTo(clock.now() + 61_000);
  [ours, theirs] = [await localApp.as('demo'), await remoteApp.as('demo')];
}

export const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
export const OPERATORS = `/catp/api/ext/operador-estrangeiro/${COMPANY}`;
export const LINKS = `/catp/api/ext/fabricante/${COMPANY}`;
export const PLAIN = { descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };
export const MAKER = { nome: 'Muster GmbH', logradouro: 'Hauptstrasse 1', nomeCidade: 'Bonn' };

export async function ok(client: Client, method: string, path: string, body?: object) {
  const reply = await client.call(method, path, body);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
  return reply.text === '' ? undefined : reply.json;
}
export const include = async (client: Client, denominacao: string, more: object = {}): Promise<number> =>
  (await ok(client, 'POST', PRODUCTS, { ...PLAIN, denominacao, ...more })).codigo;
export const change = (client: Client, codigo: number, denominacao: string) =>
  ok(client, 'PUT', `${PRODUCTS}/${codigo}`, { ...PLAIN, denominacao });
export const deactivate = (client: Client, codigo: number) =>
  ok(client, 'PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`);
export const maker = async (client: Client, more: object = {}): Promise<string> =>
  (await ok(client, 'POST', `${OPERATORS}/DE`, { ...MAKER, ...more })).codigo;
export const linkOf = (codigoProduto: number, codigoOperadorEstrangeiro: string) => ({
  codigoProduto,
  conhecido: true,
  codigoPais: 'DE',
  codigoOperadorEstrangeiro,
});

const EXPORTS = {
  produtos: `/catp/api/ext/produto/exportar/${COMPANY}/true`,
  operadores: `/catp/api/ext/operador-estrangeiro/exportar/${COMPANY}/true`,
  vinculos: `/catp/api/ext/fabricante/exportar/${COMPANY}`,
};

export async function compareAll() {
  const files: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(EXPORTS)) {
    const { status, bytes } = await theirs.call('GET', path);
    files[name] = status === 200 ? bytes : [];
  }
  return compare(localApp, ours, files);
}
export const counts = async () => (await compareAll()).comparison.counts;

export const ask = (id: number, body: object = {}, client = ours) =>
  client.call('POST', `/appliance/api/comparisons/${id}/runs`, { direction: 'fetch', ...body });

/** Runs both until neither has work. */
export async function waitUntilIdle(): Promise<void> {
  const { remote, imports } = localApp.app.core;
  while (remote.runStore.listOpen().length > 0) {
    await remote.runRunner.idle();
    await imports.runner.idle();
    await Bun.sleep(1);
  }
}

export const runWithSteps = async (id: number) => ({
  run: await ok(ours, 'GET', `/appliance/api/runs/${id}`),
  steps: await ok(ours, 'GET', `/appliance/api/runs/${id}/steps`),
});
export async function fetchChanges(body: object = {}, comparison?: number) {
  const started = await ask(comparison ?? (await compareAll()).id, body);
  if (started.status !== 202) throw new Error(started.text);
  await waitUntilIdle();
  return runWithSteps(started.json.id);
}
export const stepLines = (steps: Record<string, string>[]) =>
  steps.map(({ kind, operation, codigo, outcome }) => `${kind} ${operation} ${codigo} ${outcome}`);
export const product = async (codigo: number) =>
  (await ok(ours, 'GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`))?.[0];
