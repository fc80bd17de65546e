/** The renewal of the certificates of `catp dev --tls`. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, SECOND_MS, SystemClock } from '../../src/clock.ts';
import { makeCertificates } from '../../src/demo/certificates.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catp-certificates-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FILES = ['catp-ca.pem', 'servidor.pem', 'demo.pfx', 'empresa.pfx'];
/** Certificates have a resolution of one second. */
const NOW = Math.floor(new SystemClock().now() / SECOND_MS) * SECOND_MS;

async function madeAnew(day: number, names: readonly string[] = ['localhost', '127.0.0.1', '::1']) {
  const look = (): string[] => FILES.map((name) => readFileSync(join(folder, name), 'latin1'));
  const before = look();
  await makeCertificates(folder, names, NOW + day * DAY_MS);
  const after = look();
  return FILES.filter((_, index) => before[index] !== after[index]);
}

test('a certificate with less than thirty days left is renewed by the same authority, also after a wrong clock', async () => {
  await makeCertificates(folder, ['localhost', '127.0.0.1', '::1'], NOW);
  expect(await madeAnew(335)).toEqual([]);
  expect(await madeAnew(336)).toEqual(['servidor.pem', 'demo.pfx', 'empresa.pfx']);
  expect(await madeAnew(0)).toEqual(['servidor.pem', 'demo.pfx', 'empresa.pfx']);
});

test('the certificate of the server is renewed for an added, removed or changed name; another order keeps it', async () => {
  await makeCertificates(folder, ['localhost', '127.0.0.1', '::1'], NOW);
  expect(await madeAnew(0, ['::1', 'localhost', '127.0.0.1'])).toEqual([]);
  expect(await madeAnew(0, ['localhost', '127.0.0.1'])).toEqual(['servidor.pem']);
  expect(await madeAnew(0, ['localhost', '127.0.0.2'])).toEqual(['servidor.pem']);
  expect(await madeAnew(0, ['localhost', '127.0.0.2', 'exemplo.com'])).toEqual(['servidor.pem']);
});
