/**
 * Reads DER (X.690) in place: it copies nothing and builds no tree, because a revocation list has hundreds of
 * thousands of entries, more than the certificate library accepts.
 */

export interface Element {
  readonly tag: number;
  /** The bytes without tag and length. */
  readonly content: Uint8Array;
  /** The bytes with tag and length. */
  readonly encoded: Uint8Array;
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  bmpString: 0x1e,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
} as const;

/** Returns the tag of a context-specific member: `[0]`, `[1]`, … */
export const contextTag = (number: number): number => 0xa0 | number;

export class DerError extends Error {
  override readonly name = 'DerError';
}

const LONG_TAG = 0x1f;
const LONG_LENGTH = 0x80;
const LENGTH_MAX_BYTES = 4;
const HEAD_BYTES = 2;

/** Yields the elements in sequence. Throws `DerError` if the last one does not end with the bytes. */
export function* elements(bytes: Uint8Array): Generator<Element, undefined> {
  let start = 0;
  while (start < bytes.length) {
    const tag = bytes[start] ?? 0;
    let length = bytes[start + 1] ?? LONG_LENGTH;
    let head = HEAD_BYTES;
    if ((tag & LONG_TAG) === LONG_TAG) throw new DerError('a tag of several bytes');
    if (length >= LONG_LENGTH) {
      const count = length - LONG_LENGTH;
      if (count === 0 || count > LENGTH_MAX_BYTES) throw new DerError('no definite length');
      length = 0;
      for (let index = 0; index < count; index += 1)
        length = length * 256 + (bytes[start + HEAD_BYTES + index] ?? 0);
      head += count;
    }
    const end = start + head + length;
    if (end > bytes.length) throw new DerError('cut short');
    yield { tag, content: bytes.subarray(start + head, end), encoded: bytes.subarray(start, end) };
    start = end;
  }
}

/** Returns the members of an element, which must have that tag. */
export function members(element: Element | undefined, tag: number = TAG.sequence): Element[] {
  return [...elements(contentOf(element, tag))];
}

/** Returns the single element of the bytes. */
export function only(bytes: Uint8Array): Element {
  const [first, second] = elements(bytes);
  if (first === undefined || second !== undefined) throw new DerError('not one element');
  return first;
}

export function contentOf(element: Element | undefined, tag: number): Uint8Array {
  if (element?.tag !== tag) throw new DerError(`expected ${tag}, found ${element?.tag}`);
  return element.content;
}

export const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');

/** Formats an object identifier: `2.16.76.1.3.1` */
export function oidOf(element: Element | undefined): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of contentOf(element, TAG.oid)) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const [first = 0, ...others] = arcs;
  const root = Math.min(Math.floor(first / 40), 2);
  return [root, first - root * 40, ...others].join('.');
}

/** Decodes a text of any type that certificates use. */
export function textOf({ tag, content }: Element): string {
  if (tag === TAG.utf8String) return new TextDecoder().decode(content);
  if (tag === TAG.bmpString) return new TextDecoder('utf-16be').decode(content);
  return Buffer.from(content).toString('latin1');
}

/**
 * Returns a comparable form of a name, independent of string type, case and spaces (RFC 5280, section 7.1).
 */
export const nameOf = (name: Element): string =>
  nameParts(name)
    .map(({ type, text }) => `${type}=${text.toLowerCase()}`)
    .join('\n');

/** Returns the texts of a name for display, the most specific one first. */
export const nameText = (name: Element): string =>
  nameParts(name)
    .map(({ text }) => text)
    .reverse()
    .join(', ');

const nameParts = (name: Element): { readonly type: string; readonly text: string }[] =>
  members(name).flatMap((set) =>
    [...elements(set.content)].map((attribute) => {
      const [type, value] = members(attribute);
      const text = value === undefined ? '' : textOf(value);
      return { type: oidOf(type), text: text.trim().replaceAll(/\s+/g, ' ') };
    }),
  );

const TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;
/** Two-digit years from this value on belong to the previous century (RFC 5280, section 4.1.2.5.1). */
const FIRST_YEAR_OF_THE_CENTURY_BEFORE = 50;

/** Returns a time in milliseconds since 1970. */
export function timeOf(element: Element | undefined): number {
  const text = element === undefined ? '' : Buffer.from(element.content).toString('latin1');
  const century = Number(text.slice(0, 2)) < FIRST_YEAR_OF_THE_CENTURY_BEFORE ? '20' : '19';
  const [match, ...parts] = TIME.exec(element?.tag === TAG.utcTime ? century + text : text) ?? [];
  if (match === undefined) throw new DerError(`no time: ${text}`);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
