/**
 * A certificate whose content names the cost of opening it (contract section 16), posted to the executable:
 * requests that follow are answered before it.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issue } from '../support/tls.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

let sandbox: Sandbox;
let url: string;
let headers: Record<string, string>;
beforeAll(async () => {
  sandbox = await openSandbox();
  expect(sandbox.run(['init', '--data', 'dados', '--empresa', '12345678', '--nome', 'Exemplo']).code).toBe(0);
  for (const args of [
    ['user', 'add', '00000000191', '--nome', 'Ana', '--administrador'],
    ['representation', 'add', '00000000191', '12345678'],
  ])
    expect(sandbox.run([...args, '--data', 'dados']).code).toBe(0);
  const key = sandbox.run(['key', 'add', '00000000191', '--data', 'dados']).stdout;
  const [, clientId = '', secret = ''] = /Client-Id: (\S+)\nClient-Secret: (\S+)/.exec(key) ?? [];
  ({ url } = await sandbox.start('serve', '--port', '0', '--data', 'dados'));
  const tokens = await tokensOf(url, clientId, secret);
  if (typeof tokens === 'number') throw new Error(`not signed in: ${tokens}`);
  headers = { ...tokens, 'content-type': 'application/json' };
});
afterAll(() => sandbox.close());

function openssl(...args: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['openssl', ...args], { cwd: sandbox.folder });
  if (exitCode !== 0) throw new Error(stderr.toString());
}

async function pemFiles(): Promise<void> {
  const { cert, key } = await issue();
  writeFileSync(join(sandbox.folder, 'cert.pem'), cert);
  writeFileSync(join(sandbox.folder, 'key.pem'), key);
}

async function pfx(iterations: number): Promise<string> {
  await pemFiles();
  const pair = ['-in', 'cert.pem', '-inkey', 'key.pem', '-out', 'x.pfx', '-passout', 'pass:s'];
  openssl('pkcs12', '-export', ...pair, '-iter', String(iterations));
  return readFileSync(join(sandbox.folder, 'x.pfx')).toString('base64');
}

async function encryptedPem(iterations: number): Promise<string> {
  await pemFiles();
  const encryption = ['-topk8', '-v2', 'aes256', '-passout', 'pass:s', '-iter', String(iterations)];
  openssl('pkcs8', '-in', 'key.pem', '-out', 'hidden.pem', ...encryption);
  return ['cert.pem', 'hidden.pem'].map((name) => readFileSync(join(sandbox.folder, name), 'utf8')).join('');
}

/** Posts the credential, and requests /healthz on other connections until the post is answered. */
async function postDuringHealth(name: string, certificate: string) {
  const body = { name, companies: ['12345678'], url: 'https://la.exemplo', certificate, password: 's' };
  const answers: string[] = [];
  const posted = fetch(`${url}/appliance/api/remotes`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const adding = posted.finally(() => answers.push('remote'));
  while (!answers.includes('remote')) {
    expect((await fetch(`${url}/healthz`, { keepalive: false })).status).toBe(200);
    answers.push('healthz');
  }
  const { status } = await adding;
  return { status, text: await (await adding).text(), health: answers.indexOf('remote') };
}

/** Minimum of earlier health answers. Work on the main thread would allow at most one. */
const HEALTH_ANSWERS = 5;

test.each([
  ['a PFX of three times 1 000 000 iterations', () => pfx(1_000_000), '3.000.000'],
  ['an encrypted PEM of 1 000 000', () => encryptedPem(1_000_000), '1.000.000'],
  ['one of 600 001', () => encryptedPem(600_001), '600.001'],
])('%s is refused with its cost', async (_, makeCredential, sum) => {
  const { status, text } = await postDuringHealth('recusado', await makeCredential());
  expect([status, text]).toEqual([422, expect.stringContaining(`${sum} iterações`)]);
});

test.each([
  ['pfx', () => pfx(199_999)],
  ['pem', () => encryptedPem(600_000)],
])('a credential at the limit is opened while /healthz answers: %s', async (name, makeCredential) => {
  const { status, health } = await postDuringHealth(name, await makeCredential());
  expect(status).toBe(200);
  expect(health).toBeGreaterThanOrEqual(HEALTH_ANSWERS);
});
