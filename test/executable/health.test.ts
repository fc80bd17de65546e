/** `catp health`, and the image that asks it: for containers and pipelines. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/sources.ts';
import { type Alone, openAlone } from './support.ts';

let alone: Alone;
beforeEach(async () => {
  alone = await openAlone();
});
afterEach(() => alone.close());

test('an instance that serves is ready, one that has ended is not', async () => {
  const server = await alone.start('dev', '--port', '0', '--empty', '--data', 'd');
  expect(alone.run(['health', '--url', server.url])).toEqual({
    code: 0,
    stdout: `catp health: ${server.url} está pronto.\n`,
    stderr: '',
  });
  await server.stop();
  const { code, stderr } = alone.run(['health', '--url', server.url, '--wait', '1']);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`catp: ${server.url} não está pronto: `)]);
});

test('it waits for one that is about to serve', async () => {
  const found = Bun.serve({ port: 0, fetch: () => new Response() });
  const { port } = found;
  await found.stop(true);
  const url = `http://127.0.0.1:${port}`;
  const waiting = Bun.spawn([alone.executable, 'health', '--url', url, '--wait', '30'], { env: {} });
  const server = await alone.start('dev', '--port', String(port), '--empty', '--data', 'd');
  expect(await waiting.exited).toBe(0);
  await server.stop();
});

test.each([
  [['--url', 'catalogo'], '--url: recebido "catalogo"'],
  [['--url', 'ftp://127.0.0.1'], '--url: recebido'],
  [['--wait', 'sempre'], '--wait: recebido "sempre"'],
  [['--wait', '3601'], '--wait: recebido "3601"'],
])('it refuses %p', (flags, hint) => {
  const { code, stderr } = alone.run(['health', ...flags]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(hint)]);
});

test('the image is the executable alone, runs as nobody in particular, and asks it whether it is well', () => {
  const text = readFileSync(join(ROOT, 'scripts/docker/Dockerfile'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const of = (word: string): string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  expect(of('FROM')).toEqual(['gcr.io/distroless/cc-debian12:nonroot']);
  expect([...of('COPY'), ...of('ADD'), ...of('RUN')]).toEqual(['--chmod=0755 catp /catp']);
  expect(of('USER')).toEqual(['65532:65532']);
  expect(of('ENTRYPOINT')).toEqual(['["/catp"]']);
  // What it starts and asks are commands and flags of this executable.
  const [words = ''] = of('CMD');
  const command = JSON.parse(words) as string[];
  const help = alone.run([command[0] ?? '', '--help']);
  expect(help.code).toBe(0);
  for (const flag of command.filter((word) => word.startsWith('--'))) expect(help.stdout).toContain(flag);
  const [check = ''] = of('HEALTHCHECK').map((line) => line.slice(line.indexOf('CMD ') + 4));
  expect(JSON.parse(check)).toEqual(['/catp', 'health']);
  expect(alone.run(['health', '--help']).stdout).toContain('http://127.0.0.1:8080');
});
