import { expect, test } from 'bun:test';
import { isSameSecret } from '../../src/system/same-secret.ts';

test.each([
  ['', '', true],
  ['segredo', 'segredo', true],
  ['ção', 'ção', true],
  ['segredo', 'segredO', false],
  ['segredo', 'segred', false],
  ['segred', 'segredo', false],
  ['', 'segredo', false],
  // Equal in characters, not in bytes.
  ['çao', 'cao', false],
])('%j against %j', (received, expected, same) => {
  expect(isSameSecret(received, expected)).toBe(same);
});
