/**
 * The buffered part of a list of any length is small between the database and its reader: counted in
 * bytes, because the memory of a process depends on the machine. The memory of the process is a figure of
 * the bench (listProducts, exportProducts).
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { fillProducts } from '../catalogue/listing/fill.ts';
import { type TestApp, openApp } from '../support/app.ts';

/** A list of about 13 MiB. */
const PRODUCTS = 30_000;
const MIB = 1024 * 1024;
const WHOLE_LEAST_BYTES = 12 * MIB;
/** Some chunks of 64 KiB, and for an export also the input of the compression. */
const LIST_AHEAD_MAX_BYTES = MIB;
const EXPORT_AHEAD_MAX_BYTES = 3 * MIB;

const LIST = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';

/** Bytes that each reading Worker sent to the main thread, in the order of the starts of the Workers. */
const sentByWorkers: { bytes: number; largest: number }[] = [];
const OriginalWorker = globalThis.Worker;

class WatchedWorker extends OriginalWorker {
  constructor(...parameters: ConstructorParameters<typeof OriginalWorker>) {
    super(...parameters);
    const count = { bytes: 0, largest: 0 };
    sentByWorkers.push(count);
    this.addEventListener('message', ({ data }: MessageEvent<{ readonly bytes?: Uint8Array }>) => {
      count.bytes += data.bytes?.length ?? 0;
      count.largest = Math.max(count.largest, data.bytes?.length ?? 0);
    });
  }
}

let server: TestApp;
let headers: Record<string, string>;

beforeAll(async () => {
  globalThis.Worker = WatchedWorker;
  server = await openApp({ parts: { open: { synchronous: 'NORMAL' } } });
  fillProducts(server.app.core.db, PRODUCTS);
  // Incompressible texts: the compressed size is the read size.
  server.app.core.db.exec('UPDATE product SET descricao = hex(randomblob(120))');
  const key = { 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' };
  const signedIn = await server.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, key);
  headers = {
    authorization: signedIn.headers.get('set-token') ?? '',
    'x-csrf-token': signedIn.headers.get('x-csrf-token') ?? '',
  };
});

afterAll(async () => {
  await server.close();
  globalThis.Worker = OriginalWorker;
});

const total = (): number => sentByWorkers.reduce((sum, { bytes }) => sum + bytes, 0);
const ask = async (path: string): Promise<ReadableStreamDefaultReader<Uint8Array>> => {
  const answer = await server.app.fetch(new Request(`http://catp.test${path}`, { headers }));
  expect(answer.status).toBe(200);
  if (answer.body === null) throw new Error('The answer has no body.');
  return answer.body.getReader();
};

/** Reads the whole list, which also waits for background work before it. */
async function readWhole(): Promise<number> {
  const reader = await ask(LIST);
  let bytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.length;
  return bytes;
}

test('a reader that takes chunk by chunk never has more waiting chunks than a stalled one', async () => {
  const before = total();
  const reader = await ask(LIST);
  let [receivedBytes, aheadMost] = [0, 0];
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    receivedBytes += next.value.length;
    aheadMost = Math.max(aheadMost, total() - before - receivedBytes);
  }
  expect(receivedBytes).toBeGreaterThan(WHOLE_LEAST_BYTES);
  expect(total() - before).toBe(receivedBytes);
  expect(aheadMost).toBeLessThan(LIST_AHEAD_MAX_BYTES);
  expect(Math.max(...sentByWorkers.map(({ largest }) => largest))).toBeLessThan(MIB / 4);
});

test.each([
  ['the list', LIST, LIST_AHEAD_MAX_BYTES],
  ['the list as of a day', `${LIST}&dataReferencia=2026-01-15`, LIST_AHEAD_MAX_BYTES],
  [
    'the list by a filter whose index is not in its order',
    `${LIST}&ultimaAlteracaoInicio=2026-01-15`,
    LIST_AHEAD_MAX_BYTES,
  ],
  ['the export', '/catp/api/ext/produto/exportar/12345678/true', EXPORT_AHEAD_MAX_BYTES],
])('%s is not read ahead of a reader who has taken its beginning', async (_, path, aheadMax) => {
  const before = total();
  const reader = await ask(path);
  const first = await reader.read();
  const readBytes = path === LIST ? (first.value?.length ?? 0) : 0;
  const whole = await readWhole();
  expect(whole).toBeGreaterThan(WHOLE_LEAST_BYTES);
  const ahead = total() - before - whole - readBytes;
  expect(ahead).toBeGreaterThan(0); // the Worker did read ahead
  expect(ahead).toBeLessThan(aheadMax);
  await reader.cancel();
});
