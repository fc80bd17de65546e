/** Reads the results of an import on demand. */
import { identityChanges } from '../members/identity.ts';
import type { ImportKind, ImportOutcome, ItemResult } from './model.ts';

/** The selection of results. Without members, it selects all. */
export interface ResultChoice {
  readonly outcome?: ImportOutcome | undefined;
  readonly limit?: number | undefined;
  /** Selects only the items behind this index. */
  readonly after?: number | undefined;
}

/** Yields the results that make another record. `undefined`: other work may run. */
export function* othersIn(
  tipo: ImportKind,
  results: Iterable<ItemResult>,
  limit = Infinity,
): Generator<ItemResult | undefined, void, undefined> {
  let [readCount, matchCount] = [0, 0];
  for (const result of results) {
    if (identityChanges(tipo, result.changes).length > 0) {
      yield result;
      if ((matchCount += 1) === limit) return;
    }
    if ((readCount += 1) % PAGE_RESULTS === 0) yield undefined;
  }
}

/** Results on disk. */
interface KeptResults {
  /** Returns the next results after the item `after`. */
  listResults(id: number, outcome: ImportOutcome | undefined, after: number, limit: number): ItemResult[];
}

/** Results of one page, a few ms of work with any messages. */
const PAGE_RESULTS = 200;

/** Yields the results in the order of the file. */
export function* resultsOf(
  store: KeptResults,
  id: number,
  { outcome, limit = Infinity, after = -1 }: ResultChoice = {},
): Generator<ItemResult, void, undefined> {
  let lastIndex = after;
  for (let remaining = limit; remaining > 0; remaining -= PAGE_RESULTS) {
    const page = store.listResults(id, outcome, lastIndex, Math.min(remaining, PAGE_RESULTS));
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_RESULTS) return;
    lastIndex = last.index;
  }
}
