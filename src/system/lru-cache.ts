/** Bounded caches of the most recently used entries. */
import { LRUCache } from 'lru-cache';

/**
 * Returns a cache for `max` entries. It sets the library's `maxSize`, since `max` would allocate all memory at
 * once, a MiB for 10 000 entries.
 */
export const lruCache = <Key extends {}, Value extends {}>(max: number): LRUCache<Key, Value> =>
  new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
