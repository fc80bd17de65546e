/** An authority for client certificates in the ICP-Brasil layouts, and for every possible fault of them. */
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { DAY_MS, SystemClock } from '../../src/clock.ts';
import type { KeyPair } from '../../src/authority/authority.ts';

export type Algorithm = 'EC' | 'RSA' | 'PSS';

const ALGORITHMS = {
  EC: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RSA: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-512',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
  PSS: {
    name: 'RSA-PSS',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    saltLength: 32,
  },
} as const;

const keysOf = (algorithm: Algorithm): Promise<CryptoKeyPair> =>
  crypto.subtle.generateKey(ALGORITHMS[algorithm], true, ['sign', 'verify']);

export const { KeyUsageFlags } = x509;

export const derOf = (pem: string): Uint8Array => new Uint8Array(x509.PemConverter.decodeFirst(pem));

export const now = (): number => new SystemClock().now();

export interface Wanted {
  /** Days from now. */
  readonly from?: number;
  readonly to?: number;
  /** Texts of the SAN by object identifier. */
  readonly otherNames?: Readonly<Record<string, string>>;
  /** Encoding of the texts; ICP-Brasil writes octet strings. */
  readonly textTag?: number;
  readonly purposes?: readonly string[];
  readonly usages?: x509.KeyUsageFlags;
}

export interface RevocationsWanted {
  /** Days from now. */
  readonly from?: number;
  readonly to?: number;
  /** The authority that forges the signature. */
  readonly signer?: TestCa;
  /** The issuer's name, encoded as by other programs. */
  readonly name?: string;
}

export const PERSON = '2.16.76.1.3.1';
export const COMPANY = '2.16.76.1.3.3';
/** Returns the SAN text of a person: birth date, CPF, NIS, RG and its issuer. */
export const personData = (cpf: string): string => `01011980${cpf}${'0'.repeat(26)}SSPSP`;

const OCTET_STRING = 0x04;

export class TestCa {
  readonly cert: x509.X509Certificate;
  readonly #keys: CryptoKeyPair;
  readonly #algorithm: Algorithm;
  #serial = 1000;

  private constructor(cert: x509.X509Certificate, keys: CryptoKeyPair, algorithm: Algorithm) {
    this.cert = cert;
    this.#keys = keys;
    this.#algorithm = algorithm;
  }

  static async create(name: string, algorithm: Algorithm = 'EC'): Promise<TestCa> {
    const keys = await keysOf(algorithm);
    const cert = await x509.X509CertificateGenerator.createSelfSigned({
      name: subjectOf(name),
      keys,
      serialNumber: '01',
      notBefore: new Date(now() - 10 * DAY_MS),
      notAfter: new Date(now() + 1000 * DAY_MS),
      signingAlgorithm: ALGORITHMS[algorithm],
      extensions: authorityExtensions(),
    });
    return new TestCa(cert, keys, algorithm);
  }

  get pem(): string {
    return this.cert.toString('pem');
  }

