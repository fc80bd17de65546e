/**
 * The log of a server in a file: every request has its line, with user and operation; the file is rotated; no
 * secret.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const linesIn = (name: string): Record<string, unknown>[] =>
  readFileSync(join(sandbox.folder, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { properties: Record<string, unknown> }).properties);

test('log.arquivo, log.tamanho, log.manter', async () => {
  const catp = await sandbox.start(
    ...['dev', '--port', '0', '--empty', '--log', 'json'],
    ...['--set', 'log.arquivo=catp.log', '--set', 'log.nivel=debug'],
    ...['--set', 'log.tamanho=8192', '--set', 'log.manter=2'],
  );
  const tokens = (await tokensOf(catp.url, 'demo', 'demo')) as Record<string, string>;
  const path = '/catp/api/ext/produto/12345678/1/1';
  const refusal = (await (await fetch(catp.url + path, { headers: tokens })).json()) as { tag: string };
  await fetch(`${catp.url}/healthz`);
  const exchanges = linesIn('catp.log').filter(({ status }) => status !== undefined);
  expect(exchanges.map(({ operation, user, status }) => [operation, user, status])).toEqual([
    ['authenticateWithKey', '***.000.001-**', 200],
    ['getProductVersion', '***.000.001-**', 404],
    ['getHealth', null, 200],
  ]);
  for (const { tag, ms } of exchanges)
    expect([String(tag), typeof ms]).toEqual([expect.stringMatching(/^[A-Z0-9]{10}$/), 'number']);
  expect(refusal.tag).toContain(`-${String(exchanges[1]?.tag)}]`);

  for (let calls = 0; calls < 100; calls += 1) await fetch(`${catp.url}/healthz`);
  const names = readdirSync(sandbox.folder).filter((name) => name.startsWith('catp.log'));
  expect(names.toSorted()).toEqual(['catp.log', 'catp.log.1', 'catp.log.2']);
  for (const name of names) {
    expect(statSync(join(sandbox.folder, name)).size).toBeLessThanOrEqual(8192);
    expect(statSync(join(sandbox.folder, name)).mode & 0o077).toBe(0);
  }
  expect(await catp.stop()).toBe(0);
  // The lines for people are still on standard error.
  expect(await catp.allStderr()).toMatch(/^\d\d:\d\d:\d\d GET \/catp\/.* → 404 /m);
  expect(await catp.allStderr()).not.toMatch(/^\{/m);
  const outcome = sandbox.run(['dev', '--port', '0', '--set', 'log.arquivo=nada/catp.log']);
  expect([outcome.code, outcome.stderr]).toEqual([
    1,
    expect.stringContaining("log.arquivo ('nada/catp.log')"),
  ]);
});
