/** What a text may hold, and how two texts are compared. */
import { distance } from 'fastest-levenshtein';

/** Length as the contract counts it: Unicode code points. */
export function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0xdc00 || unit > 0xdfff) count += 1;
  }
  return count;
}

/** SQLite ends `length()` at NUL and changes lone surrogates: such a text would not come back as it was sent. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** What rings, moves the cursor, is not seen, or turns a line round. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const UNSEEN_IN_LINES = /(?!\t|\r?\n)[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A text of others, on one line: as JSON would write it, so that JSON stays the same JSON (contract section 16). */
export const visible = (text: string): string => text.replaceAll(UNSEEN, escaped);

/** A text of lines and tabs, which stay. */
export const visibleLines = (text: string): string => text.replaceAll(UNSEEN_IN_LINES, escaped);

const escaped = (found: string): string =>
  found
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Characters of a text of another server that are kept and shown (contract section 16). */
const FOREIGN_MAX_CHARACTERS = 4000;
const CONTROLS = /\p{Cc}/gu;
const CONTROLS_IN_LINES = /(?!\t|\r?\n)\p{Cc}/gu;

/** A text of another server as it is kept and shown: without control characters, cut at 4 000. */
export const foreignText = (text: string): string => cut(text, CONTROLS);

/** The same of a text of lines and tabs, which stay. */
export const foreignLines = (text: string): string => cut(text, CONTROLS_IN_LINES);

function cut(text: string, controls: RegExp): string {
  // A character has at most two units: what is behind them is never looked at.
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

const foldedByUnicode = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const BEYOND_LATIN_1 = /[\u0100-\uffff]/;
const BEYOND_ASCII = /[\u0080-\u00ff]/g;
const LATIN_1 = Array.from({ length: 0x100 }, (_, code) => foldedByUnicode(String.fromCharCode(code)));

/** The text without case and accents, for "contains" filters. Portuguese lies in Latin-1, whose letters fold one by one. */
export const folded = (text: string): string =>
  BEYOND_LATIN_1.test(text) ? foldedByUnicode(text) : text.replace(BEYOND_ASCII, foldedLetter).toLowerCase();

const foldedLetter = (letter: string): string => LATIN_1[letter.charCodeAt(0)] ?? letter;

/** What is longer is nobody's slip: it is compared with nothing. */
const LONGEST_COMPARED = 64;

/** Letters that were left out, put in, changed; two neighbours that changed places are one slip. */
function slips(name: string, known: string): number {
  if (name.length !== known.length) return distance(name, known);
  let first = 0;
  while (first < name.length && name[first] === known[first]) first += 1;
  const swapped = `${name[first + 1] ?? ''}${name[first] ?? ''}${name.slice(first + 2)}`;
  return first < name.length && swapped === known.slice(first) ? 1 : distance(name, known);
}

/** Whether one slip makes the name of the known one. */
export const isSlip = (name: string, known: string): boolean =>
  name.length <= LONGEST_COMPARED && slips(name.toLowerCase(), known.toLowerCase()) === 1;

/** The known name nearest to an unknown one, or `undefined` when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST_COMPARED) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const from = slips(name.toLowerCase(), candidate.toLowerCase());
    if (from < bestDistance) [best, bestDistance] = [candidate, from];
  }
  return best;
}

const KIB = 1024;

/** An amount of bytes as people read it (Portuguese). */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [size, unit] = [bytes, 0];
  while (size >= KIB && unit < units.length - 1) [size, unit] = [size / KIB, unit + 1];
  return `${size.toLocaleString('pt-BR', { maximumFractionDigits: 1 })} ${units[unit]}`;
}

/** A number with its noun, as people read it (Portuguese). */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('pt-BR')} ${number === 1 ? one : many}`;
