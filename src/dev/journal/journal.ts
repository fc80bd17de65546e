/** The last requests and what was answered, in memory (contract section 15). */
import type { Clock } from '../../clock.ts';
import { pathnameOf } from '../../http/address.ts';
import type { Arrival, Attend, Run, Watch } from '../../http/attendance.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Caller } from '../../session/model.ts';
import { JournalEntry, mayHaveBody } from './entry.ts';
import { listened, overheard } from './overheard.ts';

const KEPT_MAX = 1000;

/** Looking at the journal is no news, and whoever watches over the server asks all the time. */
const OWN = '/appliance/api/requests';
const WATCHERS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

export interface JournalParts {
  readonly clock: Clock;
  readonly stopwatch: () => number;
  readonly isSecure: (request: Request) => boolean;
}

export type OnEntry = (entry: JournalEntry, request: Request) => void;

export class Journal implements Watch {
  readonly #parts: JournalParts;
  /** A ring: the newest of `id` stands at `id % KEPT_MAX`. */
  #kept: JournalEntry[] = [];
  #last = 0;
  /** Those that are not answered yet. */
  readonly #open = new Map<Request, JournalEntry>();
  readonly #listeners = new Set<OnEntry>();

  constructor(parts: JournalParts) {
    this.#parts = parts;
  }

  readonly attend: Attend<Caller> = (arrival, run) =>
    isLeftOut(pathnameOf(arrival.request.url)) ? run() : this.#attend(arrival, run);

  async #attend(arrival: Arrival<Caller>, run: Run): Promise<Response> {
    const { request, operation } = arrival;
    const entry = this.#entryFor(request, operation);
    this.#open.set(request, entry);
    try {
      return await (mayHaveBody(request) ? listened(request, entry.requestBody, run) : run());
    } finally {
      this.#open.delete(request);
      entry.ms = this.#parts.stopwatch() - entry.started;
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
    if (isLeftOut(exchange.pathname)) return;
    // Nobody attended it: it was refused before it was looked at.
    const entry = this.#entryFor(exchange.request, undefined);
    entry.answered(exchange);
    entry.ms = exchange.ms;
    this.#keep(entry, exchange.request);
  }

  streamed(request: Request, content: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const entry = this.#open.get(request);
    return entry === undefined ? content : overheard(content, entry.responseBody);
  }

  /** Newest first, from the one before `after`. */
  *entries(after = Number.POSITIVE_INFINITY): Generator<JournalEntry, void, undefined> {
    for (let id = Math.min(this.#last, after - 1); id > 0; id -= 1) {
      const entry = this.find(id);
      if (entry === undefined) return;
      yield entry;
    }
  }

  find(id: number): JournalEntry | undefined {
    const entry = this.#kept[id % KEPT_MAX];
    return entry?.id === id ? entry : undefined;
  }

  /** Ids go on: `after` of a page from before stays right. */
  empty(): void {
    this.#kept = [];
  }

  /** Called at once with each new one; answers what ends it. */
  listen(listener: OnEntry): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #entryFor(request: Request, operation: Arrival<Caller>['operation']): JournalEntry {
    const { clock, stopwatch, isSecure } = this.#parts;
    return new JournalEntry(request, operation, {
      at: clock.now(),
      started: stopwatch(),
      isSecure: isSecure(request),
    });
  }

  #keep(entry: JournalEntry, request: Request): void {
    this.#last += 1;
    entry.id = this.#last;
    this.#kept[entry.id % KEPT_MAX] = entry;
    for (const listener of this.#listeners) listener(entry, request);
  }
}

const isLeftOut = (pathname: string): boolean =>
  WATCHERS.has(pathname) || pathname === OWN || pathname.startsWith(`${OWN}/`);
