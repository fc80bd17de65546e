/**
 * Reads JSON in linear time. Numbers keep the digits that were sent, and members that occur twice in one
 * object are reported (contract sections 3, 4 and 10). `JSON.parse` validates and builds. A scan of the text
 * beforehand shows whether more work is needed, which is rare.
 */
import type { Problem } from '../errors.ts';
import { keepDigits, wouldChange } from './json-number.ts';
import { repeatedMembers } from './json-repeats.ts';

/**
 * Maximum levels of objects and arrays in a body [ours]. A deeper one would overflow the stack of recursive
 * code.
 */
export const JSON_MAX_DEPTH = 100;

export interface ReadJson {
  readonly value: unknown;
  /** The members that occur twice in one object. */
  readonly repeated: readonly Problem[];
}

/**
 * Reads a JSON text that is not too deep. `scan`: what its caller has already counted. Throws the parser's
 * SyntaxError.
 */
export function readJsonText(
  text: string,
  scan: Pick<Overview, 'names' | 'losesDigits'> = overview(text),
): ReadJson {
  const value: unknown = scan.losesDigits ? JSON.parse(text, keepDigits) : JSON.parse(text);
  // The parser keeps one of two equal names: then the value has fewer members than the text has names.
  const hasRepeats = scan.losesDigits || countMembers(value) !== scan.names;
  return { value, repeated: hasRepeats ? repeatedMembers(text) : [] };
}

/** Parses a JSON text that the product wrote: numbers keep their digits. */
export const parseOwnJson = (text: string): unknown =>
  overview(text).losesDigits ? JSON.parse(text, keepDigits) : JSON.parse(text);

/**
 * Parses a JSON text from outside. `undefined`: it is invalid or too deep. The parser's error is dropped
 * because it may quote a secret.
 */
export function tryParseJson(text: string): unknown {
  if (overview(text).tooDeepAt !== -1) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The result of a scan of a text, valid JSON or not. */
export interface Overview {
  /** Number of member names: colons outside of texts. */
  readonly names: number;
  /** Number of members and items, where each empty object or list counts as one more. */
  readonly values: number;
  /** A number in the text would be printed differently by JavaScript. */
  readonly losesDigits: boolean;
  /** The offset at which it becomes too deep, in UTF-16 units. -1: nowhere. */
  readonly tooDeepAt: number;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const MINUS = 0x2d;
const [ZERO, NINE] = [0x30, 0x39];

/** Stops once it counted more than `maxValues`. */
export function overview(text: string, maxDepth = JSON_MAX_DEPTH, maxValues = Infinity): Overview {
  const { length } = text;
  const hasEscapes = text.includes('\\');
  let [names, values, depth, tooDeepAt, at] = [0, 0, 0, -1, 0];
  let losesDigits = false;
  while (at < length && values <= maxValues) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = textEnd(text, at + 1, hasEscapes);
    else if (unit === COLON) names += 1;
    else if (unit === COMMA) values += 1;
    else if (isOpening(unit)) {
      values += 1;
      depth += 1;
      if (depth > maxDepth && tooDeepAt === -1) tooDeepAt = at;
    } else if (isClosing(unit)) depth -= 1;
    else if (unit === MINUS || isDigit(unit)) {
      const end = numberEnd(text, at);
      losesDigits ||= wouldChange(text.slice(at, end));
      at = end - 1;
    }
    at += 1;
  }
  return { names, values, losesDigits, tooDeepAt };
}

/** Replaces all parts of a JSON text below `maxDepth` levels with `null`. */
export function cutAtDepth(text: string, maxDepth: number): string {
  const hasEscapes = text.includes('\\');
  const parts: string[] = [];
  let [partStart, depth] = [0, 0];
  for (let offset = 0; offset < text.length; offset += 1) {
    const unit = text.charCodeAt(offset);
    if (unit === QUOTE) offset = textEnd(text, offset + 1, hasEscapes);
    else if (isOpening(unit)) {
      depth += 1;
      if (depth === maxDepth + 1) parts.push(text.slice(partStart, offset), 'null');
    } else if (isClosing(unit)) {
      if (depth === maxDepth + 1) partStart = offset + 1;
      depth -= 1;
    }
  }
  return parts.join('') + text.slice(partStart);
}

/** Returns the end of a text: its quotation mark, or the end of the input. */
function textEnd(text: string, start: number, hasEscapes: boolean): number {
  if (!hasEscapes) {
    const end = text.indexOf('"', start);
    return end === -1 ? text.length : end;
  }
  let offset = start;
  while (offset < text.length && text.charCodeAt(offset) !== QUOTE)
    offset += text.charCodeAt(offset) === 0x5c ? 2 : 1;
  return offset;
}

function numberEnd(text: string, start: number): number {
  let offset = start + 1;
  while (offset < text.length && isOfNumber(text.charCodeAt(offset))) offset += 1;
  return offset;
}

const isDigit = (unit: number): boolean => unit >= ZERO && unit <= NINE;
/** Returns true for digits and `+ - . E e`. */
const isOfNumber = (unit: number): boolean =>
  isDigit(unit) || unit === MINUS || unit === 0x2b || unit === 0x2e || unit === 0x45 || unit === 0x65;
/** Returns true for `[` and `{`, which differ in one bit. */
const isOpening = (unit: number): boolean => (unit | 0x20) === 0x7b;
const isClosing = (unit: number): boolean => (unit | 0x20) === 0x7d;

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countMembers(item);
    return count;
  }
  for (const name in value) {
    count += 1;
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof member === 'object') count += countMembers(member);
  }
  return count;
}
