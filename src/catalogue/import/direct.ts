/** A file imported by the command line: outside of any job, on a connection of its own beside the server's. */
import type { Clock } from '../../clock.ts';
import type { Writer } from '../../db/writer.ts';
import type { FileLimits } from '../../files/zip-in.ts';
import { ItemFeed } from './feed.ts';
import type { ItemResult } from './model.ts';
import { type SliceOrder, type SliceParts, applySlice } from './slice.ts';

/**
 * SQLite lets one connection write at a time, and who waits looks again every few ms: after each slice the lock is left
 * alone for about as long as it was held, so that the server's requests get in between.
 */
const PAUSE_MS = 5;

export interface DirectParts extends SliceParts {
  readonly writer: Writer;
  readonly clock: Clock;
  readonly limits: FileLimits;
}

/** Applies the items of a file that `countItems` has read; yields the results of each slice once it is on disk. */
export async function* importDirectly(
  parts: DirectParts,
  file: string,
  order: SliceOrder,
): AsyncGenerator<readonly ItemResult[], void, undefined> {
  const { writer, clock, limits, stopwatch } = parts;
  const feed = new ItemFeed({ file, limits, skip: 0, stopwatch });
  try {
    for (let items = await feed.next(); items.length > 0; items = await feed.next()) {
      const ahead = items;
      const results = await writer.write((tx) => applySlice(parts, tx, ahead, order));
      feed.take(results.length);
      yield results;
      await new Promise<void>((resolve) => clock.at(clock.now() + PAUSE_MS, resolve));
    }
  } finally {
    await feed.close();
  }
}
