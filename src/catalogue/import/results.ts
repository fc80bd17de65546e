/** The results of an import, read as they are asked for. */
import type { ImportOutcome, ItemResult } from './model.ts';

/** Which results are wanted; without anything all of them. */
export interface ResultChoice {
  readonly outcome?: ImportOutcome | undefined;
  readonly limit?: number | undefined;
  /** Only those behind the item of this index. */
  readonly after?: number | undefined;
}

/** Results on disk. */
interface KeptResults {
  /** The next ones after the item `after`. */
  listResults(id: number, outcome: ImportOutcome | undefined, after: number, limit: number): ItemResult[];
}

/** They are read so many at a time: a page is some ms of work, whatever the items' messages. */
const PAGE_RESULTS = 200;

/** In the order of the file. */
export function* resultsOf(
  kept: KeptResults,
  id: number,
  { outcome, limit = Infinity, after = -1 }: ResultChoice = {},
): Generator<ItemResult, void, undefined> {
  let seen = after;
  for (let left = limit; left > 0; left -= PAGE_RESULTS) {
    const page = kept.listResults(id, outcome, seen, Math.min(left, PAGE_RESULTS));
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_RESULTS) return;
    seen = last.index;
  }
}
