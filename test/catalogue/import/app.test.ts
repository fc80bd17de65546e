/** Imports in the whole server: who may, and what survives a restart. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type TestApp, openApp } from '../../support/app.ts';
import { product, products } from './support.ts';

const PATH = '/appliance/api/imports';

let server: TestApp;

beforeEach(async () => {
  server = await openApp();
});

afterEach(() => server.close());

/** Asks until the import has ended; the server works on it between the questions. */
async function ended(client: Awaited<ReturnType<TestApp['as']>>, id: number): Promise<{ state: string }> {
  for (;;) {
    const { json } = await client.call('GET', `${PATH}/${id}`);
    if (json.state !== 'queued' && json.state !== 'running') return json;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

function form(items: unknown, tipo = 'produto'): FormData {
  const data = new FormData();
  data.set('file', new Blob([JSON.stringify(items)]), 'produtos.json');
  data.set('tipo', tipo);
  return data;
}

test('nobody imports without signing in, and only who represents a company', async () => {
  expect((await server.anybody.call('POST', PATH, form([]))).status).toBe(401);
  expect((await (await server.as('admin')).call('POST', PATH, form([]))).status).toBe(403);
});

test('a file of each kind is imported, and is its owner’s alone', async () => {
  const demo = await server.as('demo');
  const started = await demo.call('POST', PATH, form([product(1)]));
  expect(started.status).toBe(202);
  expect(await ended(demo, started.json.id)).toMatchObject({ state: 'done', created: 1 });
  expect((await (await server.as('demo2')).call('GET', `${PATH}/${started.json.id}`)).status).toBe(404);

  const company = { seq: 1, cpfCnpjRaiz: '12345678' };
  const operator = { ...company, codigoPais: 'DE', nome: 'A', logradouro: 'B', nomeCidade: 'C' };
  const link = { ...company, codigoProduto: 1, conhecido: false, codigoPais: 'DE' };
  const act = { ...company, codigoProduto: 1, numeroAto: '12345678901234', numeroItem: '123456' };
  for (const [tipo, item] of [
    ['operador-estrangeiro', operator],
    ['fabricante', link],
    ['ato-concessorio', act],
  ] as const) {
    const { json } = await demo.call('POST', PATH, form([item], tipo));
    expect(await ended(demo, json.id)).toMatchObject({ state: 'done', created: 1, failed: 0 });
  }
});

test('an import goes on after a restart', async () => {
  const demo = await server.as('demo');
  const { json } = await demo.call('POST', PATH, form(products(2000)));
  await server.close({ keepFolder: true });
  server = await openApp({ folder: server.folder });
  const again = await server.as('demo');
  expect(await ended(again, json.id)).toMatchObject({ state: 'done', total: 2000, created: 2000, failed: 0 });
});

test('a reset of a development instance takes its imports with it', async () => {
  const demo = await server.as('demo');
  const { json } = await demo.call('POST', PATH, form(products(500)));
  expect((await (await server.as('admin')).call('POST', '/appliance/api/reset')).status).toBe(204);
  expect((await (await server.as('demo')).call('GET', `${PATH}/${json.id}`)).status).toBe(404);
});
