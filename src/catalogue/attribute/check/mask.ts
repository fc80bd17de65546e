/**
 * Masks (contract section 8): `9` is a digit, `A` a letter, `X` any character; any other character matches
 * only itself.
 */

const PATTERNS: Readonly<Record<string, string>> = { '9': '\\d', A: '\\p{L}', X: '.' };

export function maskPattern(mask: string): RegExp {
  const patterns = Array.from(mask, (char) => PATTERNS[char] ?? char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'));
  return new RegExp(`^${patterns.join('')}$`, 'su');
}
