/** A certificate and its key in one file, in the form that old readers take. */
import type { KeyPair } from './authority.ts';

/**
 * PKCS #12 with PBE-SHA1-3DES and a MAC by SHA-1: Java 8, the .NET Framework and OpenSSL 1.1 read nothing newer. `ca` goes
 * with it. The keys are RSA.
 */
export async function pfxOf({ cert, key }: KeyPair, ca: string, name: string, password: string) {
  const { default: forge } = await import('node-forge');
  const file = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(key),
    [cert, ca].map((pem) => forge.pki.certificateFromPem(pem)),
    password,
    { algorithm: '3des', friendlyName: name },
  );
  return Buffer.from(forge.asn1.toDer(file).getBytes(), 'latin1');
}
