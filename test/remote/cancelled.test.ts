/**
 * Cancelled comparisons, and the kept data of comparisons that a newer one replaces (contract sections 16,
 * 18).
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { endOfTurn } from '../../src/clock.ts';
import { REMOTE_QUERIES } from '../../src/remote/store.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { COMPANY, NOTHING, compare, form } from './support.ts';

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

const COMPARISONS = '/appliance/api/comparisons';
const PLAIN = { denominacao: 'Caixa', descricao: null, modalidade: 'IMPORTACAO', ncm: '39269090' };
const remoteProduct = (codigo: number, members: object = {}) => ({
  seq: codigo,
  codigo,
  cpfCnpjRaiz: COMPANY,
  situacao: 'Ativado',
  versao: '1',
  ...PLAIN,
  atributos: null,
  atributosMultivalorados: [],
  atributosCompostos: null,
  codigosInterno: null,
  ...members,
});
const start = async (): Promise<number> => {
  const path = '/appliance/api/remotes/portal/comparisons';
  const { status, json } = await demo.call('POST', path, form(NOTHING));
  expect(status).toBe(202);
  return json.id;
};
const get = async (id: number) => (await demo.call('GET', `${COMPARISONS}/${id}`)).json;
const filesOf = (): string[] => readdirSync(join(server.folder, 'imports'));

describe('a comparison', () => {
  test('that is queued can be cancelled by a colleague, and keeps no files; cancelling again changes nothing', async () => {
    await server.app.core.remote.runner.stop();
    const id = await start();
    expect(filesOf()).not.toEqual([]);
    const colleague = await server.as('demo2');
    expect((await colleague.call('DELETE', `${COMPARISONS}/${id}`)).status).toBe(204);
    const cancelled = await get(id);
    expect(filesOf()).toEqual([]);
    expect(cancelled).toMatchObject({ state: 'cancelled', error: { message: 'cancelada por 00000000272' } });
    expect((await demo.call('DELETE', `${COMPARISONS}/${id}`)).status).toBe(204);
    expect(await get(id)).toEqual(cancelled);
    server.app.core.remote.runner.start();
    await server.app.core.remote.runner.idle();
    expect(await get(id)).toEqual(cancelled);
  });

  test('that is running can be cancelled, and none of its results is kept', async () => {
    const id = await start();
    expect((await demo.call('DELETE', `${COMPARISONS}/${id}`)).status).toBe(204);
    await server.app.core.remote.runner.idle();
    expect((await get(id)).state).toBe('cancelled');
    while (filesOf().length > 0) await endOfTurn();
    expect((await compare(server, demo, {})).comparison.state).toBe('done');
  });

  test('that has ended does not change; strangers get 404', async () => {
    const { id, comparison } = await compare(server, demo, {});
    const stranger = await server.as('estranho');
    expect((await stranger.call('DELETE', `${COMPARISONS}/${id}`)).status).toBe(404);
    expect((await demo.call('DELETE', `${COMPARISONS}/${id}`)).status).toBe(204);
    expect(await get(id)).toEqual(comparison);
  });

  test.each([
    ['is removed', () => admin.call('DELETE', '/appliance/api/remotes/portal')],
    [
      'no longer has its company',
      () => admin.call('PUT', '/appliance/api/remotes/portal', { companies: ['87654321'] }),
    ],
  ])('ends when its remote %s', async (_, end) => {
    await server.app.core.remote.runner.stop();
    const id = await start();
    expect((await end()).status).toBeLessThan(300);
    expect(server.app.core.remote.store.findComparison(id)).toMatchObject({
      state: 'cancelled',
      files: null,
      error: { message: expect.stringContaining('não tem mais esta empresa') },
    });
  });
});

test('keeps only its records that are not equal once a newer comparison follows', async () => {
  await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, PLAIN);
  const produtos = [remoteProduct(1), remoteProduct(2, { denominacao: 'Outra' })];
  const first = await compare(server, demo, { produtos });
  expect(first.records.map(({ state }) => state)).toEqual(['igual', 'soLa']);
  const second = await compare(server, demo, { produtos });
  expect(second.records.map(({ state }) => state)).toEqual(['igual', 'soLa']);
  const page = (await demo.call('GET', `${COMPARISONS}/${first.id}/records`)).json;
  expect(page.items.map(({ state }: { state: string }) => state)).toEqual(['soLa']);
  // Its numbers stay.
  expect((await get(first.id)).counts).toEqual(first.comparison.counts);
  const plan = server.app.core.db
    .prepare(`EXPLAIN QUERY PLAN ${REMOTE_QUERIES.equalBefore}`)
    .all(COMPANY, 1, 1) as { detail: string }[];
  expect(plan.filter(({ detail }) => detail.startsWith('SCAN'))).toEqual([]);
});
