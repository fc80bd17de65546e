/** `catp health`: for containers and pipelines. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Sandbox, openSandbox } from './support.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

test('reports a running instance as ready and an ended one as not ready', async () => {
  const server = await sandbox.start('dev', '--port', '0', '--empty', '--data', 'd');
  expect(sandbox.run(['health', '--url', server.url])).toEqual({
    code: 0,
    stdout: `catp health: ${server.url} está pronto.\n`,
    stderr: '',
  });
  await server.stop();
  const { code, stderr } = sandbox.run(['health', '--url', server.url, '--wait', '1']);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`catp: ${server.url} não está pronto: `)]);
});

test('waits for an instance that is starting', async () => {
  const probe = Bun.serve({ port: 0, fetch: () => new Response() });
  const { port } = probe;
  await probe.stop(true);
  const url = `http://127.0.0.1:${port}`;
  const waiter = Bun.spawn([sandbox.executable, 'health', '--url', url, '--wait', '30'], { env: {} });
  const server = await sandbox.start('dev', '--port', String(port), '--empty', '--data', 'd');
  expect(await waiter.exited).toBe(0);
  await server.stop();
});

test.each([
  [['--url', 'catalogo'], '--url: recebido "catalogo"'],
  [['--url', 'ftp://127.0.0.1'], '--url: recebido'],
  [['--wait', 'sempre'], '--wait: recebido "sempre"'],
  [['--wait', '3601'], '--wait: recebido "3601"'],
])('refuses %p', (flags, hint) => {
  const { code, stderr } = sandbox.run(['health', ...flags]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(hint)]);
});
