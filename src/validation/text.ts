/** What a text may hold, and how two texts are compared. */

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

/** The text without case and accents, for "contains" filters. */
export function folded(text: string): string {
  // Portuguese is written in Latin-1, whose letters fold one by one, at half the cost.
  return LATIN_1.test(text) ? text.toLowerCase().replace(NOT_ASCII, foldedLetter) : foldedText(text);
}

const foldedText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

// oxlint-disable-next-line no-control-regex -- Latin-1 begins with them
const LATIN_1 = /^[\x00-\xff]*$/;
const NOT_ASCII = /[\x80-\xff]/g;
const LATIN_1_LETTERS = Array.from({ length: 0x100 }, (_, code) => foldedText(String.fromCharCode(code)));
const foldedLetter = (letter: string): string => LATIN_1_LETTERS[letter.charCodeAt(0)] ?? letter;

/** The known name nearest to an unknown one, or `undefined` when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

const LONGEST_COMPARED = 64;

/** Levenshtein distance, given up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (a.length > LONGEST_COMPARED || Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution));
    }
    row = next;
  }
  return row[b.length] ?? limit;
}
