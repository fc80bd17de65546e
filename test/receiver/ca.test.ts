import { describe, expect, test } from 'bun:test';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../../src/clock.ts';
import {
  authorityFile,
  createAuthority,
  initAuthority,
  openAuthority,
  serverPeriod,
} from '../../src/authority/authority.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'catp-ca-'));
  await work(join(folder, 'novo')).finally(() => rm(folder, { recursive: true }));
}

describe("the receiver's authority", () => {
  test('is never replaced when other programs can trust it', async () => {
    await inFolder(async (folder) => {
      const { pem } = await initAuthority(folder, NOW);
      await expect(initAuthority(folder, NOW)).rejects.toThrow(/Já existe uma autoridade/);
      expect(await readFile(authorityFile(folder), 'utf8')).toBe(pem);
    });
  });

  test('is refused when half of it is missing', async () => {
    await inFolder(async (folder) => {
      await initAuthority(folder, NOW);
      await rm(join(folder, 'ca-key.pem'));
      await expect(openAuthority(folder)).rejects.toThrow(/Falta ca-key\.pem/);
    });
  });

  test('is absent without files, and the same again with them', async () => {
    await inFolder(async (folder) => {
      expect(await openAuthority(folder)).toBeUndefined();
      const authority = await initAuthority(folder, NOW);
      const opened = await openAuthority(folder);
      expect([opened?.pem, opened?.keyPem]).toEqual([authority.pem, authority.keyPem]);
    });
  });

  test('has a key that only its owner reads', async () => {
    await inFolder(async (folder) => {
      await initAuthority(folder, NOW);
      expect((await stat(join(folder, 'ca-key.pem'))).mode & 0o077).toBe(0);
    });
  });

  test('issues certificates for names and addresses that it alone has signed', async () => {
    const [authority, stranger] = await Promise.all([createAuthority(NOW), createAuthority(NOW)]);
    const { cert } = await authority.issue(['erp.exemplo', '127.0.0.1', '::1'], serverPeriod(NOW));
    const certificate = new X509Certificate(cert);
    expect(certificate.verify(new X509Certificate(authority.pem).publicKey)).toBe(true);
    expect(certificate.verify(new X509Certificate(stranger.pem).publicKey)).toBe(false);
    expect(certificate.ca).toBe(false);
    expect(certificate.subjectAltName).toBe(
      'DNS:erp.exemplo, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    );
    expect(Date.parse(certificate.validFrom)).toBeLessThan(NOW);
    expect(Date.parse(certificate.validTo)).toBe(NOW + 90 * DAY_MS);
  });
});
