import { expect, test } from 'bun:test';
import { newCredentials } from '../../src/session/secrets.ts';

/** Enough to find one: one key in 64 would begin like an option. */
const ENOUGH = 5000;

test('no part of a key starts with a hyphen, so that `catp key revoke` accepts each', () => {
  const keys = Array.from({ length: ENOUGH }, () => newCredentials());
  const words = keys.flatMap(({ clientId, clientSecret }) => [clientId, clientSecret]);
  expect(words.filter((word) => !/^\w[\w-]{10,}$/.test(word))).toEqual([]);
});
