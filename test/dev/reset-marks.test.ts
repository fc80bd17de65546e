/**
 * The marks of a folder that a reset keeps or deletes (contract section 13): those about its content are
 * deleted.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type TestApp, openApp } from '../support/app.ts';
import { type TestOrigin, openOrigin } from '../support/origin.ts';
import { TABLES, tableFile } from '../catalogue/attribute/support.ts';
import { NOMENCLATURE, nomenclatureFile } from '../nomenclature/support.ts';

let server: TestApp;
let tables: TestOrigin;
let words: TestOrigin;
beforeEach(async () => {
  [tables, words] = await Promise.all([openOrigin('http'), openOrigin('http')]);
  tables.serves(JSON.stringify(tableFile('1', { '0901.21.00': [{ codigo: 'ATT_1' }] })));
  words.serves(JSON.stringify(nomenclatureFile([['0901.21.00', 'Café']])));
  server = await openApp({
    settings: {
      'atributos.origem': tables.url,
      'ncm.origem': words.url,
      'atributos.ativar': 'sozinha',
      'atributos.horario': '08:30',
    },
  });
});
afterEach(async () => {
  await server.close();
  await Promise.all([tables, words].map((origin) => origin[Symbol.asyncDispose]()));
});

const get = async (path: string) => (await (await server.as('admin')).call('GET', path)).json;
/** The state of the fetches of tables and of words. */
const fetches = async () => [
  await get(`${TABLES}/origin`),
  (await get(NOMENCLATURE)).origin as { last: object | null; nextAt: string },
];
const ready = async () => (await server.anybody.call('GET', '/readyz')).json;
const reset = async () => (await (await server.as('admin')).call('POST', '/appliance/api/reset')).status;

test('fetched lists are forgotten, and fetched again within the hour; backups are not', async () => {
  while ((await fetches()).some(({ last }) => last === null)) await Bun.sleep(1);
  await server.app.core.backups.make();
  expect(await fetches()).toMatchObject([{ last: { ok: true } }, { last: { ok: true } }]);
  const { backup } = await ready();
  expect(backup.last).not.toBeNull();

  expect(await reset()).toBe(204);
  const open = { last: null, nextAt: '2026-01-15T09:30:00.000-03:00' };
  expect(await fetches()).toMatchObject([open, open]);
  expect(await ready()).toMatchObject({ attributeTable: null, backup });

  await (await server.as('admin')).call('POST', '/appliance/api/clock', { advance: 'PT1H' });
  expect(await fetches()).toMatchObject([{ last: { ok: true } }, { last: { ok: true } }]);
  expect((await ready()).attributeTable).toMatchObject({ versao: '1' });
});

test('no company counts as warned of deadlines: missed warnings are sent', async () => {
  const { clock } = server;
  const job = () => server.app.core.jobs.find(({ name }) => name === 'prazos');
  const isMadeUp = (): boolean | undefined => {
    const { atStart } = job() ?? {};
    return typeof atStart === 'function' ? atStart() : atStart;
  };
  clock.moveTo(Date.parse('2026-01-20T07:00:00-03:00'));
  await job()?.runOnce();
  expect(isMadeUp()).toBe(false);
  expect(await reset()).toBe(204);
  expect(isMadeUp()).toBe(true);
});
