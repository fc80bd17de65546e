/**
 * A certificate whose content decides its cost is opened in a worker, and only when that cost is bounded
 * (contract section 16).
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { stalls } from '../support/stall.ts';
import { issue } from '../support/tls.ts';
import { COMPANY } from './support.ts';

let localApp: TestApp;
let admin: Client;
let folder: string;

beforeEach(async () => {
  localApp = await openApp();
  admin = await localApp.as('admin');
  folder = mkdtempSync(join(tmpdir(), 'catp-credential-'));
});
afterEach(async () => {
  await localApp.close();
  rmSync(folder, { recursive: true, force: true });
});

async function pfx(...options: readonly string[]): Promise<string> {
  const { cert, key } = await issue();
  const [pem, file] = [join(folder, 'x.pem'), join(folder, 'x.pfx')];
  writeFileSync(pem, `${cert}\n${key}`);
  const command = [
    'openssl',
    'pkcs12',
    '-export',
    '-in',
    pem,
    '-out',
    file,
    '-passout',
    'pass:s',
    ...options,
  ];
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return readFileSync(file).toString('base64');
}

const add = (certificate: string) =>
  admin.call('POST', '/appliance/api/remotes', {
    name: 'la',
    companies: [COMPANY],
    url: 'https://la.exemplo',
    certificate,
    password: 's',
  });

test('a PFX with a million iterations is refused by the sum of iterations, without deriving a key', async () => {
  const file = await pfx('-iter', '1000000');
  const { result, stallMs } = await stalls(() => add(file));
  expect([result.status, result.json.detail[0]]).toMatchObject([422, { code: 'CATP-ER1522' }]);
  expect(result.json.message).toContain('3.000.000 iterações');
  expect(stallMs).toBeLessThan(1000); // three million take several seconds
});

test('a PFX just below the limit is accepted, and /healthz answers while it is read', async () => {
  const file = await pfx('-iter', '199999');
  let isOver = false;
  let answered = 0;
  const adding = add(file).finally(() => (isOver = true));
  while (!isOver) {
    expect((await localApp.anybody.call('GET', '/healthz')).status).toBe(200);
    answered += 1;
    await Bun.sleep(1);
  }
  expect((await adding).status).toBe(200);
  expect(answered).toBeGreaterThan(10); // reading on the main thread would allow one at most
});

test('several credentials sent at once are read one after the other, and one remote gets the name', async () => {
  const file = await pfx('-legacy');
  const added = await Promise.all(Array.from({ length: 5 }, () => add(file)));
  expect(added.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422, 422]);
});
