import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { zipOf, zipOfTexts } from '../../src/files/zip-out.ts';
import { inChunks, utf8 } from './support.ts';

const MADE_AT = Date.UTC(2026, 10, 20, 13, 31, 7);
const bytesOf = (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> => new Response(stream).bytes();

/** Yields incompressible chunks without an end, and records the count and the end. */
function endless(chunkBytes: number) {
  const state = { produced: 0, isEnded: false };
  const random = new Uint8Array(chunkBytes);
  const chunks = (async function* () {
    try {
      for (;;) {
        state.produced += random.length;
        yield crypto.getRandomValues(random).slice();
      }
    } finally {
      state.isEnded = true;
    }
  })();
  return { chunks, state };
}

/** Waits enough turns of the event loop for pending work to continue. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catp-zip-out-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a truncated zip is never read as a complete one', () => {
  const failing = (after: number) =>
    (async function* () {
      for (let chunk = 0; chunk < after; chunk++) yield crypto.getRandomValues(new Uint8Array(50_000));
      throw new Error('database is gone');
    })();

  test.each([[0], [1], [40]])('a producer that fails after %p chunks fails the stream', async (after) => {
    await expect(bytesOf(zipOf('A', failing(after), MADE_AT))).rejects.toThrow('database is gone');
  });

  test.each([[0], [40]])(
    'an answer of a server whose producer fails after %p chunks is incomplete',
    async (after) => {
      using server = Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        fetch: () => new Response(zipOf('A', failing(after), MADE_AT)),
        error: () => new Response('failed', { status: 500 }),
      });
      const received: Buffer[] = [];
      await new Promise<void>((resolve) => {
        const socket = connect(server.port as number, '127.0.0.1', () =>
          socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
        );
        socket.on('data', (data: Buffer) => {
          received.push(data);
          if (data.includes('failed')) socket.destroy();
        });
        socket.on('close', () => resolve());
        socket.on('error', () => undefined); // the test expects a reset
      });
      const answer = Buffer.concat(received).toString('latin1');
      const isWhole = answer.startsWith('HTTP/1.1 200') && answer.endsWith('0\r\n\r\n');
      expect(isWhole).toBe(false);
    },
  );
});

describe('the reader sets the pace', () => {
  test('nothing is produced before the first read', async () => {
    const { chunks, state } = endless(10_000);
    const stream = zipOf('A', chunks, MADE_AT);
    await settle();
    expect(state.produced).toBe(0);
    await stream.cancel();
    await settle();
    expect(state.produced).toBe(0);
  });

  test('a reader that stops reading stops the producer', async () => {
    const { chunks, state } = endless(10_000);
    const reader = zipOf('A', chunks, MADE_AT).getReader();
    let read = 0;
    while (read < 2_000_000) read += (await reader.read()).value?.length ?? 0;
    await settle();
    const isStill = async (): Promise<boolean> => {
      const before = state.produced;
      await settle();
      return state.produced === before;
    };
    do expect(state.produced - read).toBeLessThan(2_000_000);
    while (!(await isStill()) || !(await isStill()));
    await reader.cancel();
  });

  test('a reader that cancels ends the producer', async () => {
    const { chunks, state } = endless(10_000);
    const reader = zipOf('A', chunks, MADE_AT).getReader();
    await reader.read();
    await reader.cancel();
    await settle();
    expect(state.isEnded).toBe(true);
    const before = state.produced;
    await settle();
    expect(state.produced).toBe(before);
  });

  test('a reader that cancels while it waits for a read ends it too', async () => {
    const { chunks, state } = endless(10_000);
    const reader = zipOf('A', chunks, MADE_AT).getReader();
    await reader.read();
    const pending = reader.read();
    await reader.cancel();
    await pending;
    await settle();
    expect(state.isEnded).toBe(true);
  });

  test('a client that disconnects ends it too', async () => {
    const { chunks, state } = endless(10_000);
    using server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(zipOf('A', chunks, MADE_AT)),
    });
    const client = new AbortController();
    const answer = await fetch(server.url, { signal: client.signal });
    await answer.body?.getReader().read();
    client.abort();
    while (!state.isEnded) await settle();
    expect(state.isEnded).toBe(true);
  });
});

describe('the zip', () => {
  const text = '[\n  {"denominação": "ção"}\n]\n';

  test('has one member NAME.json with the content, texts as UTF-8', async () => {
    const zip = await bytesOf(
      zipOf('CATALOGO_PRODUTOS_12345678_20261120103107', inChunks(utf8(text), [3]), MADE_AT),
    );
    const members = unzipSync(zip);
    expect(Object.keys(members)).toEqual(['CATALOGO_PRODUTOS_12345678_20261120103107.json']);
    expect(new TextDecoder().decode(Object.values(members)[0])).toBe(text);
  });

  test('of nothing has an empty member', async () => {
    expect(unzipSync(await bytesOf(zipOf('A', inChunks(utf8('')), MADE_AT)))).toEqual({
      'A.json': new Uint8Array(),
    });
  });

  test('is the same for the same content and date, for any chunks of the content', async () => {
    const long = utf8(
      JSON.stringify(Array.from({ length: 30_000 }, (_, seq) => ({ seq, nome: `Operador ção ${seq}` }))),
    );
    const whole = await bytesOf(zipOf('A', inChunks(long), MADE_AT));
    const asText = (async function* () {
      for (const line of new TextDecoder().decode(long).split(/(?<=,)/)) yield line;
    })();
    expect(Bun.hash(await bytesOf(zipOf('A', asText, MADE_AT)))).toBe(Bun.hash(whole));
    for (const sizes of [[997], [64 * 1024], [1, 70_000]]) {
      expect(Bun.hash(await bytesOf(zipOf('A', inChunks(long, sizes), MADE_AT)))).toBe(Bun.hash(whole));
    }
    expect(Bun.hash(await bytesOf(zipOf('A', inChunks(long), MADE_AT + 60_000)))).not.toBe(Bun.hash(whole));
  });

  const unzip = Bun.which('unzip');
  test.skipIf(unzip === null)('is valid for unzip, and dated in Brasília time', async () => {
    const path = join(folder, 'a.zip');
    await writeFile(path, await bytesOf(zipOf('CATALOGO', inChunks(utf8(text)), MADE_AT)));
    const tested = Bun.spawnSync([unzip as string, '-t', path]);
    expect(tested.stdout.toString()).toContain('No errors detected');
    expect(tested.exitCode).toBe(0);
    expect(Bun.spawnSync([unzip as string, '-l', path]).stdout.toString()).toContain('2026-11-20 10:31');
  });
});

test('300 MB pass through in bounded memory', async () => {
  const MEGABYTE = 1_000_000;
  const part = `${JSON.stringify(Array.from({ length: 2000 }, (_, seq) => ({ seq, denominacao: 'Parafuso sextavado' })))},\n`;
  const program = `
    import { zipOf, zipOfTexts } from ${JSON.stringify(join(import.meta.dir, '../../src/files/zip-out.ts'))};
    const part = ${JSON.stringify(part)};
    let produced = 0;
    async function* content(total) { produced = 0; while (produced < total) { produced += part.length; yield part; } }
    let zipped = 0;
    const drain = async (total) => { for await (const bytes of zipOf('A', content(total), 0)) { zipped += bytes.length; peak = Math.max(peak, process.memoryUsage.rss()); } };
    let peak = 0;
    await drain(1e6); // excludes the memory of the code itself from the measurement
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    peak = before;
    await drain(300e6);
    console.log(JSON.stringify({ produced, zipped, added: peak - before }));`;
  const run = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'inherit' });
  const { produced, zipped, added } = (await new Response(run.stdout).json()) as Record<string, number>;
  expect(produced).toBeGreaterThanOrEqual(300 * MEGABYTE);
  expect(zipped).toBeGreaterThan(MEGABYTE);
  expect(added).toBeLessThan(60 * MEGABYTE);
});

test('a zip of many texts whose reader stops ends its producer', async () => {
  const state = { isEnded: false };
  const texts = (async function* () {
    try {
      for (let at = 0; ; at += 1) yield { name: `${at}.json`, text: crypto.randomUUID().repeat(1000) };
    } finally {
      state.isEnded = true;
    }
  })();
  const zip = zipOfTexts(texts, MADE_AT);
  expect((await zip.next()).done).toBe(false);
  await settle();
  await zip.return();
  expect(state.isEnded).toBe(true);
});
