/** The fields that we read from a client certificate (RFC 5280). */
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
  textOf,
  timeOf,
} from '../pkcs12/der.ts';

export interface Certificate {
  readonly der: Uint8Array;
  /** Hexadecimal, as encoded. */
  readonly serial: string;
  /** The issuer in the comparable form of `nameOf`. */
  readonly issuer: string;
  readonly subject: string;
  readonly notBefore: EpochMs;
  readonly notAfter: EpochMs;
  readonly commonName: string | undefined;
  /** The `otherName`s of the SAN, by object identifier. */
  readonly otherNames: ReadonlyMap<string, string>;
  /** Purposes of the extended key usage; absent: any. */
  readonly purposes: readonly string[] | undefined;
  /** True if the key may sign, which a client does. */
  readonly maySign: boolean;
}

const COMMON_NAME = '2.5.4.3';
const EXTENSION = { keyUsage: '2.5.29.15', alternativeNames: '2.5.29.17', purposes: '2.5.29.37' } as const;

/** `digitalSignature` and `keyAgreement`: a client proves possession of the key with either. */
const SIGNING_USAGES = 0x80 | 0x08;

/** Parses a certificate. Throws `DerError` if it is invalid. */
export function readCertificate(der: Uint8Array): Certificate {
  const [signed] = members(only(der));
  const fields = members(signed);
  if (fields[0]?.tag === contextTag(0)) fields.shift(); // the version
  const [serial, , issuer, validity, subject] = fields;
  if (issuer === undefined || subject === undefined) throw new DerError('no certificate');
  const [from, to] = members(validity);
  const extensions = extensionsOf(fields.find(({ tag }) => tag === contextTag(3)));
  const keyUsage = extensions.get(EXTENSION.keyUsage);
  const purposes = extensions.get(EXTENSION.purposes);
  return {
    der,
    serial: hexOf(contentOf(serial, TAG.integer)),
    issuer: nameOf(issuer),
    subject: nameOf(subject),
    notBefore: timeOf(from),
    notAfter: timeOf(to),
    commonName: commonNameOf(subject),
    otherNames: otherNamesOf(extensions.get(EXTENSION.alternativeNames)),
    purposes: purposes && members(only(purposes)).map(oidOf),
    maySign: keyUsage === undefined || ((bitsOf(keyUsage)[1] ?? 0) & SIGNING_USAGES) !== 0,
  };
}

const bitsOf = (extension: Uint8Array): Uint8Array => contentOf(only(extension), TAG.bitString);

function extensionsOf(wrapped: Element | undefined): ReadonlyMap<string, Uint8Array> {
  if (wrapped === undefined) return new Map();
  const list = members(only(wrapped.content)).map((extension) => {
    const parts = members(extension);
    return [oidOf(parts[0]), contentOf(parts.at(-1), TAG.octetString)] as const;
  });
  return new Map(list);
}

/** Returns the last common name, which is the most specific. */
function commonNameOf(name: Element): string | undefined {
  let commonName: string | undefined;
  for (const set of members(name))
    for (const attribute of elements(set.content)) {
      const [type, value] = members(attribute);
      if (oidOf(type) === COMMON_NAME && value !== undefined) commonName = textOf(value);
    }
  return commonName;
}

function otherNamesOf(extension: Uint8Array | undefined): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  if (extension === undefined) return names;
  for (const name of members(only(extension))) {
    if (name.tag !== contextTag(0)) continue; // a name of another kind
    const [type, wrapped] = [...elements(name.content)];
    // A text, or an octet string that contains one.
    if (wrapped?.tag === contextTag(0)) names.set(oidOf(type), textOf(only(wrapped.content)));
  }
  return names;
}
