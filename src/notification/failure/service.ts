/** What could not be delivered, day by day (contract section 9). */
import type { Clock, Day } from '../../clock.ts';
import { dayOf, endOfDay, printedDateTime, startOfDay } from '../../validation/calendar.ts';
import { RETENTION_MS } from '../model.ts';
import type { ListedFailure } from './model.ts';
import type { FailureStore } from './store.ts';

export class FailureService {
  readonly #store: FailureStore;
  readonly #clock: Clock;

  constructor(store: FailureStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** A user's failures of a Brasília day, today by default, oldest first; never one older than its retention. */
  listOfDay(documento: string, day: Day = dayOf(this.#clock.now())): ListedFailure[] {
    const oldest = this.#clock.now() - RETENTION_MS;
    return this.#store
      .listOf(documento, Math.max(startOfDay(day), oldest), endOfDay(day))
      .map(({ id, failedAt, descricao, evento, conteudo }) => ({
        id,
        data: printedDateTime(failedAt),
        descricao,
        evento,
        conteudo,
      }));
  }
}
