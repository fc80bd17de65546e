/** Days and moments in Brasília time, independent of the host's zone. */
import { DAY_MS, type Day, type EpochMs, HOUR_MS } from '../clock.ts';
import { lruCache } from '../system/lru-cache.ts';

const BRASILIA = 'America/Sao_Paulo';

/**
 * Start of the current rule: Brasília has no summer time since 17/02/2019, 02:00 UTC, and is three hours
 * behind UTC. A test checks this against the zone of the runtime, which takes some ms and MB to load.
 */
export const STANDARD_SINCE = Date.UTC(2019, 1, 17, 2);
const STANDARD_OFFSET_MS = -3 * HOUR_MS;

/**
 * Number of cached hours. Before that, offsets change only at full hours of UTC: one look-up of the zone is
 * valid for the whole hour.
 */
const CACHED_HOURS = 10_000;
const offsets = lruCache<number, number>(CACHED_HOURS);

function offsetMs(instant: EpochMs): number {
  if (instant >= STANDARD_SINCE) return STANDARD_OFFSET_MS;
  const hour = Math.floor(instant / HOUR_MS);
  let offset = offsets.get(hour);
  if (offset === undefined) {
    const zoned = Temporal.Instant.fromEpochMilliseconds(hour * HOUR_MS).toZonedDateTimeISO(BRASILIA);
    offset = zoned.offsetNanoseconds / 1_000_000;
    offsets.set(hour, offset);
  }
  return offset;
}

/** Returns the Brasília local time at an instant, as if it were UTC. */
export const wallClock = (instant: EpochMs): EpochMs => instant + offsetMs(instant);

/** Returns the instant of a Brasília local time. An hour that occurs twice gives the later instant. */
export const atWallClock = (localTime: EpochMs): EpochMs =>
  localTime - STANDARD_OFFSET_MS >= STANDARD_SINCE
    ? localTime - STANDARD_OFFSET_MS
    : Temporal.Instant.fromEpochMilliseconds(localTime)
        .toZonedDateTimeISO('UTC')
        .toPlainDateTime()
        .toZonedDateTime(BRASILIA, { disambiguation: 'later' }).epochMilliseconds;

/** Cache of the last text: all records of one transaction have one moment. */
let lastIso = { instant: Number.NaN, text: '' };

function localIso(instant: EpochMs): string {
  if (instant !== lastIso.instant) lastIso = { instant, text: new Date(wallClock(instant)).toISOString() };
  return lastIso.text;
}

/** Cache of the last day: the part of the last hour within one day. Empty before the first call. */
let lastDay = { from: 0, until: 0, day: '' };

/** Returns the Brasília day of an instant. */
export function dayOf(instant: EpochMs): Day {
  const isCached = lastDay.from <= instant && instant < lastDay.until;
  if (!isCached) lastDay = dayAround(instant);
  return lastDay.day;
}

/** Returns the day of an instant, and the interval around it with that day and one offset. */
function dayAround(instant: EpochMs): typeof lastDay {
  const [offset, hour] = [offsetMs(instant), Math.floor(instant / HOUR_MS) * HOUR_MS];
  const midnight = Math.floor((instant + offset) / DAY_MS) * DAY_MS - offset;
  return {
    from: Math.max(hour, midnight),
    until: Math.min(hour + HOUR_MS, midnight + DAY_MS),
    day: localIso(instant).slice(0, 10),
  };
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Returns the day that a moment means in a day field: the written day when its time is midnight or it names
 * no zone, otherwise its day in Brasília (contract section 4). Returns any other text unchanged.
 */
export function dayOfMoment(text: string): string {
  const [, day, clock = '', zone] = MOMENT.exec(text) ?? [];
  if (day === undefined) return text;
  if (zone === undefined || !/[1-9]/.test(clock)) return day;
  const instant = Date.parse(`${day}T${clock}${zone.replace(/^(...)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(instant) ? text : dayOf(instant);
}

/** `yyyy-MM-ddTHH:mm:ss`, Brasília, no zone. */
export const localDateTime = (instant: EpochMs): string => localIso(instant).slice(0, 19);

/**
 * Returns `yyyy-MM-ddTHH:mm:ss.SSS-03:00`: Brasília time with its offset, for the log, the output of commands
 * and all our own members with a moment (contract section 13).
 */
export function momentText(instant: EpochMs): string {
  const local = localIso(instant);
  return `${local.slice(0, -1)}${offsetText(offsetMs(instant))}`;
}

function offsetText(ms: number): string {
  const iso = new Date(Math.abs(ms)).toISOString();
  return `${ms < 0 ? '-' : '+'}${iso.slice(11, 16)}`;
}

/** `dd-MM-yyyy HH:mm:ss`, Brasília (subscriptions and failures). */
export function printedDateTime(instant: EpochMs): string {
  const iso = localIso(instant);
  return `${iso.slice(8, 10)}-${iso.slice(5, 7)}-${iso.slice(0, 4)} ${iso.slice(11, 19)}`;
}

/** `yyyyMMddHHmmss`, Brasília (names of files). */
export const compactDateTime = (instant: EpochMs): string => localDateTime(instant).replace(/\D/g, '');

/** Years outside of which a moment of another server is invalid (contract section 16). */
const [FOREIGN_FROM, FOREIGN_TO] = [Date.UTC(2000, 0), Date.UTC(2101, 0)];

/** Returns a moment of another server. `undefined`: it is out of range. */
export const foreignMoment = (instant: number): EpochMs | undefined =>
  instant >= FOREIGN_FROM && instant < FOREIGN_TO ? instant : undefined;

/** Returns the first instant of a Brasília day. */
export const startOfDay = (day: Day): EpochMs =>
  Temporal.PlainDate.from(day).toZonedDateTime(BRASILIA).epochMilliseconds;

/** Returns the first instant after a Brasília day. Works for 9999-12-31, whose next day has no `Day`. */
export const endOfDay = (day: Day): EpochMs =>
  Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(BRASILIA).epochMilliseconds;

/** Returns the day that is `days` later. */
export const daysAfter = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Returns the next day. 9999-12-31 has none. */
export const nextDay = (day: Day): Day => daysAfter(day, 1);

/** Returns the day before. 0001-01-01 has none. */
export const dayBefore = (day: Day): Day => daysAfter(day, -1);

const DAY_FORM = /^\d{4}-\d{2}-\d{2}$/;

/** Returns true for a real day `yyyy-MM-dd` from the year 1 on. */
export function isDay(text: string): text is Day {
  if (!DAY_FORM.test(text) || text < '0001') return false;
  const noon = Date.parse(`${text}T12:00:00Z`);
  return !Number.isNaN(noon) && new Date(noon).toISOString().startsWith(text);
}

const INSTANT_FORM = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Returns an instant, a Brasília local time when the text names no zone, or the first moment of a day.
 * `undefined`: any other text. `Date.parse` alone would use the host's zone.
 */
export function instantOf(text: string): EpochMs | undefined {
  if (isDay(text)) return startOfDay(text);
  const [, day = '', zone] = INSTANT_FORM.exec(text) ?? [];
  if (!isDay(day)) return undefined;
  const instant = Date.parse(text + (zone === undefined ? 'Z' : ''));
  if (Number.isNaN(instant)) return undefined;
  return zone === undefined ? atWallClock(instant) : instant;
}
