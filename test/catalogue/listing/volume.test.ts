/**
 * Lists and exports without pages are streamed in small chunks of any total length, and yield to other
 * work. Their memory limit: test/reading/memory.test.ts.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, openApp } from '../../support/app.ts';
import { fillProducts } from './fill.ts';

const PRODUCTS = 50_000;
const MIB = 1024 * 1024;

let server: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openApp({ parts: { open: { synchronous: 'NORMAL' } } });
  fillProducts(server.app.core.db, PRODUCTS);
  const key = { 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' };
  const signedIn = await server.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, key);
  headers = {
    authorization: signedIn.headers.get('set-token') ?? '',
    'x-csrf-token': signedIn.headers.get('x-csrf-token') ?? '',
  };
});
afterAll(() => server.close());

interface Streamed {
  readonly bytes: number;
  readonly chunks: number;
  readonly largest: number;
  /** Number of turns of the event loop during the response. */
  readonly turns: number;
}

/** Reads a response to its end, and discards its bytes. */
async function readAll(path: string): Promise<Streamed> {
  let [bytes, chunks, largest, turns] = [0, 0, 0, 0];
  let isRunning = true;
  const turn = (): void => {
    turns += 1;
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  const answer = await server.app.fetch(new Request(`http://catp.test${path}`, { headers }));
  expect(answer.status).toBe(200);
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    chunks += 1;
    largest = Math.max(largest, chunk.length);
  }
  isRunning = false;
  return { bytes, chunks, largest, turns };
}

const LIST = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';

test.each([
  ['the list', LIST, 20 * MIB],
  ['the list as of a day', `${LIST}&dataReferencia=2026-01-15`, 20 * MIB],
  [
    'the list by a filter whose index has another order',
    `${LIST}&ultimaAlteracaoInicio=2026-01-15`,
    20 * MIB,
  ],
  ['the export', '/catp/api/ext/produto/exportar/12345678/true', MIB / 4],
])(`%s of ${PRODUCTS} products is complete, in small chunks`, async (_name, path, leastBytes) => {
  const { bytes, chunks, largest, turns } = await readAll(path);
  expect(bytes).toBeGreaterThan(leastBytes);
  // A turn of the event loop for each chunk lets other requests run; timings would depend on the machine.
  expect(largest).toBeLessThan(2 * MIB);
  expect(turns).toBeGreaterThan(Math.min(chunks, 100) / 2);
});

test('a reader that disconnects in the middle does not affect the next one', async () => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const answer = await server.app.fetch(new Request(`http://catp.test${LIST}`, { headers }));
    const reader = answer.body?.getReader();
    await reader?.read();
    await reader?.cancel();
  }
  const answer = await server.app.fetch(
    new Request(`http://catp.test${LIST}&codigo=${PRODUCTS}`, { headers }),
  );
  expect(((await answer.json()) as object[]).length).toBe(1);
});
