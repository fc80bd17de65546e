import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { DAY_MS, type EpochMs, HOUR_MS } from '../clock.ts';
import { DomainError } from '../errors.ts';

/** A certificate and its key, PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface Period {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const AUTHORITY_LIFETIME_MS = 3650 * DAY_MS;
/** The most that current TLS clients accept of a server's certificate is 398 days. */
const SERVER_LIFETIME_MS = 90 * DAY_MS;
/** The receiver may run on another machine, whose clock is a little ahead. */
const CLOCK_TOLERANCE_MS = HOUR_MS;
const CERTIFICATE_FILE = 'ca.pem';
const KEY_FILE = 'ca-key.pem';

/** A certification authority of its own, for receivers on a desk and in tests; never for the public network. */
export class Authority {
  readonly pem: string;
  readonly keyPem: string;

  constructor(pair: KeyPair) {
    this.pem = pair.cert;
    this.keyPem = pair.key;
  }

  /** A server certificate for `names`, host names or addresses. */
  async issue(names: readonly string[], period: Period): Promise<KeyPair> {
    const x509 = await loadX509();
    const keys = await makeKeys();
    const issuer = new x509.X509Certificate(this.pem);
    const pkcs8 = x509.PemConverter.decodeFirst(this.keyPem);
    const certificate = await x509.X509CertificateGenerator.create({
      subject: [{ CN: [names[0] ?? 'catp receiver'] }],
      issuer: issuer.subject,
      notBefore: new Date(period.from),
      notAfter: new Date(period.to),
      publicKey: keys.publicKey,
      signingKey: await crypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign']),
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(false),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
        ),
      ],
    });
    return { cert: certificate.toString('pem'), key: await exportKey(keys) };
  }
}

/** The validity of a server certificate that is issued at `now`. */
export const serverPeriod = (now: EpochMs): Period => ({
  from: now - CLOCK_TOLERANCE_MS,
  to: now + SERVER_LIFETIME_MS,
});

export async function createAuthority(now: EpochMs): Promise<Authority> {
  const x509 = await loadX509();
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ['catp receiver CA'] }],
    keys,
    notBefore: new Date(now - CLOCK_TOLERANCE_MS),
    notAfter: new Date(now + AUTHORITY_LIFETIME_MS),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return new Authority({ cert: certificate.toString('pem'), key: await exportKey(keys) });
}

/** The file to trust, for `--ca`. */
export const authorityFile = (folder: string): string => join(folder, CERTIFICATE_FILE);

/** The authority kept in `folder`, or `undefined` where there is none yet. Throws `DomainError` on half of one. */
export async function openAuthority(folder: string): Promise<Authority | undefined> {
  const [cert, key] = await Promise.all([readText(authorityFile(folder)), readText(join(folder, KEY_FILE))]);
  if (cert === undefined && key === undefined) return undefined;
  if (cert !== undefined && key !== undefined) return new Authority({ cert, key });
  const missing = cert === undefined ? CERTIFICATE_FILE : KEY_FILE;
  throw new DomainError(
    'notFound',
    `Falta ${missing} em ${folder}. Apague a pasta e execute catp receiver init.`,
  );
}

/** Makes an authority in `folder`. Throws `DomainError` where one is kept already: others may trust it. */
export async function initAuthority(folder: string, now: EpochMs): Promise<Authority> {
  if ((await openAuthority(folder)) !== undefined) {
    throw new DomainError(
      'malformed',
      `Já existe uma autoridade em ${authorityFile(folder)}; ela foi mantida.`,
    );
  }
  const authority = await createAuthority(now);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, KEY_FILE), authority.keyPem, { mode: 0o600 });
  await writeFile(authorityFile(folder), authority.pem);
  return authority;
}

/** Loaded when needed: only the receiver makes certificates, and the server starts faster without. */
async function loadX509() {
  await import('reflect-metadata'); // the library's dependency injection asks for it
  return import('@peculiar/x509');
}

const makeKeys = (): Promise<CryptoKeyPair> => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

async function exportKey({ privateKey }: CryptoKeyPair): Promise<string> {
  const { PemConverter } = await loadX509();
  return PemConverter.encode(await crypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
