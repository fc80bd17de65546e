/** Imports in the whole server: their callers, and their state after a restart. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { openForReading } from '../../../src/db/open.ts';
import { openFolder } from '../../../src/db/folder.ts';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { product, products, steppingStopwatch } from './support.ts';

const PATH = '/appliance/api/imports';

/** Step in ms with which a slice applies two items. */
const TWO_ITEMS = 2.5;

let server: TestApp;

beforeEach(async () => {
  server = await openApp();
});

afterEach(() => server.close());

interface Progress {
  readonly state: string;
  readonly processed: number;
  readonly total: number | null;
}

/** Polls an import until its progress is as expected; the server works between the requests. */
async function pollUntil(
  client: Client,
  id: number,
  isReached: (progress: Progress) => boolean,
): Promise<Progress> {
  for (;;) {
    const { json } = await client.call('GET', `${PATH}/${id}`);
    if (isReached(json)) return json;
    if (isOver(json)) throw new Error(`the import has ended before: ${JSON.stringify(json)}`);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

const isOver = ({ state }: Progress): boolean => state !== 'queued' && state !== 'running';
const ended = (client: Client, id: number): Promise<Progress> => pollUntil(client, id, isOver);
/** Returns true if some items are applied, but not all. */
const isPartlyApplied = ({ state, processed, total }: Progress): boolean =>
  state === 'running' && processed > 0 && processed < (total ?? 0);

/** Number of items in a file whose import a test interrupts. */
const MANY = 1000;
async function startLongImport(): Promise<{ demo: Client; id: number }> {
  await server.close();
  server = await openApp({ parts: { stopwatch: steppingStopwatch(TWO_ITEMS) } });
  const demo = await server.as('demo');
  const started = await demo.call('POST', PATH, form(products(MANY)));
  expect(started.json).toMatchObject({ id: expect.any(Number) });
  await pollUntil(demo, started.json.id, isPartlyApplied);
  return { demo, id: started.json.id };
}

function form(items: unknown, tipo = 'produto'): FormData {
  const data = new FormData();
  data.set('file', new Blob([JSON.stringify(items)]), 'produtos.json');
  data.set('tipo', tipo);
  return data;
}

test('an import requires a session and the company', async () => {
  expect((await server.anybody.call('POST', PATH, form([]))).status).toBe(401);
  expect((await (await server.as('admin')).call('POST', PATH, form([]))).status).toBe(403);
});

test('a file of each kind is imported, and hidden from users without its company', async () => {
  const demo = await server.as('demo');
  const started = await demo.call('POST', PATH, form([product(1)]));
  expect(started.status).toBe(202);
  expect(await ended(demo, started.json.id)).toMatchObject({ state: 'done', created: 1 });
  expect((await (await server.as('estranho')).call('GET', `${PATH}/${started.json.id}`)).status).toBe(404);

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

test('the list of one company has only its imports; an import of several, or of an unreadable file, is listed for its sender', async () => {
  const demo = await server.as('demo');
  const importItems = async (items: unknown): Promise<number> => {
    const { json } = await demo.call('POST', PATH, form(items));
    await ended(demo, json.id);
    return json.id;
  };
  const other = { ...product(2), cpfCnpjRaiz: '87654321' };
  const [own, others, both] = [
    await importItems([product(1)]),
    await importItems([other]),
    await importItems([product(3), { ...other, seq: 4 }]),
  ];
  const unreadableId = await importItems('no list');
  const listedIds = async (query: string, client = demo): Promise<unknown> => {
    const { status, json } = await client.call('GET', `${PATH}${query}`);
    return status === 200 ? (json as { id: number }[]).map(({ id }) => id) : status;
  };
  expect(await listedIds('')).toEqual([unreadableId, both, others, own]);
  expect(await listedIds('?cpfCnpjRaiz=12345678')).toEqual([unreadableId, both, own]);
  expect(await listedIds('?cpfCnpjRaiz=87654321')).toEqual([unreadableId, both, others]);
  expect(await listedIds('?cpfCnpjRaiz=12345678', await server.as('demo2'))).toEqual([own]);
  const { sha256 } = (await demo.call('GET', `${PATH}/${own}`)).json;
  expect(await listedIds(`?cpfCnpjRaiz=12345678&sha256=${sha256}`)).toEqual([own]);
  expect(await listedIds(`?cpfCnpjRaiz=87654321&sha256=${sha256}`)).toEqual([]);
  expect(await listedIds('?cpfCnpjRaiz=11222333')).toBe(403);
  expect(await listedIds('?cpfCnpjRaiz=12', demo)).toBe(400);
});

test('an import that a stop interrupts continues after the start', async () => {
  const { id } = await startLongImport();
  await server.close({ keepFolder: true });
  const storedState = storedProgress(server.folder, id);
  expect(isPartlyApplied(storedState)).toBe(true);

  server = await openApp({ folder: server.folder });
  const demo = await server.as('demo');
  expect(await ended(demo, id)).toMatchObject({ state: 'done', total: MANY, created: MANY, failed: 0 });
  expect(await countProducts(demo)).toBe(MANY);
});

test('a reset of a development instance deletes running imports', async () => {
  const { id } = await startLongImport();
  expect((await (await server.as('admin')).call('POST', '/appliance/api/reset')).status).toBe(204);
  const demo = await server.as('demo');
  expect((await demo.call('GET', `${PATH}/${id}`)).status).toBe(404);
  // Imports run one after another, so the deleted one writes nothing after the end of this one.
  const next = await demo.call('POST', PATH, form(products(3)));
  expect(await ended(demo, next.json.id)).toMatchObject({ state: 'done', created: 3 });
  expect(await countProducts(demo)).toBe(3);
});

/** Returns the number of products of the company. */
async function countProducts(client: Client): Promise<number> {
  const { status, json } = await client.call('GET', '/catp/api/ext/produto?cpfCnpjRaiz=12345678');
  expect(status).toBe(200);
  return (json as unknown[]).length;
}

/** Reads the stored progress of an import while no server runs. */
function storedProgress(folder: string, id: number): Progress {
  const db = openForReading(openFolder(folder).database);
  try {
    const row = db
      .prepare<[number], Progress>('SELECT state, processed, total FROM import_job WHERE id = ?')
      .get(id);
    if (row === undefined) throw new Error(`import ${id} is gone`);
    return row;
  } finally {
    db.close();
  }
}
