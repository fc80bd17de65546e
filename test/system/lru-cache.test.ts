import { expect, test } from 'bun:test';
import { lruCache } from '../../src/system/lru-cache.ts';

test('keeps the given number of entries, and removes the least recently used', () => {
  const memory = lruCache<string, number>(3);
  for (const [index, name] of ['a', 'b', 'c'].entries()) memory.set(name, index);
  expect([memory.size, memory.get('a')]).toEqual([3, 0]);
  memory.set('d', 3);
  expect([...memory.keys()].sort((a, b) => (a < b ? -1 : 1))).toEqual(['a', 'c', 'd']);
  // A repeated key takes no more space.
  memory.set('d', 4);
  expect([memory.size, memory.get('d')]).toEqual([3, 4]);
});
