/**
 * Limits the requests to a remote (contract section 18): how many are sent, and when none is sent. Counts
 * are on disk before a request is sent.
 */
import { type Clock, type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../clock.ts';
import type { Writer } from '../../db/writer.ts';
import {
  atWallClock,
  dayOf,
  endOfDay,
  foreignMoment,
  localDateTime,
  nextDay,
  startOfDay,
  wallClock,
} from '../../validation/calendar.ts';
import type { Connection, Rest, WireOperation } from './model.ts';
import type { ConnectionStore } from './store.ts';

/**
 * Time between two sign-ins. The public service refuses two within a minute; the margin covers a first
 * sign-in that takes longer to arrive than the second.
 */
export const SIGN_IN_PACE_MS = 65 * SECOND_MS;
/** The operation that the hourly limit counts for a sign-in. */
export const SIGN_IN: WireOperation = 'authenticate';

/** Tolerated clock difference: a remote time that has just passed does not mean the next day. */
const CLOCKS_DIFFER_MS = 5 * MINUTE_MS;

const FIRST_WAIT_MS = 5 * SECOND_MS;
const LONGEST_WAIT_MS = 5 * MINUTE_MS;

type RequestLimits = Pick<Connection, 'perHour' | 'downtime'>;

export class Governor {
  readonly #store: ConnectionStore;
  readonly #writer: Writer;
  readonly #clock: Clock;
  readonly #remoteId: number;
  /** Failures in a row. */
  #failures = 0;

  constructor(store: ConnectionStore, writer: Writer, clock: Clock, remoteId: number) {
    this.#store = store;
    this.#writer = writer;
    this.#clock = clock;
    this.#remoteId = remoteId;
  }

  /**
   * Counts a request that is about to be sent. Returns the rest to observe when it may not be sent. Throws
   * `unavailable`.
   */
  admit(operation: WireOperation, pace: RequestLimits): Promise<Rest | undefined> {
    return this.#writer.write(() => this.#admitted(operation, pace, this.#clock.now()));
  }

  /**
   * Counts a sign-in in the same way. The admitted process holds the next minute, so of two processes only
   * one signs in. `isByPerson`: checks only that minute (contract section 16). Throws `unavailable`.
   */
  admitSignIn(pace: RequestLimits, isByPerson = false): Promise<Rest | undefined> {
    return this.#writer.write((): Rest | undefined => {
      const now = this.#clock.now();
      const again = (this.#store.signedInAt(this.#remoteId) ?? -Infinity) + SIGN_IN_PACE_MS;
      if (now < again)
        return {
          kind: 'rest',
          until: again,
          operation: 'all',
          reason: 'ninguém entra duas vezes em 60 segundos',
        };
      if (isByPerson) this.#store.count(this.#remoteId, SIGN_IN, hourOf(now));
      const rest = isByPerson ? undefined : this.#admitted(SIGN_IN, pace, now);
      if (rest === undefined) this.#store.putSignedIn(this.#remoteId, now);
      return rest;
    });
  }

  /**
   * Records the end of a sign-in. The minute counts from it, because the remote may see the sign-in that
   * late. Throws `unavailable`.
   */
  recordSignIn(): Promise<void> {
    return this.#writer.write(() => this.#store.putSignedIn(this.#remoteId, this.#clock.now()));
  }

  #admitted(operation: WireOperation, { perHour, downtime }: RequestLimits, now: EpochMs): Rest | undefined {
    const stop = endOfDowntime(downtime, now);
    if (stop !== undefined)
      return {
        kind: 'rest',
        until: stop,
        operation: 'all',
        reason: `parada de ${downtime}, a do cadastro do remoto`,
      };
    const rest = this.#store.restOf(this.#remoteId, operation, now);
    if (rest !== undefined) return rest;
    const hour = hourOf(now);
    if (this.#store.used(this.#remoteId, operation, hour) >= perHour)
      return {
        kind: 'rest',
        until: (hour + 1) * HOUR_MS,
        operation: operation,
        reason: `${perHour} por hora, o limite do cadastro do remoto`,
      };
    this.#store.count(this.#remoteId, operation, hour);
    return undefined;
  }

  /** Stores a rest, which also survives a restart. Throws `unavailable`. */
  async rest(operation: Rest['operation'], until: EpochMs, reason: string): Promise<Rest> {
    const rest: Rest = { kind: 'rest', until, operation: operation, reason };
    await this.#writer.write(() => this.#store.putRest(this.#remoteId, rest));
    return rest;
  }

  /** Returns the end of the wait after a failure: as `retryAfter` requests, else longer each time. */
  endOfWait(retryAfter: string | undefined): EpochMs {
    const now = this.#clock.now();
    const requestedMs = retryAfter === undefined ? 0 : Math.min(requestedWaitMs(retryAfter, now), HOUR_MS);
    const doubled = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS);
    this.#failures += 1;
    return now + (requestedMs > 0 ? requestedMs : doubled);
  }

  /** Resets the failures after a good answer. */
  resetFailures(): void {
    this.#failures = 0;
  }
}

/** Returns the requested wait in ms, from seconds or an HTTP date. Returns 0 when the date is invalid. */
const requestedWaitMs = (retryAfter: string, now: EpochMs): number =>
  /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * SECOND_MS
    : (foreignMoment(Date.parse(retryAfter)) ?? now) - now;

const hourOf = (now: EpochMs): number => Math.floor(now / HOUR_MS);

/**
 * Returns the end of the current downtime `HH:MM-HH:MM` (Brasília), which may span midnight. `undefined`:
 * no downtime now.
 */
export function endOfDowntime(downtime: string | null, now: EpochMs): EpochMs | undefined {
  const [from, to] = downtime?.split('-') ?? [];
  if (from === undefined || to === undefined) return undefined;
  const time = localDateTime(now).slice(11, 16);
  const isIn = from <= to ? time >= from && time < to : time >= from || time < to;
  return isIn ? nextTime(to, now) : undefined;
}

/**
 * Returns the end of a full hour at `time` (`HH:MM`, Brasília), plus a minute for the remote clock. It is
 * at most the end of the day (contract section 16).
 */
export const endOfFullHour = (time: string, now: EpochMs): EpochMs =>
  Math.max(now, Math.min(nextTime(time, now - CLOCKS_DIFFER_MS), endOfDay(dayOf(now)))) + MINUTE_MS;

/** Returns the next occurrence of the time (`HH:MM`, Brasília). */
export function nextTime(time: string, now: EpochMs): EpochMs {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const today = dayOf(now);
  const at = (day: string): EpochMs =>
    atWallClock(wallClock(startOfDay(day)) + hours * HOUR_MS + minutes * MINUTE_MS);
  return at(today) > now ? at(today) : at(nextDay(today));
}
