/** Checks the characters of texts, and compares texts. */
import { distance } from 'fastest-levenshtein';

/** Returns the length in Unicode code points, as the contract counts it. */
export function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0xdc00 || unit > 0xdfff) count += 1;
  }
  return count;
}

/**
 * Returns true when SQLite stores the text unchanged: its `length()` ends at NUL, and it changes lone
 * surrogates.
 */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Characters that make a sound, move the cursor, are invisible or change the text direction. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const INVISIBLE_IN_LINES = /(?!\t|\r?\n)[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Prints a text from outside on one line, with JSON escapes, so that JSON stays the same JSON (contract
 * section 16).
 */
export const visible = (text: string): string => text.replaceAll(INVISIBLE, escaped);

/** Prints a text with its lines and tabs. */
export const visibleLines = (text: string): string => text.replaceAll(INVISIBLE_IN_LINES, escaped);

const escaped = (characters: string): string =>
  characters
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Characters of a text of another server that are kept and shown (contract section 16). */
const FOREIGN_MAX_CHARACTERS = 4000;
const CONTROLS = /\p{Cc}/gu;
const CONTROLS_IN_LINES = /(?!\t|\r?\n)\p{Cc}/gu;

/** Returns a text of another server for storage and display: without control characters, cut at 4 000. */
export const foreignText = (text: string): string => cut(text, CONTROLS);

/** Does the same for a text with lines and tabs, which it keeps. */
export const foreignLines = (text: string): string => cut(text, CONTROLS_IN_LINES);

function cut(text: string, controls: RegExp): string {
  // A character has at most two units: the rest of the text is never scanned.
  const clean = text
    .slice(0, 2 * FOREIGN_MAX_CHARACTERS + 1)
    .toWellFormed()
    .replaceAll(controls, '');
  const characters = clean.length <= FOREIGN_MAX_CHARACTERS ? [] : Array.from(clean);
  return characters.length <= FOREIGN_MAX_CHARACTERS
    ? clean
    : `${characters.slice(0, FOREIGN_MAX_CHARACTERS - 1).join('')}…`;
}

/** The pattern of a name. */
export const ONE_LINE = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';
export const ONE_LINE_DOMAIN = 'um texto sem caracteres de controle, tabulações e quebras de linha';

const foldByUnicode = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const BEYOND_LATIN_1 = /[\u0100-\uffff]/;
const BEYOND_ASCII = /[\u0080-\u00ff]/g;
/** The folded letters by their code, each from its first use. */
const LATIN_1: string[] = [];

/**
 * Folds case and accents for "contains" filters. Portuguese is within Latin-1, whose letters fold one by one.
 */
export const folded = (text: string): string =>
  BEYOND_LATIN_1.test(text) ? foldByUnicode(text) : text.replace(BEYOND_ASCII, foldedLetter).toLowerCase();

const foldedLetter = (letter: string): string => (LATIN_1[letter.charCodeAt(0)] ??= foldByUnicode(letter));

/** A longer name is not compared: it is no typing error. */
const COMPARED_MAX_CHARACTERS = 64;

/** Counts omitted, added and changed letters. Two swapped neighbours count as one. */
function typingErrors(name: string, other: string): number {
  if (name.length !== other.length) return distance(name, other);
  let first = 0;
  while (first < name.length && name[first] === other[first]) first += 1;
  const swapped = `${name[first + 1] ?? ''}${name[first] ?? ''}${name.slice(first + 2)}`;
  return first < name.length && swapped === other.slice(first) ? 1 : distance(name, other);
}

/** Returns true when the names differ by one typing error. */
export const isTypingError = (name: string, other: string): boolean =>
  name.length <= COMPARED_MAX_CHARACTERS && typingErrors(name.toLowerCase(), other.toLowerCase()) === 1;

/** Returns the known name nearest to an unknown one. `undefined`: none is near. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > COMPARED_MAX_CHARACTERS) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const errors = typingErrors(name.toLowerCase(), candidate.toLowerCase());
    if (errors < bestDistance) [best, bestDistance] = [candidate, errors];
  }
  return best;
}

const KIB = 1024;

/** Prints a number of bytes for people (Portuguese). */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [size, unit] = [bytes, 0];
  while (size >= KIB && unit < units.length - 1) [size, unit] = [size / KIB, unit + 1];
  return `${size.toLocaleString('pt-BR', { maximumFractionDigits: 1 })} ${units[unit]}`;
}

/** Prints a number with its noun for people (Portuguese). */
export const withCount = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('pt-BR')} ${number === 1 ? one : many}`;
