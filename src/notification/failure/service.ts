/** Lists failed deliveries by day (contract section 9). */
import type { Clock, Day } from '../../clock.ts';
import { dayOf, endOfDay, printedDateTime, startOfDay } from '../../validation/calendar.ts';
import { RETENTION_MS } from '../model.ts';
import type { ListedFailure } from './model.ts';
import type { FailureStore, FailurePosition, Span } from './store.ts';

/** The page size: reading a page takes some ms, unless the bodies are long. */
const PAGE_FAILURES = 200;

export class FailureService {
  readonly #store: FailureStore;
  readonly #clock: Clock;

  constructor(store: FailureStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Lists a user's failures of a Brasília day, today by default, oldest first. Pages are read on demand.
   * Omits failures older than their retention.
   */
  listOfDay(documento: string, day: Day = dayOf(this.#clock.now())): Iterable<ListedFailure> {
    const oldest = this.#clock.now() - RETENTION_MS;
    return this.#listOf(documento, { from: Math.max(startOfDay(day), oldest), until: endOfDay(day) });
  }

  *#listOf(documento: string, span: Span): Generator<ListedFailure> {
    for (let after: FailurePosition = { failedAt: 0, id: 0 }; ;) {
      const page = this.#store.listOf(documento, span, after, PAGE_FAILURES);
      for (const { id, failedAt, descricao, evento, conteudo } of page)
        yield { id, data: printedDateTime(failedAt), descricao, evento, conteudo };
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_FAILURES) return;
      after = last;
    }
  }
}
