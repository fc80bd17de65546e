/** Finds sessions that keep their first X-CSRF-Token, although every answer brings a new one. */
import { lruCache } from '../../system/lru-cache.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { isReadable } from './repetitions.ts';

/** The number of requests after which an unrenewed token is a finding. */
const REQUESTS = 10;

/** Limit of cached sessions, the most recent ones. */
const CACHED_SESSIONS = 1000;

interface Session {
  /** The token of the first request. `undefined` once it is known whether the session renews its token. */
  first: string | undefined;
  /** The time of the first answer. A request sent earlier could not have a newer token. */
  readonly answeredAt: number;
  requests: number[];
}

export class Renewals {
  readonly #sessions = lruCache<string, Session>(CACHED_SESSIONS);

  forget(): void {
    this.#sessions.clear();
  }

  /**
   * Returns the requests of a session that reached ten without a renewed token, once per session. Call it for
   * each request, in order.
   */
  requestsWithoutRenewal(entry: JournalEntry): readonly number[] | undefined {
    const authorization = entry.requestHeaders.get('authorization');
    const token = entry.requestHeaders.get('x-csrf-token');
    if (entry.caller === undefined || authorization === null || token === null) return undefined;
    const session = this.#sessions.get(authorization);
    if (session === undefined) {
      if (!isReadable(entry)) return undefined; // the answer had no token to renew with
      const answeredAt = entry.started + entry.ms;
      this.#sessions.set(authorization, { first: token, answeredAt, requests: [entry.id] });
      return undefined;
    }
    if (session.first === undefined || entry.started < session.answeredAt) return undefined;
    session.requests.push(entry.id);
    const isDecided = token !== session.first || session.requests.length === REQUESTS;
    if (!isDecided) return undefined;
    const requests = token === session.first ? session.requests : undefined;
    session.first = undefined;
    session.requests = [];
    return requests;
  }
}
