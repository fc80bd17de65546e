/** Writes a certificate and its key into one file, in the form that old programs read. */
import { PURPOSE, passwordBytes, pkcs12Key } from '../pkcs12/derivation.ts';
import { nodeCrypto } from '../system/builtin.ts';
import type { KeyPair } from './authority.ts';

const ITERATIONS = 2048;
const SALT_BYTES = 8;
const OID = {
  data: '2a864886f70d010701',
  encryptedData: '2a864886f70d010706',
  tripleDes: '2a864886f70d010c0103',
  hiddenKeyBag: '2a864886f70d010c0a0102',
  certificateBag: '2a864886f70d010c0a0103',
  x509: '2a864886f70d01091601',
  friendlyName: '2a864886f70d010914',
  localKeyId: '2a864886f70d010915',
  sha1: '2b0e03021a',
} as const;

/** Encodes an element of DER (X.690). */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const hex = length.toString(16);
  const digits = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 | digits.length, ...digits];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const set = (...parts: readonly Uint8Array[]): Buffer => der(0x31, ...parts);
const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
const oid = (name: keyof typeof OID): Buffer => der(0x06, Buffer.from(OID[name], 'hex'));
const inContext = (...parts: readonly Uint8Array[]): Buffer => der(0xa0, ...parts);
/** Encodes an integer of at most two bytes, below 2^15. */
const integer = (number: number): Buffer =>
  der(0x02, Buffer.from(number < 0x80 ? [number] : [number >> 8, number & 0xff]));
const derOf = (pem: string): Buffer => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');

const content = (data: Uint8Array): Buffer => sequence(oid('data'), inContext(octets(data)));

/**
 * Returns a PKCS #12 file with PBE-SHA1-3DES and a SHA-1 MAC, because Java 8, the .NET Framework and OpenSSL
 * 1.1 read nothing newer. It includes `ca`.
 */
export function pfxOf({ cert, key }: KeyPair, ca: string, name: string, password: string): Buffer {
  const { createCipheriv, createHash, createHmac, createPrivateKey, randomBytes } = nodeCrypto();
  const bytes = passwordBytes(password);
  const derived = (salt: Uint8Array, purpose: (typeof PURPOSE)[keyof typeof PURPOSE], length: number) =>
    pkcs12Key(bytes, { digest: 'sha1', salt, iterations: ITERATIONS }, purpose, length);
  const hidden = (plain: Uint8Array) => {
    const salt = randomBytes(SALT_BYTES);
    const [by, iv] = [derived(salt, PURPOSE.key, 24), derived(salt, PURPOSE.iv, 8)];
    const cipher = createCipheriv('des-ede3-cbc', by, iv);
    const algorithm = sequence(oid('tripleDes'), sequence(octets(salt), integer(ITERATIONS)));
    return { algorithm, data: Buffer.concat([cipher.update(plain), cipher.final()]) };
  };
  const keyId = createHash('sha1').update(derOf(cert)).digest();
  const attributes = set(
    sequence(oid('localKeyId'), set(octets(keyId))),
    sequence(oid('friendlyName'), set(der(0x1e, Buffer.from(name, 'utf16le').swap16()))),
  );
  const certificateBag = (pem: string, ...more: readonly Uint8Array[]): Buffer => {
    const bag = sequence(oid('x509'), inContext(octets(derOf(pem))));
    return sequence(oid('certificateBag'), inContext(bag), ...more);
  };
  const certificates = hidden(sequence(certificateBag(cert, attributes), certificateBag(ca)));
  const secret = hidden(createPrivateKey(key).export({ type: 'pkcs8', format: 'der' }));
  const keyBag = sequence(
    oid('hiddenKeyBag'),
    inContext(sequence(secret.algorithm, octets(secret.data))),
    attributes,
  );
  const hiddenContent = sequence(oid('data'), certificates.algorithm, der(0x80, certificates.data));
  const safe = sequence(
    sequence(oid('encryptedData'), inContext(sequence(integer(0), hiddenContent))),
    content(sequence(keyBag)),
  );
  const salt = randomBytes(SALT_BYTES);
  const seal = createHmac('sha1', derived(salt, PURPOSE.seal, 20))
    .update(safe)
    .digest();
  const digestInfo = sequence(sequence(oid('sha1'), der(0x05)), octets(seal));
  return sequence(integer(3), content(safe), sequence(digestInfo, octets(salt), integer(ITERATIONS)));
}
