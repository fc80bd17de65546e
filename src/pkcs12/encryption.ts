/**
 * Password-based encryption of the parts of a PFX file and of a PEM key, old and new (RFC 7292, RFC 8018, RFC
 * 7914).
 */
import { nodeCrypto } from '../system/builtin.ts';
import { DerError, type Element, oidOf } from './der.ts';
import { countOf, elementsOf, membersOf, octetsOf } from './ber.ts';
import { Cost, type Derivation, type Digest, PURPOSE, passwordBytes, pkcs12Key } from './derivation.ts';
import { decryptRc2 } from './rc2.ts';

interface Cipher {
  readonly name: 'aes-128-cbc' | 'aes-192-cbc' | 'aes-256-cbc' | 'des-ede3-cbc' | 'rc2';
  readonly keyBytes: number;
  readonly blockBytes: number;
}

const TRIPLE_DES: Cipher = { name: 'des-ede3-cbc', keyBytes: 24, blockBytes: 8 };

/** Ciphers of PKCS #12. */
const OLD_CIPHERS: Readonly<Record<string, Cipher>> = {
  '1.2.840.113549.1.12.1.3': TRIPLE_DES,
  '1.2.840.113549.1.12.1.4': { ...TRIPLE_DES, keyBytes: 16 },
  '1.2.840.113549.1.12.1.5': { name: 'rc2', keyBytes: 16, blockBytes: 8 },
  '1.2.840.113549.1.12.1.6': { name: 'rc2', keyBytes: 5, blockBytes: 8 },
};

const CIPHERS: Readonly<Record<string, Cipher>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16, blockBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24, blockBytes: 16 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32, blockBytes: 16 },
  '1.2.840.113549.3.7': TRIPLE_DES,
};

const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
const SCRYPT = '1.3.6.1.4.1.11591.4.11';

const HMACS: Readonly<Record<string, Digest>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};

const DIGESTS: Readonly<Record<string, Digest>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** Memory of scrypt at the iteration limit, with a margin. */
const SCRYPT_MAX_BYTES = 256 * 2 ** 20;

/** Parses an `AlgorithmIdentifier`: object identifier and parameters. */
function algorithmOf(element: Element | undefined): {
  readonly oid: string;
  readonly parameters: Element | undefined;
} {
  const [oid, parameters] = membersOf(element);
  return { oid: oidOf(oid), parameters };
}

/** Looks up a supported algorithm. Throws `DerError` for any other. */
function lookUp<Value>(table: Readonly<Record<string, Value>>, oid: string): Value {
  const value = Object.hasOwn(table, oid) ? table[oid] : undefined;
  if (value === undefined) throw new DerError(`unknown ${oid}`);
  return value;
}

export const digestOf = (element: Element | undefined): Digest => lookUp(DIGESTS, algorithmOf(element).oid);

/** Reads salt and iterations in the form of PKCS #12 and PKCS #5 version 1. */
function saltedOf(parameters: Element | undefined): Omit<Derivation, 'digest'> {
  const [salt, iterations] = membersOf(parameters);
  return { salt: octetsOf(salt), iterations: countOf(iterations) };
}

/** Derives a key of a given length from a password, and states its cost. */
interface KeyMaker {
  readonly iterations: number;
  readonly make: (password: string, bytes: number) => Uint8Array;
}

function keyMakerOf(element: Element | undefined): KeyMaker {
  const { oid, parameters } = algorithmOf(element);
  const [salted, ...numbers] = membersOf(parameters);
  const salt = octetsOf(salted);
  if (oid === SCRYPT) {
    const [N = 0, r = 0, p = 0] = numbers.slice(0, 3).map(countOf);
    const options = { N, r, p, maxmem: SCRYPT_MAX_BYTES };
    return {
      iterations: N * r * p,
      make: (password, bytes) => nodeCrypto().scryptSync(password, salt, bytes, options),
    };
  }
  if (oid !== PBKDF2) throw new DerError(`unknown ${oid}`);
  const iterations = countOf(numbers[0]);
  const hmac = numbers.find(({ tag }) => tag === SEQUENCE);
  const digest = hmac === undefined ? 'sha1' : lookUp(HMACS, algorithmOf(hmac).oid);
  return {
    iterations,
    make: (password, bytes) => nodeCrypto().pbkdf2Sync(password, salt, iterations, bytes, digest),
  };
}

const SEQUENCE = 0x30;

/** An encrypted part. Its `iterations` are known before any derivation. */
export interface Hidden {
  readonly iterations: number;
  /** Throws if the password is wrong. */
  readonly open: (password: string) => Uint8Array;
}

/**
 * Parses an encrypted part. `algorithm`: the encryption of `data`. Throws `DerError` if it is not supported.
 */
export function hiddenBy(algorithm: Element | undefined, data: Uint8Array): Hidden {
  const { oid, parameters } = algorithmOf(algorithm);
  if (oid === PBES2) {
    const [kdf, scheme] = membersOf(parameters);
    const { iterations, make } = keyMakerOf(kdf);
    const { oid: cipherOid, parameters: iv } = algorithmOf(scheme);
    const cipher = lookUp(CIPHERS, cipherOid);
    return {
      iterations,
      open: (password) => decrypted(cipher, make(password, cipher.keyBytes), octetsOf(iv), data),
    };
  }
  const cipher = lookUp(OLD_CIPHERS, oid);
  const derivation: Derivation = { digest: 'sha1', ...saltedOf(parameters) };
  return {
    iterations: derivation.iterations,
    open: (password) => {
      const bytes = passwordBytes(password);
      const key = pkcs12Key(bytes, derivation, PURPOSE.key, cipher.keyBytes);
      return decrypted(cipher, key, pkcs12Key(bytes, derivation, PURPOSE.iv, cipher.blockBytes), data);
    },
  };
}

function decrypted(
  { name, blockBytes }: Cipher,
  key: Uint8Array,
  iv: Uint8Array,
  data: Uint8Array,
): Uint8Array {
  if (name === 'rc2') return unpadded(decryptRc2(key, iv, data), blockBytes);
  // With two keys, the first is also the third.
  const whole = name === 'des-ede3-cbc' && key.length === 16 ? Buffer.concat([key, key.subarray(0, 8)]) : key;
  const decipher = nodeCrypto().createDecipheriv(name, whole, iv);
  return Buffer.concat([decipher.update(data), decipher.final()]);
}

/** Removes the padding of PKCS #7. */
function unpadded(plain: Uint8Array, blockBytes: number): Uint8Array {
  const count = plain.at(-1) ?? 0;
  const isPadded = count > 0 && count <= blockBytes && plain.subarray(-count).every((byte) => byte === count);
  if (!isPadded) throw new RangeError('no padding');
  return plain.subarray(0, -count);
}

/** Decrypts a key (PKCS #8, in DER). Throws `TooCostly`, or another error if decryption fails. */
export function openKey(pkcs8: Uint8Array, password: string): Uint8Array {
  const [algorithm, data] = membersOf(elementsOf(pkcs8)[0]);
  const hidden = hiddenBy(algorithm, octetsOf(data));
  const cost = new Cost();
  cost.add(hidden.iterations);
  cost.check();
  return hidden.open(password);
}
