/** The data of the pages, served by the executable, whose own Workers do all background reads. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

let sandbox: Sandbox;
let url: string;
beforeAll(async () => {
  sandbox = await openSandbox();
  ({ url } = await sandbox.start('dev', '--port', '0', '--set', 'backup.manter=3'));
});
afterAll(() => sandbox.close());

// oxlint-disable-next-line typescript/no-explicit-any -- each test asserts the shape
async function ask(user: string, path: string, method = 'GET'): Promise<any> {
  const tokens = await tokensOf(url, user, user);
  if (typeof tokens === 'number') throw new Error(`${user} was not signed in: ${tokens}`);
  const response = await fetch(`${url}/appliance/api/${path}`, { method, headers: tokens });
  const text = await response.text();
  expect([path, response.status, text]).toEqual([path, 200, text]);
  return JSON.parse(text);
}

const COMPANY = 'cpfCnpjRaiz=12345678';

test('the records of a company are read page by page, as counts, and by repeated values', async () => {
  const first = await ask('demo', `products?${COMPANY}&order=-denominacao&limit=3`);
  const second = await ask('demo', `products?${COMPANY}&order=-denominacao&limit=3&after=${first.next}`);
  const names = [...first.items, ...second.items].map((item: { denominacao: string }) => item.denominacao);
  expect(names).toEqual(names.toSorted((a, b) => b.localeCompare(a, 'pt-BR')));
  expect(new Set(names).size).toBe(6);
  const { products } = await ask('demo', `summary?${COMPANY}`);
  expect(products.ATIVADO).toBe(first.total);
  expect(await ask('demo', `foreign-operators?${COMPANY}`)).toMatchObject({ totalIsExact: true });
  expect(await ask('demo', `manufacturer-links?${COMPANY}`)).toMatchObject({ totalIsExact: true });
  expect(await ask('demo', `products?${COMPANY}&repeated=denominacao`)).toMatchObject({ items: [] });
  expect(await ask('demo', 'products/12345678/1/versions')).toMatchObject([{ versao: '1', endsOn: null }]);
  expect((await ask('demo', 'ncms?search=0901')).items).toMatchObject([{ ncm: '09012100' }]);
  expect((await ask('demo', 'deliveries/summary')).days).toHaveLength(30);
});

test('an administrator sees the settings in force, the findings and the backups', async () => {
  const settings = (await ask('admin', 'settings')) as { name: string; value: string; isDefault: boolean }[];
  const settingOf = (name: string) => settings.find((setting) => setting.name === name);
  expect(settingOf('backup.manter')).toMatchObject({ value: '3', isDefault: false });
  expect(settingOf('host')).toMatchObject({ value: '127.0.0.1', isDefault: true });
  expect((await ask('admin', 'doctor'))[0]).toMatchObject({ check: 'integrity', level: 'ok' });
  const { file } = await ask('admin', 'backups', 'POST');
  expect(await ask('admin', 'backups/drill', 'POST')).toMatchObject({ file, ok: true });
  expect((await ask('admin', 'backups')).last).toMatchObject({ file });
});
