/** Reads revocation lists, PEM or DER (RFC 5280, section 5). */
import { BeyondLimit } from '../system/bounded-file.ts';
import { nodeCrypto } from '../system/builtin.ts';
import { type EpochMs, endOfTurn } from '../clock.ts';
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
  nameText,
  oidOf,
  only,
  timeOf,
} from '../pkcs12/der.ts';

export interface RevocationList {
  /** The authority, in the comparable form of `nameOf`. */
  readonly issuer: string;
  /** The name of the authority, for display. */
  readonly issuerText: string;
  readonly thisUpdate: EpochMs;
  /** The announced time of the next list. */
  readonly nextUpdate: EpochMs | undefined;
  /** Number of entries, including duplicate serial numbers. */
  readonly size: number;
  /** `serial`: as encoded, hexadecimal. */
  readonly has: (serial: string) => boolean;
  /** Returns true if the key of that certificate (DER) signed the list with a supported algorithm. */
  readonly isSignedBy: (certificate: Uint8Array) => Promise<boolean>;
}

/** Digests of signature algorithms, by object identifier; `null`: the key determines it. */
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

/** RSA-PSS names its digest in its parameters; other RSA signatures use the older scheme. */
const PSS = '1.2.840.113549.1.1.10';
const PSS_DIGESTS: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** The first byte of a bit string is its number of unused bits. */
const UNUSED_BITS_BYTES = 1;

/** A large file is read in pieces, so that requests are served in between. */
const ENTRIES_PER_TURN = 5000;
const BLOCKS_PER_TURN = 1000;
const PIECE_BYTES = 256 * 1024;
/** A growing set copies itself: one set of a million entries blocks requests, several small ones do not. */
const SERIALS_PER_SET = 50_000;

/** Limits of a file (contract section 16). */
const LISTS_MAX = 1000;
export const ENTRIES_MAX = 2_000_000;
/** Limits of a list: names, times, algorithms and serial numbers are short. */
const PART_MAX_BYTES = 64 * 1024;
const PARTS_MAX = 16;
const SERIAL_MAX_BYTES = 64;

const PEM_BEGIN = '-----BEGIN ';
const PEM_END = '-----END';
const PEM_KINDS = ['X509 CRL-----', 'CRL-----'];

/**
 * Reads all lists of a file. Rejects with `DerError` if it has none, or an invalid one, and with
 * `BeyondLimit`. Yields to other work at least every few milliseconds, for any content of the file.
 */
export async function readRevocationLists(file: Uint8Array): Promise<RevocationList[]> {
  const isDer = file[0] === TAG.sequence;
  const encoded = isDer ? [file] : await decodePem(Buffer.from(file.buffer, file.byteOffset, file.length));
  if (encoded.length === 0) throw new DerError('neither PEM nor DER');
  const lists: RevocationList[] = [];
  let entriesLeft = ENTRIES_MAX;
  for (const der of encoded) {
    const list = await readList(der, entriesLeft);
    entriesLeft -= list.size;
    lists.push(list);
  }
  return lists;
}

async function decodePem(file: Buffer): Promise<Uint8Array[]> {
  const lists: Uint8Array[] = [];
  let blocks = 0;
  let begin = file.indexOf(PEM_BEGIN);
  while (begin >= 0) {
    blocks += 1;
    if (blocks % BLOCKS_PER_TURN === 0) await endOfTurn();
    let next = begin + PEM_BEGIN.length;
    const kind = PEM_KINDS.find((one) => file.toString('latin1', next, next + one.length) === one);
    if (kind !== undefined) {
      const start = next + kind.length;
      next = file.indexOf(PEM_END, start);
      if (next < 0) throw new DerError('a list without an end');
      if (lists.length === LISTS_MAX) throw new BeyondLimit(`tem mais de ${LISTS_MAX} listas`);
      lists.push(await decodeBase64(file, start, next));
    }
    begin = file.indexOf(PEM_BEGIN, next);
  }
  return lists;
}

async function decodeBase64(file: Buffer, start: number, end: number): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let rest = '';
  for (let offset = start; offset < end; offset += PIECE_BYTES) {
    const piece = file.toString('latin1', offset, Math.min(offset + PIECE_BYTES, end));
    const text = rest + piece.replaceAll(/\s+/g, '');
    const wholeLength = text.length - (text.length % 4);
    pieces.push(Buffer.from(text.slice(0, wholeLength), 'base64'));
    rest = text.slice(wholeLength);
    await endOfTurn();
  }
  pieces.push(Buffer.from(rest, 'base64'));
  return Buffer.concat(pieces);
}

