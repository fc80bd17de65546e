import { expect, test } from 'bun:test';
import { endInWords } from '../../../src/web/remotos/end-in-words.ts';

const NOW = '2026-11-30T22:10:00-03:00';

test.each([
  ['2026-11-30T22:15:07-03:00', 'hoje às 22h15'],
  ['2026-11-30T23:00:59-03:00', 'hoje às 23h'],
  ['2026-12-01T00:05:00-03:00', 'amanhã à 0h05'],
  ['2026-12-01T01:00:00-03:00', 'amanhã à 1h'],
  ['2026-12-01T14:00:00-03:00', 'amanhã às 14h'],
  ['2026-12-02T09:30:00-03:00', 'em 02/12/2026 às 9h30'],
])('%s has the words for people: %s', (text, words) => {
  expect(endInWords(text, NOW)).toBe(words);
});
