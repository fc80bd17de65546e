/**
 * Creates the certificates of `catp dev --tls` at the first start and keeps them in a folder (contract
 * section 13).
 */
import type { X509Certificate } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import {
  type Authority,
  type KeyPair,
  type Period,
  type Purpose,
  authorityFile,
  initAuthority,
  openAuthority,
} from '../authority/authority.ts';
import { pfxOf } from '../authority/pfx.ts';
import { DAY_MS, type EpochMs, HOUR_MS } from '../clock.ts';
import { nodeCrypto } from '../system/builtin.ts';

const FOR_DEVELOPMENT: Purpose = {
  name: 'catp dev, sem valor legal',
  algorithm: 'RSA',
  cert: 'catp-ca.pem',
  key: 'catp-ca.key',
  madeBy: 'catp dev --tls',
};
/** The password of the PFX files. It protects nothing; some programs reject PFX files without a password. */
export const PFX_PASSWORD = 'catp';
const LIFETIME_MS = 365 * DAY_MS;
/** The minimum of remaining validity. A certificate with less is replaced. */
const LEFT_LEAST_MS = 30 * DAY_MS;

/** The holders who may authenticate by certificate, in the layout of ICP-Brasil. */
const HOLDERS = [
  {
    file: 'demo',
    cn: 'MARIA DEMONSTRACAO:00000000191',
    otherNames: {
      // Birth date, CPF, NIS, RG and its issuer; voter's registration; CEI.
      '2.16.76.1.3.1': `0101198000000000191${'0'.repeat(26)}`,
      '2.16.76.1.3.5': '0'.repeat(19),
      '2.16.76.1.3.6': '0'.repeat(12),
    },
  },
  {
    file: 'empresa',
    cn: 'EXEMPLO IMPORTADORA SA:12345678000195',
    otherNames: {
      // Name of the company's responsible person, CNPJ, data of that person; CEI.
      '2.16.76.1.3.2': 'MARIA DEMONSTRACAO',
      '2.16.76.1.3.3': '12345678000195',
      '2.16.76.1.3.4': `0101198000000000191${'0'.repeat(26)}`,
      '2.16.76.1.3.7': '0'.repeat(12),
    },
  },
] as const;

/** The files of the server, by setting. */
export const serverFiles = (folder: string) => ({
  'tls.certificado': join(folder, 'servidor.pem'),
  'tls.chave': join(folder, 'servidor.key'),
  'tls.clientes': authorityFile(folder, FOR_DEVELOPMENT),
});

/**
 * Creates each certificate that is missing, near its end, or issued by another authority or for other names.
 * `names` are those of the server.
 */
export async function makeCertificates(
  folder: string,
  names: readonly string[],
  now: EpochMs,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const ca =
    (await openAuthority(folder, FOR_DEVELOPMENT)) ?? (await initAuthority(folder, now, FOR_DEVELOPMENT));
  const period = { from: now - HOUR_MS, to: now + LIFETIME_MS };
  const isGood = (file: string, fits?: (certificate: X509Certificate) => boolean): Promise<boolean> =>
    isKept(join(folder, file), ca, now, fits);
  await Promise.all([
    (async () => {
      if (await isGood('servidor', (certificate) => isFor(certificate, names))) return;
      await write(join(folder, 'servidor'), await ca.issue(names, period));
    })(),
    ...HOLDERS.map(async (holder) => {
      if (await isGood(holder.file)) return;
      await makeHolder(folder, ca, holder, period);
    }),
  ]);
}

async function makeHolder(
  folder: string,
  ca: Authority,
  { file, cn, otherNames }: (typeof HOLDERS)[number],
  period: Period,
): Promise<void> {
  const subject = [
    { C: ['BR'] },
    { O: ['ICP-Brasil'] },
    { OU: ['Demonstracao do catp, sem valor legal'] },
    { CN: [cn] },
  ];
  const pair = await ca.issueForClient(subject, otherNames, period);
  // Written last: if the pair exists, the PFX file exists too.
  await writeSecret(join(folder, `${file}.pfx`), pfxOf(pair, ca.pem, file, PFX_PASSWORD));
  await write(join(folder, file), pair);
}

async function write(path: string, { cert, key }: KeyPair): Promise<void> {
  await writeSecret(`${path}.key`, key);
  await writeFile(`${path}.pem`, cert);
}

/** Writes a file that only its owner can read, even if it replaces another user's file. */
async function writeSecret(path: string, content: string | Uint8Array): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, content, { mode: 0o600 });
}

async function isKept(
  path: string,
  { pem }: Authority,
  now: EpochMs,
  fits: (certificate: X509Certificate) => boolean = () => true,
): Promise<boolean> {
  const { X509Certificate, createPrivateKey } = nodeCrypto();
  try {
    const certificate = new X509Certificate(await readFile(`${path}.pem`));
    return (
      certificate.checkPrivateKey(createPrivateKey(await readFile(`${path}.key`))) &&
      certificate.verify(new X509Certificate(pem).publicKey) &&
      certificate.validFromDate.getTime() <= now &&
      certificate.validToDate.getTime() >= now + LEFT_LEAST_MS &&
      fits(certificate)
    );
  } catch {
    return false; // missing or invalid: create it again
  }
}

function isFor(certificate: X509Certificate, names: readonly string[]): boolean {
  const altNames = certificate.subjectAltName?.split(', ') ?? [];
  return (
    altNames.length === names.length &&
    names.every((name) => (isIP(name) === 0 ? altNames.includes(`DNS:${name}`) : certificate.checkIP(name)))
  );
}