  /** Creates an authority below this one. */
  async intermediate(name: string): Promise<TestCa> {
    const keys = await keysOf(this.#algorithm);
    const cert = await this.#sign(subjectOf(name), keys, authorityExtensions(), {});
    return new TestCa(cert, keys, this.#algorithm);
  }

  /** Issues a certificate and its key. `name` is the CN. */
  async issue(name: string, wanted: Wanted = {}): Promise<KeyPair & { readonly serial: string }> {
    const keys = await keysOf(this.#algorithm);
    const { purposes = [x509.ExtendedKeyUsage.clientAuth], usages, otherNames } = wanted;
    const cert = await this.#sign(
      subjectOf(name),
      keys,
      [
        ...(purposes.length > 0 ? [new x509.ExtendedKeyUsageExtension([...purposes])] : []),
        ...(usages === undefined ? [] : [new x509.KeyUsagesExtension(usages, true)]),
        ...(otherNames === undefined ? [] : [alternativeNames(otherNames, wanted.textTag ?? OCTET_STRING)]),
      ],
      wanted,
    );
    const key = await keyText(keys);
    return { cert: cert.toString('pem'), key, serial: cert.serialNumber };
  }

  /** Returns its revocation list. `signer`: the authority that forges it. */
  async revocations(
    serials: readonly string[],
    { from = -1, to = 30, signer = this, name }: RevocationsWanted = {},
  ): Promise<x509.X509Crl> {
    return x509.X509CrlGenerator.create({
      issuer: name === undefined ? this.cert.subject : namedAlike(name),
      thisUpdate: new Date(now() + from * DAY_MS),
      nextUpdate: new Date(now() + to * DAY_MS),
      entries: serials.map((serialNumber) => ({ serialNumber, revocationDate: new Date(now() - DAY_MS) })),
      signingKey: signer.#keys.privateKey,
      signingAlgorithm: ALGORITHMS[signer.#algorithm],
    });
  }

  #sign(
    subject: x509.JsonName,
    keys: CryptoKeyPair,
    extensions: x509.Extension[],
    { from = -1, to = 90 }: Wanted,
  ) {
    this.#serial += 1;
    return x509.X509CertificateGenerator.create({
      subject,
      issuer: this.cert.subject,
      serialNumber: `00ca${this.#serial}`,
      notBefore: new Date(now() + from * DAY_MS),
      notAfter: new Date(now() + to * DAY_MS),
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: ALGORITHMS[this.#algorithm],
      extensions,
    });
  }
}

const keyText = async ({ privateKey }: CryptoKeyPair): Promise<string> =>
  x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');

const subjectOf = (name: string): x509.JsonName => [{ C: ['BR'] }, { O: ['ICP-Brasil'] }, { CN: [name] }];

/** Returns a self-signed certificate. */
export async function selfSigned(name: string): Promise<KeyPair> {
  const keys = await keysOf('EC');
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    name: subjectOf(name),
    keys,
    notBefore: new Date(now() - DAY_MS),
    notAfter: new Date(now() + DAY_MS),
    signingAlgorithm: ALGORITHMS.EC,
  });
  return { cert: cert.toString('pem'), key: await keyText(keys) };
}

/** Returns the name of an authority as another program writes it: texts of another type, in another case. */
const namedAlike = (name: string): x509.JsonName => [
  { C: [`#${element(PRINTABLE_STRING, Buffer.from('br')).toString('hex')}`] },
  { O: [`#${element(BMP_STRING, Buffer.from('ICP-BRASIL', 'utf16le').swap16()).toString('hex')}`] },
  { CN: [`#${element(UTF8_STRING, Buffer.from(` ${name.toUpperCase()} `)).toString('hex')}`] },
];
const PRINTABLE_STRING = 0x13;
const BMP_STRING = 0x1e;
const UTF8_STRING = 0x0c;

const authorityExtensions = (): x509.Extension[] => [
  new x509.BasicConstraintsExtension(true, undefined, true),
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
];

/** Written by hand: the library reads only its own kinds of `otherName`. Adds an e-mail, as authorities do. */
function alternativeNames(otherNames: Readonly<Record<string, string>>, textTag: number): x509.Extension {
  const email = element(0x81, Buffer.from('titular@exemplo.com.br'));
  const names = Object.entries(otherNames).map(([oid, text]) =>
    element(
      0xa0,
      Buffer.concat([element(0x06, oidBytes(oid)), element(0xa0, element(textTag, Buffer.from(text)))]),
    ),
  );
  return new x509.Extension(
    '2.5.29.17',
    false,
    new Uint8Array(element(0x30, Buffer.concat([email, ...names]))),
  );
}

function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < 128 ? [tag, length] : [tag, 0x84, length >> 24, length >> 16, length >> 8, length].map(byteOf);
  return Buffer.concat([Buffer.from(head), content]);
}

const byteOf = (number: number): number => number & 0xff;

/** Returns an unsigned list of an unknown authority. It is fast for any number of entries. */
export function longList(entries: number): Uint8Array {
  const revoked = Array.from({ length: entries }, (_, index) => {
    const serial = Buffer.alloc(8, 0x11);
    serial.writeUInt32BE(index, 4);
    return element(0x30, Buffer.concat([element(0x02, serial), listTime()]));
  });
  return unsignedList(Buffer.concat(revoked));
}

/** Returns a list whose entries all have the same serial number and no other content. */
export const equalEntries = (entries: number): Buffer =>
  unsignedList(Buffer.alloc(entries * EQUAL_ENTRY.length, EQUAL_ENTRY));
const EQUAL_ENTRY = Buffer.from('3003020101', 'hex');

export const pemList = (der: Buffer): string =>
  `-----BEGIN X509 CRL-----\n${der.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END X509 CRL-----\n`;

const listTime = (): Buffer => element(0x17, Buffer.from('251101000000Z'));

function unsignedList(revoked: Buffer): Buffer {
  const time = listTime();
  const algorithm = element(0x30, element(0x06, Buffer.from('2a864886f70d01010b', 'hex')));
  const name = element(0x30, Buffer.alloc(0));
  const signed = [algorithm, name, time, time, element(0x30, revoked)];
  const signature = element(0x03, Buffer.from([0, 1, 2, 3]));
  return element(0x30, Buffer.concat([element(0x30, Buffer.concat(signed)), algorithm, signature]));
}

/** Encodes an identifier of ICP-Brasil: each arc after the first two is below 128. */
function oidBytes(oid: string): Buffer {
  const [first = 0, second = 0, ...others] = oid.split('.').map(Number);
  return Buffer.from([first * 40 + second, ...others]);
}
