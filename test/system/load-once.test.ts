/** Parts of the program that are loaded at their first use. */
import { expect, test } from 'bun:test';
import { loadOnce } from '../../src/system/load-once.ts';

test('concurrent and later callers share one load', async () => {
  let loads = 0;
  const load = loadOnce(async () => (loads += 1));
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect(await load()).toBe(1);
});

test('the call after a failed load repeats it', async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    loads += 1;
    if (loads === 1) throw new Error('no memory');
    return loads;
  });
  await expect(load()).rejects.toThrow('no memory');
  expect(await load()).toBe(2);
});
