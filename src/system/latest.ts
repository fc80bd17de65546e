/** A bounded cache of the most recently used entries. */
import { LRUCache } from 'lru-cache';

/**
 * Returns a cache that grows with its use. With `max` the library allocates all its memory at once, a MiB for
 * 10 000 entries.
 */
export const latest = <Key extends {}, Value extends {}>(most: number): LRUCache<Key, Value> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
