/** Lists of revoked certificates, PEM or DER (RFC 5280, section 5). */
import { setImmediate as turn } from 'node:timers/promises';
import { nodeCrypto } from '../system/builtin.ts';
import type { EpochMs } from '../clock.ts';
import {
  DerError,
  type Element,
  TAG,
  contentOf,
  contextTag,
  elements,
  hexOf,
  members,
  nameOf,
  oidOf,
  only,
  timeOf,
} from '../pkcs12/der.ts';

export interface RevocationList {
  /** The authority, as `nameOf` prints names to be compared. */
  readonly issuer: string;
  readonly thisUpdate: EpochMs;
  /** When a newer one was promised. */
  readonly nextUpdate: EpochMs | undefined;
  /** Serial numbers as encoded, hexadecimal. */
  readonly serials: ReadonlySet<string>;
  /** Whether the key of that certificate (DER) signed it, in a way that we know. */
  readonly isSignedBy: (certificate: Uint8Array) => boolean;
}

/** How signatures are made, by object identifier; `null`: the key says it. */
const DIGESTS: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.5': 'sha1',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
};

/** RSA-PSS names its digest in a member of its own; a signature by RSA is else of the older kind. */
const PSS = '1.2.840.113549.1.1.10';
const PSS_DIGESTS: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** A bit string begins with how many bits of its end do not count. */
const UNUSED_BITS_BYTES = 1;

/** A list of megabytes is read in pieces, and requests are served in between. */
const ENTRIES_PER_TURN = 5000;
// Ends at the first hyphen behind the list: what the line goes on with adds nothing but time to judge it.
const PEM = /-----BEGIN (?:X509 )?CRL-----([^-]+)-----END/g;

/** All lists of a file. Throws `DerError` where it has none, or a broken one. */
export async function readRevocationLists(file: Uint8Array): Promise<RevocationList[]> {
  const isDer = file[0] === TAG.sequence;
  const encoded = isDer
    ? [file]
    : [...Buffer.from(file).toString('latin1').matchAll(PEM)].map(([, base64 = '']) =>
        Buffer.from(base64, 'base64'),
      );
  if (encoded.length === 0) throw new DerError('neither PEM nor DER');
  const lists: RevocationList[] = [];
  for (const der of encoded) lists.push(await readList(der));
  return lists;
}

async function readList(der: Uint8Array): Promise<RevocationList> {
  const [signed, algorithm, signature] = members(only(der));
  const fields = members(signed);
  if (fields[0]?.tag === TAG.integer) fields.shift(); // the version
  const [, issuer, thisUpdate, ...others] = fields;
  if (signed === undefined || issuer === undefined) throw new DerError('no revocation list');
  const signatureBytes = contentOf(signature, TAG.bitString).subarray(UNUSED_BITS_BYTES);
  const nextUpdate = others.find(isTime);
  const revoked = others.find(({ tag }) => tag === TAG.sequence);
  return {
    issuer: nameOf(issuer),
    thisUpdate: timeOf(thisUpdate),
    nextUpdate: nextUpdate && timeOf(nextUpdate),
    serials: await serialsOf(revoked),
    isSignedBy: (certificate) => isSigned(signed, algorithm, signatureBytes, certificate),
  };
}

const isTime = ({ tag }: Element): boolean => tag === TAG.utcTime || tag === TAG.generalizedTime;

async function serialsOf(revoked: Element | undefined): Promise<ReadonlySet<string>> {
  const serials = new Set<string>();
  if (revoked === undefined) return serials;
  for (const entry of elements(revoked.content)) {
    const serial = elements(contentOf(entry, TAG.sequence)).next().value;
    serials.add(hexOf(contentOf(serial, TAG.integer)));
    if (serials.size % ENTRIES_PER_TURN === 0) await turn();
  }
  return serials;
}

function isSigned(
  signed: Element,
  algorithm: Element | undefined,
  signature: Uint8Array,
  certificate: Uint8Array,
): boolean {
  const { X509Certificate, constants, verify } = nodeCrypto();
  try {
    const [kind, parameters] = members(algorithm);
    const isPss = oidOf(kind) === PSS;
    const digest = isPss ? pssDigestOf(parameters) : DIGESTS[oidOf(kind)];
    if (digest === undefined) return false;
    const { publicKey: key } = new X509Certificate(certificate);
    return verify(
      digest,
      signed.whole,
      isPss ? { key, padding: constants.RSA_PKCS1_PSS_PADDING } : key,
      signature,
    );
  } catch {
    return false; // a key of another kind than the signature
  }
}

/** That of the mask is the same in all lists that there are; where it is not, the signature does not verify. */
function pssDigestOf(parameters: Element | undefined): string | undefined {
  const named = members(parameters).find(({ tag }) => tag === contextTag(0));
  return named === undefined ? 'sha1' : PSS_DIGESTS[oidOf(members(only(named.content))[0])];
}