async function readList(der: Uint8Array, entriesLeft: number): Promise<RevocationList> {
  const [signed, algorithm, signature] = membersUpToLimit(only(der));
  const fields = membersUpToLimit(signed);
  if (fields[0]?.tag === TAG.integer) fields.shift(); // the version
  const [, issuer, thisUpdate, ...others] = fields;
  if (signed === undefined || issuer === undefined) throw new DerError('no revocation list');
  const nextUpdate = others.find(isTime);
  const revoked = others.find(({ tag }) => tag === TAG.sequence);
  for (const part of [algorithm, issuer, thisUpdate, nextUpdate, signature])
    if (part !== undefined && part.encoded.length > PART_MAX_BYTES) throw new DerError('a part too long');
  const signatureBytes = contentOf(signature, TAG.bitString).subarray(UNUSED_BITS_BYTES);
  const { size, sets } = await serialsOf(revoked, entriesLeft);
  return {
    issuer: nameOf(issuer),
    issuerText: nameText(issuer),
    thisUpdate: timeOf(thisUpdate),
    nextUpdate: nextUpdate && timeOf(nextUpdate),
    size,
    has: (serial) => sets.some((set) => set.has(serial)),
    isSignedBy: (certificate) => isSigned(signed, algorithm, signatureBytes, certificate),
  };
}

/** Returns the first members of a sequence, which has few in a valid file. */
function membersUpToLimit(element: Element | undefined): Element[] {
  const list: Element[] = [];
  for (const part of elements(contentOf(element, TAG.sequence))) {
    if (list.length === PARTS_MAX) throw new DerError('too many parts');
    list.push(part);
  }
  return list;
}

const isTime = ({ tag }: Element): boolean => tag === TAG.utcTime || tag === TAG.generalizedTime;

async function serialsOf(
  revoked: Element | undefined,
  entriesLeft: number,
): Promise<{ readonly size: number; readonly sets: readonly ReadonlySet<string>[] }> {
  let last = new Set<string>();
  const sets = [last];
  let size = 0;
  for (const entry of elements(revoked?.content ?? new Uint8Array())) {
    if (size === entriesLeft) throw new BeyondLimit(`tem mais de ${ENTRIES_MAX} certificados revogados`);
    const serial = contentOf(elements(contentOf(entry, TAG.sequence)).next().value, TAG.integer);
    if (serial.length > SERIAL_MAX_BYTES) throw new DerError('a serial number too long');
    if (last.size === SERIALS_PER_SET) sets.push((last = new Set()));
    last.add(hexOf(serial));
    size += 1;
    if (size % ENTRIES_PER_TURN === 0) await endOfTurn();
  }
  return { size, sets };
}

/** Verifies the signature; the hash runs in a thread of the runtime. */
function isSigned(
  signed: Element,
  algorithm: Element | undefined,
  signature: Uint8Array,
  certificate: Uint8Array,
): Promise<boolean> {
  const { X509Certificate, constants, verify } = nodeCrypto();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  try {
    const [kind, parameters] = members(algorithm);
    const isPss = oidOf(kind) === PSS;
    const digest = isPss ? pssDigestOf(parameters) : DIGESTS[oidOf(kind)];
    if (digest === undefined) return Promise.resolve(false);
    const { publicKey: key } = new X509Certificate(certificate);
    verify(
      digest,
      signed.encoded,
      isPss ? { key, padding: constants.RSA_PKCS1_PSS_PADDING } : key,
      signature,
      (error, isValid) => resolve(error === null && isValid),
    );
  } catch {
    resolve(false); // the key does not fit the signature algorithm
  }
  return promise;
}

/**
 * Returns the digest. Known lists use the same digest for the mask; otherwise the signature does not verify.
 */
function pssDigestOf(parameters: Element | undefined): string | undefined {
  const named = members(parameters).find(({ tag }) => tag === contextTag(0));
  return named === undefined ? 'sha1' : PSS_DIGESTS[oidOf(members(only(named.content))[0])];
}
