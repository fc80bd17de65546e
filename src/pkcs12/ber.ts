/**
 * Reads BER (X.690): DER, and the forms with indefinite length or in segments that Java programs write into
 * PFX files. It reads in place, like `der.ts`.
 */
import { DerError, type Element, TAG } from './der.ts';

const [LONG_TAG, LONG_LENGTH, HEAD_BYTES, LENGTH_MAX_BYTES] = [0x1f, 0x80, 2, 4];
const CONSTRUCTED = 0x20;

interface Head {
  readonly tag: number;
  /** Offset of the content. */
  readonly start: number;
  /** `undefined`: the content ends with an end mark of two zero bytes. */
  readonly length: number | undefined;
}

function headAt(bytes: Uint8Array, offset: number): Head {
  const [tag, first] = [bytes[offset], bytes[offset + 1]];
  if (tag === undefined || first === undefined || (tag & LONG_TAG) === LONG_TAG)
    throw new DerError('no head');
  if (first < LONG_LENGTH) return { tag, start: offset + HEAD_BYTES, length: first };
  const count = first - LONG_LENGTH;
  if (count > LENGTH_MAX_BYTES) throw new DerError('no length');
  let length = 0;
  for (let index = 0; index < count; index += 1)
    length = length * 256 + (bytes[offset + HEAD_BYTES + index] ?? 0);
  return { tag, start: offset + HEAD_BYTES + count, length: count === 0 ? undefined : length };
}

/** Returns the offset of the end mark of an indefinite-length content. */
function endMark(bytes: Uint8Array, start: number): number {
  let [offset, depth] = [start, 1];
  for (;;) {
    const { tag, start: content, length } = headAt(bytes, offset);
    if (length === undefined) depth += 1;
    else if (tag === 0 && length === 0) depth -= 1;
    if (depth === 0) return offset;
    offset = content + (length ?? 0);
  }
}

/** Returns the elements in sequence. Throws `DerError`. */
export function elementsOf(bytes: Uint8Array): Element[] {
  const children: Element[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const { tag, start, length } = headAt(bytes, offset);
    const end = length === undefined ? endMark(bytes, start) : start + length;
    const next = length === undefined ? end + HEAD_BYTES : end;
    if (next > bytes.length) throw new DerError('cut short');
    children.push({ tag, content: bytes.subarray(start, end), encoded: bytes.subarray(offset, next) });
    offset = next;
  }
  return children;
}

/** Returns the members of an element, which must have that tag. Throws `DerError`. */
export function membersOf(element: Element | undefined, tag: number = TAG.sequence): Element[] {
  if (element?.tag !== tag) throw new DerError(`expected ${tag}, found ${element?.tag}`);
  return elementsOf(element.content);
}

/**
 * Returns the bytes of an octet string, whole or segmented. `tag`: the tag that replaces its own. Throws
 * `DerError`.
 */
export function octetsOf(element: Element | undefined, tag: number = TAG.octetString): Uint8Array {
  const whole = tag & ~CONSTRUCTED;
  if (element?.tag === whole) return element.content;
  const pieces = membersOf(element, whole | CONSTRUCTED).map((piece) => {
    if (piece.tag !== TAG.octetString) throw new DerError('pieces of pieces');
    return piece.content;
  });
  return Buffer.concat(pieces);
}

/**
 * Returns a non-negative number. A number without an exact representation counts as infinite. Throws
 * `DerError`.
 */
export function countOf(element: Element | undefined): number {
  if (element?.tag !== TAG.integer || element.content.length === 0) throw new DerError('no number');
  return element.content.reduce((sum, byte) => sum * 256 + byte, 0);
}
