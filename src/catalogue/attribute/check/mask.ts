/**
 * Masks (contract section 8): `9` is a digit, `A` a letter, `X` any character; any other character matches
 * only itself.
 */

const PLACES: Readonly<Record<string, string>> = { '9': '\\d', A: '\\p{L}', X: '.' };

export function maskPattern(mask: string): RegExp {
  const places = Array.from(mask, (place) => PLACES[place] ?? place.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'));
  return new RegExp(`^${places.join('')}$`, 'su');
}
