/**
 * JSON as the product reads it, in linear time: numbers keep the digits that were sent, and a member that stands twice in
 * its object is told (contract sections 3, 4 and 10). `JSON.parse` judges and builds; a look over the text beforehand
 * tells whether there is more to do, which is seldom.
 */
import type { Problem } from '../errors.ts';
import { keepDigits, wouldChange } from './json-number.ts';
import { repeatedMembers } from './json-repeats.ts';

/** Levels of objects and arrays in a body [ours]; what is deeper would exhaust the stack of whoever walks it. */
export const JSON_MAX_DEPTH = 100;

export interface ReadJson {
  readonly value: unknown;
  /** The members that stand twice in their object. */
  readonly repeated: readonly Problem[];
}

/** Reads a JSON text that `overview` found not too deep. Throws the parser's SyntaxError. */
export function readJsonText(text: string, seen: Overview = overview(text)): ReadJson {
  const value: unknown = seen.losesDigits ? JSON.parse(text, keepDigits) : JSON.parse(text);
  // Of two equal names the parser keeps one: then there are fewer members than names.
  const hasRepeats = seen.losesDigits || countMembers(value) !== seen.names;
  return { value, repeated: hasRepeats ? repeatedMembers(text) : [] };
}

/** A JSON text that the product wrote itself: numbers keep their digits. */
export const parseOwnJson = (text: string): unknown =>
  overview(text).losesDigits ? JSON.parse(text, keepDigits) : JSON.parse(text);

/**
 * The value of a JSON text of others; `undefined` of a text that is none, or is too deep. The parser's error, which may quote a
 * secret, goes nowhere.
 */
export function jsonIn(text: string): unknown {
  if (overview(text).tooDeepAt !== -1) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a look over a text tells of it, be it JSON or not. */
export interface Overview {
  /** Names of members: colons outside of texts. */
  readonly names: number;
  /** Whether a number is among them that JavaScript would print otherwise. */
  readonly losesDigits: boolean;
  /** Where it gets deeper than is allowed, in UTF-16 units; -1 where it does not. */
  readonly tooDeepAt: number;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const MINUS = 0x2d;
const [ZERO, NINE] = [0x30, 0x39];

export function overview(text: string, maxDepth = JSON_MAX_DEPTH): Overview {
  const { length } = text;
  const hasEscapes = text.includes('\\');
  let [names, depth, tooDeepAt, at] = [0, 0, -1, 0];
  let losesDigits = false;
  while (at < length) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = textEnd(text, at + 1, hasEscapes);
    else if (unit === COLON) names += 1;
    else if (isOpening(unit)) {
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
  return { names, losesDigits, tooDeepAt };
}

/** A JSON text without what is deeper than so many levels: `null` stands in its place. */
export function cutAtDepth(text: string, maxDepth: number): string {
  const hasEscapes = text.includes('\\');
  const parts: string[] = [];
  let [kept, depth] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = textEnd(text, at + 1, hasEscapes);
    else if (isOpening(unit)) {
      depth += 1;
      if (depth === maxDepth + 1) parts.push(text.slice(kept, at), 'null');
    } else if (isClosing(unit)) {
      if (depth === maxDepth + 1) kept = at + 1;
      depth -= 1;
    }
  }
  return parts.join('') + text.slice(kept);
}

/** Where a text closes: at its quotation mark, or at the end of everything. */
function textEnd(text: string, start: number, hasEscapes: boolean): number {
  if (!hasEscapes) {
    const end = text.indexOf('"', start);
    return end === -1 ? text.length : end;
  }
  let at = start;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at;
}

function numberEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && isOfNumber(text.charCodeAt(at))) at += 1;
  return at;
}

const isDigit = (unit: number): boolean => unit >= ZERO && unit <= NINE;
/** Digits, and `+ - . E e`. */
const isOfNumber = (unit: number): boolean =>
  isDigit(unit) || unit === MINUS || unit === 0x2b || unit === 0x2e || unit === 0x45 || unit === 0x65;
/** `[ {`, which part in one bit. */
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
