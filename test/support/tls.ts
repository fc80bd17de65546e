/** A server certificate for the loopback, made once per process, and the authority that its clients trust. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../src/clock.ts';
import { readSettings } from '../../src/settings/config.ts';
import { type KeyPair, serverPeriod } from '../../src/authority/authority.ts';
import { Credentials } from '../../src/tls/credentials.ts';
import { testAuthority } from './receiver.ts';

export const SCHEMES = ['http', 'https'] as const;
export type Scheme = (typeof SCHEMES)[number];

export interface ServerCertificate extends KeyPair {
  /** PEM of the authority that signed it. */
  readonly ca: string;
}

let certificate: Promise<ServerCertificate> | undefined;

export const serverCertificate = (): Promise<ServerCertificate> => (certificate ??= issue());

/** Issues another pair of the same authority. */
export async function issue(at = new SystemClock().now()): Promise<ServerCertificate> {
  const authority = await testAuthority();
  const pair = await authority.issue(['127.0.0.1', '::1', 'localhost'], serverPeriod(at));
  return { ...pair, ca: authority.pem };
}

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

let files: Promise<CertificateFiles> | undefined;

/** Returns the certificate as files, for the flags of the executable; removed when the process ends. */
export const certificateFiles = (): Promise<CertificateFiles> => (files ??= writeFiles());

async function writeFiles(): Promise<CertificateFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'catp-tls-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const written = Object.entries(await serverCertificate()).map(([name, pem]) => {
    const file = join(folder, `${name}.pem`);
    writeFileSync(file, pem);
    return [name, file];
  });
  return Object.fromEntries(written) as CertificateFiles;
}

/** Returns the server's parsed pair, for a listener in process. */
export async function serverCredentials(): Promise<Credentials> {
  const { cert, key } = await certificateFiles();
  const pairs = { 'tls.porta': '0', 'tls.certificado': cert, 'tls.chave': key };
  return Credentials.open(readSettings({ environment: {}, commandLine: Object.entries(pairs) }));
}

/** Calls `fetch` with trust in the authority of the tests. */
export async function trusting(url: string, init: RequestInit = {}): Promise<Response> {
  if (!url.startsWith('https:')) return fetch(url, init);
  const { ca } = await serverCertificate();
  return fetch(url, { ...init, tls: { ca } });
}
