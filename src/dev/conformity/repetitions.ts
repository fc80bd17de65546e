/** Finds users who repeat an include without checking the first result, which can create a record twice. */
import { pathnameOf } from '../../http/address.ts';
import { lruCache } from '../../system/lru-cache.ts';
import type { JournalEntry } from '../journal/entry.ts';

/**
 * The operations that create records. The one for concession acts is left out: a repetition changes no
 * record.
 */
const INCLUDES: ReadonlySet<string> = new Set([
  ...['includeProduct', 'includeRetroactiveProduct', 'batchProducts'],
  ...['includeForeignOperator', 'batchForeignOperators', 'linkManufacturer', 'batchLinks'],
]);

/** Faults that hide the result of a request from the client. After a delay the client may have timed out. */
const UNREADABLE: ReadonlySet<string> = new Set(['drop', 'truncate', 'garbage', 'lost-answer', 'delay']);

export const isReadable = ({ status, fault }: JournalEntry): boolean =>
  status !== null && status < 500 && !UNREADABLE.has(fault ?? '');

/** Limit of cached includes with an unreadable answer, the most recent ones. */
const CACHED_INCLUDES = 1000;

interface LostInclude {
  readonly user: string;
  readonly kind: string | undefined;
}

export class Repetitions {
  readonly #lost = lruCache<string, LostInclude>(CACHED_INCLUDES);

  forget(): void {
    this.#lost.clear();
  }

  /** Returns true for a repeated include without a check. Call it for each request, in order. */
  isBlind(entry: JournalEntry, user: string): boolean {
    const { status, method, operation, requestBody } = entry;
    const path = pathnameOf(entry.url);
    const kind = kindOf(path);
    if (method === 'GET') {
      if (isReadable(entry) && isConclusive(status)) this.#forgetLost(user, kind);
      return false;
    }
    if (operation === undefined || !INCLUDES.has(operation.id)) return false;
    if (this.#lost.size === 0 && isReadable(entry)) return false;
    const key = `${user} ${path} ${Bun.hash(requestBody.text ?? '')}`;
    const wasLost = this.#lost.has(key);
    if (!isReadable(entry)) this.#lost.set(key, { user, kind });
    else if (isDone(status)) this.#lost.delete(key);
    return wasLost && (isDone(status) || !isReadable(entry));
  }

  /**
   * Forgets the user's lost includes of one kind. Any query of the kind counts, because a list shows all
   * records.
   */
  #forgetLost(user: string, kind: string | undefined): void {
    for (const [key, lost] of this.#lost.entries())
      if (lost.user === user && lost.kind === kind) this.#lost.delete(key);
  }
}

/** Returns the kind, as `produto` in `/catp/api/ext/produto/12345678`. */
const kindOf = (path: string): string | undefined => path.split('/')[4];

const isDone = (status: number | null): boolean => status !== null && status < 300;
const isConclusive = (status: number | null): boolean => isDone(status) || status === 404;
