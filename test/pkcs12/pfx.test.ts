/** PFX files and encrypted keys of other programs, and the limit of their cost (contract section 16). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pfxOf } from '../../src/authority/pfx.ts';
import { readCredential } from '../../src/remote/wire/credential-file.ts';
import { UnfitCredential } from '../../src/remote/wire/pem-certificates.ts';
import { issue } from '../support/tls.ts';

const folder = mkdtempSync(join(tmpdir(), 'catp-pfx-'));
const at = (name: string): string => join(folder, name);
let pair: { readonly cert: string; readonly key: string };

beforeAll(async () => {
  pair = await issue();
  await Bun.write(at('cert.pem'), pair.cert);
  await Bun.write(at('key.pem'), pair.key);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function openssl(...args: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['openssl', ...args]);
  if (exitCode !== 0) throw new Error(stderr.toString());
}

/** In base64. */
function pfx(password: string, options: readonly string[]): string {
  const pairs = ['-in', at('cert.pem'), '-inkey', at('key.pem'), '-out', at('x.pfx')];
  openssl('pkcs12', '-export', ...pairs, '-passout', `pass:${password}`, ...options);
  return readFileSync(at('x.pfx')).toString('base64');
}

/** A certificate and its encrypted key. */
function pem(password: string, options: readonly string[]): string {
  const files = ['-in', at('key.pem'), '-out', at('hidden.pem')];
  openssl('pkcs8', '-topk8', ...files, '-passout', `pass:${password}`, ...options);
  return `${pair.cert}\n${readFileSync(at('hidden.pem'), 'utf8')}`;
}

const wordsOf = (work: () => unknown): string => {
  try {
    work();
    return '';
  } catch (error) {
    if (!(error instanceof UnfitCredential)) throw error;
    return error.message;
  }
};

describe.each<[string, string, ...string[]]>([
  ['of today', 's'],
  ['of the old form, RC2 of 40 bits and 3DES', 'senha', '-legacy'],
  ['under a password with accents', 'sença~1', '-legacy'],
  ['of 3DES alone', 's', '-certpbe', 'PBE-SHA1-3DES', '-keypbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'],
  ['of 3DES with two keys', 's', '-certpbe', 'PBE-SHA1-2DES', '-keypbe', 'PBE-SHA1-2DES'],
  ['of RC2 of 128 bits', 's', '-legacy', '-certpbe', 'PBE-SHA1-RC2-128', '-keypbe', 'PBE-SHA1-RC2-128'],
  ['of AES of 128 and 192 bits', 's', '-certpbe', 'AES-128-CBC', '-keypbe', 'AES-192-CBC'],
  ['sealed by SHA-512', 's', '-macalg', 'sha512'],
  ['without a seal', 's', '-nomac'],
  ['that hides nothing', 's', '-certpbe', 'NONE', '-keypbe', 'NONE'],
  ['with an empty password', '', '-legacy'],
])('a PFX %s', (_, password, ...options) => {
  test('opens with its password, and with no other', () => {
    const file = pfx(password, options);
    const { certificate, key } = readCredential(file, password);
    expect(certificate.trim()).toBe(pair.cert.trim());
    expect(key).toContain('BEGIN PRIVATE KEY');
    expect(wordsOf(() => readCredential(file, `${password}x`))).toContain('que se abra com essa senha');
  });
});

test('a PFX of catp opens with catp and with OpenSSL', () => {
  const file = pfxOf(pair, pair.cert, 'demo', 'senha');
  expect(readCredential(file.toString('base64'), 'senha').certificate).toContain(pair.cert.trim());
  writeFileSync(at('ours.pfx'), file);
  openssl('pkcs12', '-in', at('ours.pfx'), '-passin', 'pass:senha', '-nodes', '-out', at('ours.pem'));
  expect(readFileSync(at('ours.pem'), 'utf8')).toContain('friendlyName: demo');
});

test('a PFX that is truncated anywhere, or has any byte changed, is reported as one that does not open', () => {
  const file = Buffer.from(pfx('s', ['-legacy']), 'base64');
  for (let length = 0; length < file.length; length += 41)
    expect(wordsOf(() => readCredential(file.subarray(0, length).toString('base64'), 's'))).toContain('PFX');
  for (let byte = 0; byte < file.length - 1; byte += 17) {
    const changed = Buffer.from(file);
    changed[byte] = (changed[byte] ?? 0) ^ 0x40;
    expect(wordsOf(() => readCredential(changed.toString('base64'), 's'))).not.toBe('');
  }
});

test.each([
  ['200000', ''],
  ['200001', '600.003'],
  ['1000000', '3.000.000'],
])('a PFX of %s iterations thrice: %p', (iterations, reason) => {
  const words = wordsOf(() => readCredential(pfx('s', ['-iter', iterations]), 's'));
  expect(words.includes('iterações')).toBe(reason !== '');
  expect(words).toContain(reason);
});

test.each([
  [['-iter', '600000'], ''],
  [['-iter', '600001'], '600.001'],
  [['-scrypt', '-scrypt_N', '16384', '-scrypt_r', '8', '-scrypt_p', '4'], ''],
  [['-scrypt', '-scrypt_N', '16384', '-scrypt_r', '8', '-scrypt_p', '5'], '655.360'],
  [['-v1', 'PBE-SHA1-3DES'], ''],
])('an encrypted key made with %p: %p', (options, reason) => {
  const words = wordsOf(() => readCredential(pem('s', options), 's'));
  expect(words.includes('iterações')).toBe(reason !== '');
  expect(words).toContain(reason);
  expect(wordsOf(() => readCredential(pem('s', ['-iter', '1000']), 'x'))).toContain('confira a senha');
});
