/** Keeps the last requests and their answers in memory (contract section 15). */
import { type Clock, SystemClock } from '../../clock.ts';
import { pathnameOf } from '../../http/address.ts';
import type { Arrival, RequestHook, Run, Watch } from '../../http/request-hook.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Caller } from '../../session/model.ts';
import { JournalEntry, mayHaveBody } from './entry.ts';
import { recordBody, copiedInto } from './overheard.ts';

const ENTRIES_MAX = 1000;

/**
 * Paths that the journal omits: reads of the journal itself, and the periodic requests of monitoring tools.
 */
const JOURNAL_PATH = '/appliance/api/requests';
const MONITORING_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

export type OnEntry = (entry: JournalEntry, request: Request) => void;

export class Journal implements Watch {
  readonly #clock: Clock;
  readonly #wallClock = new SystemClock();
  readonly #stopwatch: () => number;
  readonly #isSecure: (request: Request) => boolean;
  /** A ring buffer: entry `id` is at index `id % KEPT_MAX`. */
  #entries: JournalEntry[] = [];
  #last = 0;
  /** Requests without an answer so far. */
  readonly #open = new Map<Request, JournalEntry>();
  readonly #listeners = new Set<OnEntry>();

  constructor(clock: Clock, stopwatch: () => number, isSecure: (request: Request) => boolean) {
    this.#clock = clock;
    this.#stopwatch = stopwatch;
    this.#isSecure = isSecure;
  }

  readonly hook: RequestHook<Caller> = (arrival, run) =>
    isOmitted(pathnameOf(arrival.request.url)) ? run() : this.#record(arrival, run);

  async #record(arrival: Arrival<Caller>, run: Run): Promise<Response> {
    const { request, operation } = arrival;
    const entry = this.#entryFor(request, operation);
    this.#open.set(request, entry);
    try {
      return await (mayHaveBody(request) ? recordBody(request, entry.requestBody, run) : run());
    } finally {
      this.#open.delete(request);
      entry.ms = this.#stopwatch() - entry.started;
      entry.attended(arrival);
      this.#keep(entry, request);
    }
  }

  exchange(exchange: Exchange): void {
    const open = this.#open.get(exchange.request);
    if (open !== undefined) {
      open.answered(exchange);
      return;
    }
    if (isOmitted(pathnameOf(exchange.request.url))) return;
    // `#record` never ran: the request was refused before routing.
    const entry = this.#entryFor(exchange.request, undefined);
    entry.answered(exchange);
    entry.ms = exchange.ms;
    this.#keep(entry, exchange.request);
  }

  streamed(request: Request, content: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const entry = this.#open.get(request);
    return entry === undefined ? content : copiedInto(content, entry.responseBody);
  }

  /** Yields the entries from newest to oldest, starting before `after`. */
  *entries(after = Number.POSITIVE_INFINITY): Generator<JournalEntry, void, undefined> {
    for (let id = Math.min(this.#last, after - 1); id > 0; id -= 1) {
      const entry = this.find(id);
      if (entry === undefined) return;
      yield entry;
    }
  }

  find(id: number): JournalEntry | undefined {
    const entry = this.#entries[id % ENTRIES_MAX];
    return entry?.id === id ? entry : undefined;
  }

  /** Empties the journal. Ids continue, so the `after` of an earlier page stays valid. */
  empty(): void {
    this.#entries = [];
  }

  /** Calls `listener` with each new entry. Returns the function that stops it. */
  listen(listener: OnEntry): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #entryFor(request: Request, operation: Arrival<Caller>['operation']): JournalEntry {
    return new JournalEntry(request, operation, {
      at: this.#clock.now(),
      arrivedAt: this.#wallClock.now(),
      started: this.#stopwatch(),
      isSecure: this.#isSecure(request),
    });
  }

  #keep(entry: JournalEntry, request: Request): void {
    this.#last += 1;
    entry.id = this.#last;
    this.#entries[entry.id % ENTRIES_MAX] = entry;
    for (const listener of this.#listeners) listener(entry, request);
  }
}

const isOmitted = (pathname: string): boolean =>
  MONITORING_PATHS.has(pathname) || pathname === JOURNAL_PATH || pathname.startsWith(`${JOURNAL_PATH}/`);
