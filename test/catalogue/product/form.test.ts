/** GET /appliance/api/product-form: the data that a form requires before input. */
import { afterEach, expect, test } from 'bun:test';
import { type TestApp, openApp } from '../../support/app.ts';
import { activate, load, tableFile } from '../attribute/support.ts';

const PATH = '/appliance/api/product-form';
let server: TestApp;
afterEach(() => server.close());

const getForm = async () => (await server.as('demo')).call('GET', PATH);

test('has the day of the clock, the limits of the profile, and no table when there is none', async () => {
  server = await openApp();
  expect((await server.anybody.call('GET', PATH)).status).toBe(401);
  const { today, ...rest } = (await getForm()).json;
  expect(rest).toEqual({
    denominacaoMax: 3700,
    modalidades: ['AMBOS', 'EXPORTACAO', 'IMPORTACAO'],
    attributeTable: null,
    nextTable: null,
  });
  const { now } = (await (await server.as('admin')).call('GET', '/appliance/api/clock')).json;
  expect(today).toBe(now.slice(0, 10));
});

test('has the other profile, and the table in force', async () => {
  server = await openApp({ settings: { perfil: 'portal' } });
  const admin = await server.as('admin');
  await activate(admin, await load(admin, tableFile('7', { '7318.15.00': [] })));
  expect((await getForm()).json).toMatchObject({
    denominacaoMax: 120,
    modalidades: ['EXPORTACAO', 'IMPORTACAO'],
    attributeTable: '7',
  });
});

test('has the next table that replaces the one in force, on its day, and no other', async () => {
  server = await openApp();
  const admin = await server.as('admin');
  const table = async (versao: string, on?: string): Promise<void> =>
    void (await activate(admin, await load(admin, tableFile(versao, { '7318.15.00': [] })), on));
  await table('6', '2026-02-01');
  expect((await getForm()).json).toMatchObject({ attributeTable: null, nextTable: null });
  await table('7');
  await table('8', '2026-02-03');
  await table('9', '2026-02-02');
  await table('7', '2026-01-20');
  expect((await getForm()).json).toMatchObject({ nextTable: { versao: '6', on: '2026-02-01' } });
});
