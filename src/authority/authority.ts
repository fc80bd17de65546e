import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Extension, JsonName } from '@peculiar/x509';
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

const ALGORITHMS = {
  EC: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RSA: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
} as const;
type Algorithm = keyof typeof ALGORITHMS;

const AUTHORITY_LIFETIME_MS = 3650 * DAY_MS;
/** Lifetime below 398 days, the maximum that current TLS clients accept for a server certificate. */
const SERVER_LIFETIME_MS = 90 * DAY_MS;
/** Tolerance for a receiver on another machine whose clock differs slightly. */
const CLOCK_TOLERANCE_MS = HOUR_MS;

/** The purpose of an authority: its name and keys, its file names, and the command that creates it. */
export interface Purpose {
  readonly name: string;
  readonly algorithm: Algorithm;
  readonly cert: string;
  readonly key: string;
  readonly madeBy: string;
}

const FOR_RECEIVERS: Purpose = {
  name: 'catp receiver CA',
  algorithm: 'EC',
  cert: 'ca.pem',
  key: 'ca-key.pem',
  madeBy: 'catp receiver init',
};

/** A local certification authority for development and tests, never for the public network. */
export class Authority {
  readonly pem: string;
  readonly keyPem: string;
  readonly #algorithm: Algorithm;

  constructor(pair: KeyPair, algorithm: Algorithm) {
    this.pem = pair.cert;
    this.keyPem = pair.key;
    this.#algorithm = algorithm;
  }

  /** Issues a server certificate for `names`, host names or addresses. */
  async issue(names: readonly string[], period: Period): Promise<KeyPair> {
    const x509 = await loadX509();
    return this.#sign([{ CN: [names[0] ?? 'catp receiver'] }], period, [
      new x509.BasicConstraintsExtension(false),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
    ]);
  }

  /** Issues a client certificate. `otherNames`: the texts of its SAN, by object identifier. */
  async issueForClient(
    subject: JsonName,
    otherNames: Readonly<Record<string, string>>,
    period: Period,
  ): Promise<KeyPair> {
    const x509 = await loadX509();
    const { digitalSignature, nonRepudiation, keyEncipherment } = x509.KeyUsageFlags;
    return this.#sign(subject, period, [
      new x509.BasicConstraintsExtension(false),
      new x509.KeyUsagesExtension(digitalSignature | nonRepudiation | keyEncipherment, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
      await alternativeNames(otherNames),
    ]);
  }

  async #sign(subject: JsonName, period: Period, extensions: readonly Extension[]): Promise<KeyPair> {
    const x509 = await loadX509();
    const algorithm = ALGORITHMS[this.#algorithm];
    const keys = await makeKeys(this.#algorithm);
    const issuer = new x509.X509Certificate(this.pem);
    const pkcs8 = x509.PemConverter.decodeFirst(this.keyPem);
    const certificate = await x509.X509CertificateGenerator.create({
      subject,
      issuer: issuer.subject,
      notBefore: new Date(period.from),
      notAfter: new Date(period.to),
      publicKey: keys.publicKey,
      signingKey: await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']),
      signingAlgorithm: algorithm,
      // Strict clients (Python from 3.13 on) require the last extension.
      extensions: [...extensions, await x509.AuthorityKeyIdentifierExtension.create(issuer)],
    });
    return { cert: certificate.toString('pem'), key: await exportKey(keys) };
  }
}

/** Builds the SAN, because the library cannot write other kinds of `otherName`. */
async function alternativeNames(otherNames: Readonly<Record<string, string>>): Promise<Extension> {
  const x509 = await loadX509();
  const { AsnConvert, OctetString } = await import('@peculiar/asn1-schema');
  const { GeneralName, OtherName, SubjectAlternativeName } = await import('@peculiar/asn1-x509');
  const names = Object.entries(otherNames).map(([typeId, text]) => {
    const value = AsnConvert.serialize(new OctetString(new TextEncoder().encode(text)));
    return new GeneralName({ otherName: new OtherName({ typeId, value }) });
  });
  return new x509.Extension('2.5.29.17', false, AsnConvert.serialize(new SubjectAlternativeName(names)));
}

/** Returns the validity of a server certificate that is issued at `now`. */
export const serverPeriod = (now: EpochMs): Period => ({
  from: now - CLOCK_TOLERANCE_MS,
  to: now + SERVER_LIFETIME_MS,
});

export async function createAuthority(
  now: EpochMs,
  { name, algorithm }: Purpose = FOR_RECEIVERS,
): Promise<Authority> {
  const x509 = await loadX509();
  const keys = await makeKeys(algorithm);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    keys,
    notBefore: new Date(now - CLOCK_TOLERANCE_MS),
    notAfter: new Date(now + AUTHORITY_LIFETIME_MS),
    signingAlgorithm: ALGORITHMS[algorithm],
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return new Authority({ cert: certificate.toString('pem'), key: await exportKey(keys) }, algorithm);
}

/** Returns the certificate file to trust, for `--ca`. */
export const authorityFile = (folder: string, { cert } = FOR_RECEIVERS): string => join(folder, cert);

/**
 * Opens the authority in `folder`. Returns `undefined` if there is none. Throws `DomainError` if it is
 * incomplete.
 */
export async function openAuthority(folder: string, purpose = FOR_RECEIVERS): Promise<Authority | undefined> {
  const files = [purpose.cert, purpose.key].map((name) => readText(join(folder, name)));
  const [cert, key] = await Promise.all(files);
  if (cert === undefined && key === undefined) return undefined;
  if (cert !== undefined && key !== undefined) return new Authority({ cert, key }, purpose.algorithm);
  const missing = cert === undefined ? purpose.cert : purpose.key;
  throw new DomainError(
    'notFound',
    `Falta ${missing} em ${folder}. Apague a pasta e execute ${purpose.madeBy}.`,
  );
}

/** Creates an authority in `folder`. Throws `DomainError` if one exists, because others may trust it. */
export async function initAuthority(
  folder: string,
  now: EpochMs,
  purpose = FOR_RECEIVERS,
): Promise<Authority> {
  const file = authorityFile(folder, purpose);
  if ((await openAuthority(folder, purpose)) !== undefined)
    throw new DomainError('malformed', `Já existe uma autoridade em ${file}; ela foi mantida.`);
  const authority = await createAuthority(now, purpose);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, purpose.key), authority.keyPem, { mode: 0o600 });
  await writeFile(file, authority.pem);
  return authority;
}

/** Loads the library on demand: few commands create certificates, and the server starts faster without it. */
async function loadX509() {
  await import('reflect-metadata'); // required by the library's dependency injection
  return import('@peculiar/x509');
}

const makeKeys = (algorithm: Algorithm): Promise<CryptoKeyPair> =>
  crypto.subtle.generateKey(ALGORITHMS[algorithm], true, ['sign', 'verify']);

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
