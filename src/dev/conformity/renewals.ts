/** Sessions that go on with the X-CSRF-Token of their beginning, though every answer brings a new one. */
import { latest } from '../../system/latest.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { isReadable } from './repetitions.ts';

/** So many requests tell a habit. */
const REQUESTS = 10;

/** Those last seen. */
const REMEMBERED_SESSIONS = 1000;

interface Session {
  /** The token of its first request; absent: there is nothing more to find. */
  first: string | undefined;
  /** When the first answer was there: what was sent before could know of no other token. */
  readonly answeredAt: number;
  requests: number[];
}

export class Renewals {
  readonly #sessions = latest<string, Session>(REMEMBERED_SESSIONS);

  forget(): void {
    this.#sessions.clear();
  }

  /** The requests of a session that has come to ten without a renewed token; once a session. To be asked of each, in order. */
  neverTaken(entry: JournalEntry): readonly number[] | undefined {
    const authorization = entry.requestHeaders.get('authorization');
    const token = entry.requestHeaders.get('x-csrf-token');
    if (entry.caller === undefined || authorization === null || token === null) return undefined;
    const session = this.#sessions.get(authorization);
    if (session === undefined) {
      if (!isReadable(entry)) return undefined; // it brought no token that could be taken
      const answeredAt = entry.started + entry.ms;
      this.#sessions.set(authorization, { first: token, answeredAt, requests: [entry.id] });
      return undefined;
    }
    if (session.first === undefined || entry.started < session.answeredAt) return undefined;
    session.requests.push(entry.id);
    const isOver = token !== session.first || session.requests.length === REQUESTS;
    if (!isOver) return undefined;
    const found = token === session.first ? session.requests : undefined;
    session.first = undefined;
    session.requests = [];
    return found;
  }
}
