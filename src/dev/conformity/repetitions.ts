/** Who sends an include again without looking first whether it was done, and makes a record twice. */
import { pathnameOf } from '../../http/address.ts';
import { latest } from '../../system/latest.ts';
import type { JournalEntry } from '../journal/entry.ts';

/** A concession act is none of them: sent again it changes nothing. */
const INCLUDES: ReadonlySet<string> = new Set([
  ...['includeProduct', 'includeRetroactiveProduct', 'batchProducts'],
  ...['includeForeignOperator', 'batchForeignOperators', 'linkManufacturer', 'batchLinks'],
]);

/** Faults after which a client does not know what became of its request; late, it may have given up waiting. */
const UNREADABLE: ReadonlySet<string> = new Set(['drop', 'truncate', 'garbage', 'lost-answer', 'delay']);

export const isReadable = ({ status, fault }: JournalEntry): boolean =>
  status !== null && status < 500 && !UNREADABLE.has(fault ?? '');

/** Includes whose answer was not readable, those last sent. */
const REMEMBERED = 1000;

interface Lost {
  readonly user: string;
  readonly kind: string | undefined;
}

export class Repetitions {
  readonly #lost = latest<string, Lost>(REMEMBERED);

  forget(): void {
    this.#lost.clear();
  }

  /** Whether it is the same include again; to be asked of each request, in their order. */
  isBlind(entry: JournalEntry, user: string): boolean {
    const { status, method, operation, requestBody } = entry;
    const path = pathnameOf(entry.url);
    const kind = kindOf(path);
    if (method === 'GET') {
      if (isReadable(entry) && isLook(status)) this.#looked(user, kind);
      return false;
    }
    if (operation === undefined || !INCLUDES.has(operation.id)) return false;
    const key = `${user} ${path} ${Bun.hash(requestBody.text ?? '')}`;
    const wasLost = this.#lost.has(key);
    if (!isReadable(entry)) this.#lost.set(key, { user, kind });
    else if (isDone(status)) this.#lost.delete(key);
    return wasLost && (isDone(status) || !isReadable(entry));
  }

  /** At records of one kind; at any of them, for a list tells of all. */
  #looked(user: string, kind: string | undefined): void {
    for (const [key, lost] of this.#lost.entries())
      if (lost.user === user && lost.kind === kind) this.#lost.delete(key);
  }
}

/** `produto` of `/catp/api/ext/produto/12345678` */
const kindOf = (path: string): string | undefined => path.split('/')[4];

const isDone = (status: number | null): boolean => status !== null && status < 300;
const isLook = (status: number | null): boolean => isDone(status) || status === 404;
