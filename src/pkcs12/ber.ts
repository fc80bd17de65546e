/**
 * Reads BER (X.690): DER, and the forms without a length or in pieces that programs in Java write into their PFX files. Nothing is
 * copied and no tree is built.
 */
import { DerError, type Element, TAG } from './der.ts';

const [LONG_TAG, LONG_LENGTH, HEAD_BYTES, LENGTH_MAX_BYTES] = [0x1f, 0x80, 2, 4];
const CONSTRUCTED = 0x20;

interface Head {
  readonly tag: number;
  /** Where its content begins. */
  readonly start: number;
  /** `undefined`: its content goes on to an end mark of two zeros. */
  readonly length: number | undefined;
}

function headAt(bytes: Uint8Array, at: number): Head {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined || (tag & LONG_TAG) === LONG_TAG)
    throw new DerError('no head');
  if (first < LONG_LENGTH) return { tag, start: at + HEAD_BYTES, length: first };
  const count = first - LONG_LENGTH;
  if (count > LENGTH_MAX_BYTES) throw new DerError('no length');
  let length = 0;
  for (let index = 0; index < count; index += 1)
    length = length * 256 + (bytes[at + HEAD_BYTES + index] ?? 0);
  return { tag, start: at + HEAD_BYTES + count, length: count === 0 ? undefined : length };
}

/** Where the end mark of a content without a length stands. */
function endMark(bytes: Uint8Array, start: number): number {
  let [at, depth] = [start, 1];
  for (;;) {
    const { tag, start: content, length } = headAt(bytes, at);
    if (length === undefined) depth += 1;
    else if (tag === 0 && length === 0) depth -= 1;
    if (depth === 0) return at;
    at = content + (length ?? 0);
  }
}

/** The elements one after the other. Throws `DerError`. */
export function elementsOf(bytes: Uint8Array): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length;) {
    const { tag, start, length } = headAt(bytes, at);
    const end = length === undefined ? endMark(bytes, start) : start + length;
    const next = length === undefined ? end + HEAD_BYTES : end;
    if (next > bytes.length) throw new DerError('cut short');
    found.push({ tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, next) });
    at = next;
  }
  return found;
}

/** The elements of one that has to be of that tag. Throws `DerError`. */
export function membersOf(element: Element | undefined, tag: number = TAG.sequence): Element[] {
  if (element?.tag !== tag) throw new DerError(`expected ${tag}, found ${element?.tag}`);
  return elementsOf(element.content);
}

/** The bytes of an octet string, whole or in pieces; `tag`: another one that stands in its place. Throws `DerError`. */
export function octetsOf(element: Element | undefined, tag: number = TAG.octetString): Uint8Array {
  const whole = tag & ~CONSTRUCTED;
  if (element?.tag === whole) return element.content;
  const pieces = membersOf(element, whole | CONSTRUCTED).map((piece) => {
    if (piece.tag !== TAG.octetString) throw new DerError('pieces of pieces');
    return piece.content;
  });
  return Buffer.concat(pieces);
}

/** A number that is not negative; what no number holds exactly is as good as endless. Throws `DerError`. */
export function countOf(element: Element | undefined): number {
  if (element?.tag !== TAG.integer || element.content.length === 0) throw new DerError('no number');
  return element.content.reduce((sum, byte) => sum * 256 + byte, 0);
}
