/** GET /appliance/api/attention: what asks for somebody in each company of a caller (contract section 25). */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, openApp } from '../support/app.ts';
import { compare, ran } from '../remote/support.ts';
import { activate, load, product, tableFile } from './attribute/support.ts';

const PATH = '/appliance/api/attention';
const [FIRST, SECOND] = ['12345678', '87654321'];

let server: TestApp;
beforeAll(async () => {
  server = await openApp({ settings: { ambiente: 'producao' } });
});
afterAll(() => server.close());

const told = async (key: 'demo' | 'demo2' | 'estranho' | 'admin' | 'publico'): Promise<unknown> =>
  (await (await server.as(key)).call('GET', PATH)).json;

test('without a session it is 401', async () => {
  expect((await server.anybody.call('GET', PATH)).status).toBe(401);
});

test('who represents nobody has no company, and each other sees its own, also those in which there is nothing', async () => {
  for (const key of ['admin', 'publico'] as const) expect(await told(key)).toEqual([]);
  expect(await told('estranho')).toEqual([
    { cpfCnpjRaiz: '11222333', nome: expect.stringMatching(/\w/), items: [] },
  ]);
  expect(await told('demo')).toMatchObject([
    { cpfCnpjRaiz: FIRST, items: [] },
    { cpfCnpjRaiz: SECOND, items: [] },
  ]);
});

test('counts drafts and what the system deactivated, each with the page where it is mended', async () => {
  const demo = await server.as('demo');
  for (const denominacao of ['x', 'y'])
    await demo.call('POST', '/appliance/api/products/drafts', { cpfCnpjRaiz: SECOND, denominacao });
  await demo.call('POST', `/catp/api/ext/produto/${FIRST}`, product('73181500'));
  const admin = await server.as('admin');
  const table = tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1' }] });
  await activate(admin, await load(admin, table));
  const deactivated = {
    ...{ kind: 'deactivatedBySystem', count: 1 },
    href: `/atributos?aba=corrigir&cpfCnpjRaiz=${FIRST}`,
  };
  const drafts = { kind: 'drafts', count: 2, href: `/produtos?cpfCnpjRaiz=${SECOND}&situacao=RASCUNHO` };
  expect(await told('demo')).toMatchObject([
    { cpfCnpjRaiz: FIRST, items: [deactivated] },
    { cpfCnpjRaiz: SECOND, items: [drafts] },
  ]);
  // Nothing of a company that is not one's own.
  expect(await told('demo2')).toMatchObject([{ cpfCnpjRaiz: FIRST, items: [deactivated] }]);
});

test('counts what differs from each remote, without what a run settled since, and the steps of a run that waits', async () => {
  const own = await openApp();
  const [demo, admin] = [await own.as('demo'), await own.as('admin')];
  for (const [name, ...companies] of [
    ['alheio', SECOND],
    ['casa', FIRST],
    ['portal', FIRST, SECOND],
  ])
    await admin.call('POST', '/appliance/api/remotes', { name, companies });
  const itemsOf = async (): Promise<object[][]> =>
    (await demo.call('GET', PATH)).json.map(({ items }: { items: object[] }) => items);
  expect(await itemsOf()).toEqual([[], []]);
  for (const ncm of ['39269090', '39269091'])
    await demo.call('POST', `/catp/api/ext/produto/${FIRST}`, product(ncm));
  const { comparison } = await compare(own, demo, {});
  expect(comparison.counts.produto).toEqual({ soAqui: 2 });
  const href = `/remotos?cpfCnpjRaiz=${FIRST}&remote=portal`;
  const differing = { kind: 'remote', count: 2, href, remote: 'portal' };
  expect(await itemsOf()).toEqual([[differing], []]);
  const run = await ran(own, comparison.id, [
    { codigo: 1, outcome: 'sent', there: 1 },
    { codigo: 2, outcome: 'refused', message: 'não' },
  ]);
  expect(await itemsOf()).toEqual([[{ ...differing, count: 1 }], []]);
  const { db } = own.app.core;
  const waits = (state: string, due: number | null) => {
    db.prepare('UPDATE remote_run SET state = ? WHERE id = ?').run(state, run);
    db.prepare('UPDATE remote_step SET due = ? WHERE run_id = ? AND n = 2').run(due, run);
  };
  for (const state of ['paused', 'resting']) {
    waits(state, 0);
    expect(await itemsOf()).toEqual([
      [
        { kind: 'run', count: 1, href, remote: 'portal' },
        { ...differing, count: 1 },
      ],
      [],
    ]);
  }
  for (const state of ['running', 'done', 'cancelled']) {
    waits(state, state === 'running' ? 0 : null);
    expect(await itemsOf()).toEqual([[{ ...differing, count: 1 }], []]);
  }
  // Who represents the other company has its own remotes alone.
  await compare(own, demo, {}, { cpfCnpjRaiz: SECOND }, 'alheio');
  await compare(own, demo, {}, { cpfCnpjRaiz: FIRST, force: 'true' }, 'casa');
  expect(await itemsOf()).toMatchObject([
    [
      { remote: 'casa', count: 2 },
      { remote: 'portal', count: 1 },
    ],
    [],
  ]);
  await own.close();
});
