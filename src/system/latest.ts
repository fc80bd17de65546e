/** A memory of no more than so many, those used last. */
import { LRUCache } from 'lru-cache';

/** Grows with its use: with `max` the library takes the room of all when it is made, a MiB for 10 000. */
export const latest = <Key extends {}, Value extends {}>(most: number): LRUCache<Key, Value> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
