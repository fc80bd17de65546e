import { describe, expect, test } from 'bun:test';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authorityFile } from '../../src/authority/authority.ts';
import { openSender, REQUEST } from '../support/delivery.ts';

const PROGRAM = new URL('../support/receiver-main.ts', import.meta.url).pathname;

const run = (...words: readonly string[]) => runWith({}, ...words);

const runWith = (env: Readonly<Record<string, string>>, ...words: readonly string[]) =>
  Bun.spawn([process.execPath, PROGRAM, 'receiver', ...words], {
    env: { ...process.env, ...env },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  });

async function result(...words: readonly string[]): Promise<{ code: number; out: string; error: string }> {
  const child = run(...words);
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, error };
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'catp-receiver-'));
  await work(folder).finally(() => rm(folder, { recursive: true }));
}

describe('catp receiver', () => {
  test('refuses wrong arguments with one line, and creates nothing', async () => {
    await inFolder(async (folder) => {
      const dir = ['--dir', join(folder, 'ca')];
      const empty = join(folder, 'vazio');
      await Bun.write(empty, '\n');
      for (const [words, message] of [
        [['--script', '700'], /^catp: Roteiro do receptor, "700": o status deve estar entre 200 e 599\.\n$/],
        [['--delay', 'muito'], /^catp: Roteiro do receptor, "muito": uma espera é/],
        [['--port', '65536'], /^catp: --port: recebido "65536"; aceita um inteiro de 0 a 65535\.\n$/],
        [['--http-port', 'x'], /^catp: --http-port: recebido "x"; aceita um inteiro de 0 a 65535\.\n$/],
        [['--forward', 'localhost:3000'], /^catp: --forward: recebido "localhost:3000"; aceita uma URL http/],
        [['--forward', 'http:3000'], /^catp: --forward: recebido/],
        [
          ['--secret-file', join(folder, 'nada')],
          /^catp: --secret-file: .*não pode ser lido \(não existe, ENOENT\)/,
        ],
        [['--secret-file', empty], /^catp: --secret-file: .* está vazio\. Indique um com a chaveSecreta/],
      ] as const) {
        const { code, out, error } = await result(...dir, ...words);
        expect([code, out, error]).toEqual([2, '', expect.stringMatching(message)]);
      }
      expect((await result('--hang', '--reset')).code).toBe(2);
      expect((await result('--forward', 'http://localhost:1/', '--script', '500')).code).toBe(2);
    });
  });

  test('reports a port in use', async () => {
    await inFolder(async (folder) => {
      const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
      const { code, error } = await result('--dir', folder, '--port', `${listener.port}`);
      listener.stop();
      expect([code, error]).toEqual([1, expect.stringContaining('já está em uso por outro programa')]);
    });
  });

  test('init creates an authority once and prints the file for --ca each time', async () => {
    await inFolder(async (folder) => {
      const first = await result('init', '--dir', folder);
      const pem = await readFile(authorityFile(folder), 'utf8');
      const second = await result('init', '--dir', folder);
      expect([first.code, second.code]).toEqual([0, 0]);
      for (const { out } of [first, second]) expect(out).toContain(`--ca ${authorityFile(folder)}\n`);
      expect(await readFile(authorityFile(folder), 'utf8')).toBe(pem);
    });
  });

  test('receives, prints, follows its script and ends with SIGTERM', async () => {
    await inFolder(async (folder) => {
      const words = ['--dir', folder, '--port', '0', '--script', '500,200'];
      const child = runWith({ CATP_RECEIVER_SECRET: 'canario-1' }, ...words);
      const output = readerOf(child.stdout);
      const port = Number((await output.until(/pronto em https:\/\/127\.0\.0\.1:(\d+)\n/))[1]);
      const ca = [await readFile(authorityFile(folder), 'utf8')];
      using opened = await openSender({ port }, { ca });
      const request = { ...REQUEST, headers: { secret: 'canario-1' } };
      expect(await opened.sender.send(request)).toMatchObject({ kind: 'failed', status: 500 });
      expect(await opened.sender.send(request)).toMatchObject({ kind: 'delivered', status: 200 });
      await output.until(/#2 [^]*secret: \(oculto\)[^]*→ segredo confere\n[^]*→ resposta: 200\n/);
      expect(output.text).not.toContain('canario');
      child.kill('SIGTERM');
      expect(await child.exited).toBe(0);
    });
  });
});

describe('catp receiver --forward', () => {
  test('forwards requests, by TLS and without, prints the answers, and repeats the last on a key', async () => {
    await inFolder(async (folder) => {
      const forwardedRequests: { path: string; type: string | null; body: string }[] = [];
      using handler = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch: async (request) => {
          const { pathname, search } = new URL(request.url);
          const body = await request.text();
          forwardedRequests.push({ path: pathname + search, type: request.headers.get('event-type'), body });
          return Response.json(
            { visto: forwardedRequests.length },
            { status: forwardedRequests.length === 2 ? 500 : 202 },
          );
        },
      });
      const target = `http://localhost:${handler.port}/hook`;
      const child = run(
        '--dir',
        folder,
        '--port',
        '0',
        '--http-port',
        '0',
        '--forward',
        `${target}?chave=canario-2`,
      );
      const output = readerOf(child.stdout);
      const port = Number((await output.until(/pronto em https:\/\/127\.0\.0\.1:(\d+)\n/))[1]);
      const plain = (await output.until(/HTTP em (http:\/\/127\.0\.0\.1:\d+)\n/))[1];
      await output.until(/r repete a última/);

      const ca = [await readFile(authorityFile(folder), 'utf8')];
      using opened = await openSender({ port }, { ca });
      const outcome = await opened.sender.send({
        ...REQUEST,
        headers: { 'event-type': 'a', secret: 'canario-1' },
      });
      expect(outcome).toMatchObject({ kind: 'delivered', status: 202 });
      await output.until(/#1 http:\/\/localhost:\d+\/hook respondeu 202 em \d+ ms\n\{"visto":1\}\n/);

      const answer = await fetch(`${plain}/outro`, {
        method: 'POST',
        headers: { 'event-type': 'b' },
        body: '{}',
      });
      expect([answer.status, await answer.json()]).toEqual([500, { visto: 2 }]);
      await output.until(/#2 \S+ respondeu 500/);

      void child.stdin.write('r');
      await child.stdin.flush();
      await output.until(/Repetindo #2 POST \/outro\n→ #2 \S+ respondeu 202 em/);
      expect(forwardedRequests).toEqual([
        { path: '/hook?chave=canario-2', type: 'a', body: REQUEST.body },
        { path: '/hook?chave=canario-2', type: 'b', body: '{}' },
        { path: '/hook?chave=canario-2', type: 'b', body: '{}' },
      ]);
      expect(output.text).not.toContain('canario');
      void child.stdin.write('q');
      await child.stdin.flush();
      expect(await child.exited).toBe(0);
    });
  });

  test('answers 502 when the program does not answer, and reports it', async () => {
    await inFolder(async (folder) => {
      const child = run(
        '--dir',
        folder,
        '--port',
        '0',
        '--http-port',
        '0',
        '--forward',
        'http://127.0.0.1:1/',
      );
      const output = readerOf(child.stdout);
      const plain = (await output.until(/HTTP em (http:\/\/127\.0\.0\.1:\d+)\n/))[1] ?? '';
      expect((await fetch(plain, { method: 'POST', body: '{}' })).status).toBe(502);
      await output.until(
        /http:\/\/127\.0\.0\.1:1\/ não respondeu \(ECONNREFUSED\), após \d+ ms; respondido 502/,
      );
      child.kill('SIGTERM');
      expect(await child.exited).toBe(0);
    });
  });
});

/** Reads a stream until what was read so far matches. */
function readerOf(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const output = {
    text: '',
    async until(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const match = pattern.exec(output.text);
        if (match !== null) return match;
        const { done, value } = await reader.read();
        if (done) throw new Error(`ended without ${pattern}: ${output.text}`);
        output.text += decoder.decode(value, { stream: true });
      }
    },
  };
  return output;
}
