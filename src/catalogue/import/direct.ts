/** A file imported by the command line: outside of any job, on a connection of its own beside the server's. */
import type { Clock } from '../../clock.ts';
import type { Feed } from '../../db/feed.ts';
import type { Writer } from '../../db/writer.ts';
import type { FileLimits } from '../../files/file-limits.ts';
import { ItemFeed } from './feed.ts';
import type { ItemResult } from './model.ts';
import { type SliceOrder, type SliceParts, applySlice } from './slice.ts';

/**
 * SQLite lets one connection write at a time, and who waits looks again only every few ms: after each slice the lock is
 * left alone, so that the server's requests get in between, and longer while somebody else does write.
 */
const PAUSE_MS = 4;
const PAUSE_BESIDE_OTHERS_MS = 25;
/** For so long after another connection's write more of them are expected. */
const OTHERS_REMEMBERED_MS = 1000;

export interface DirectParts extends SliceParts {
  readonly feed: Feed;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly limits: FileLimits;
}

/** Applies the items of a file that `contentsOf` has read; yields the results of each slice once it is on disk. */
export async function* importDirectly(
  parts: DirectParts,
  file: string,
  order: SliceOrder,
): AsyncGenerator<readonly ItemResult[], void, undefined> {
  const { feed, writer, clock, limits, stopwatch } = parts;
  const others = new OtherWriters(feed, stopwatch);
  const source = new ItemFeed({ file, limits, behind: undefined, stopwatch });
  try {
    for (let items = await source.next(); items.length > 0; items = await source.next()) {
      const ahead = items;
      const results = await writer.write((tx) => applySlice(parts, tx, ahead, order));
      source.take(results.length);
      yield results;
      const pause = others.areWriting() ? PAUSE_BESIDE_OTHERS_MS : PAUSE_MS;
      await new Promise<void>((resolve) => clock.at(clock.now() + pause, resolve));
    }
  } finally {
    others.end();
    await source.close();
  }
}

class OtherWriters {
  readonly #feed: Feed;
  readonly #stopwatch: () => number;
  #seenAt = Number.NEGATIVE_INFINITY;
  readonly end: () => void;

  constructor(feed: Feed, stopwatch: () => number) {
    this.#feed = feed;
    this.#stopwatch = stopwatch;
    this.end = feed.onOthers(() => (this.#seenAt = stopwatch()));
  }

  areWriting(): boolean {
    this.#feed.lookNow();
    return this.#stopwatch() - this.#seenAt < OTHERS_REMEMBERED_MS;
  }
}
