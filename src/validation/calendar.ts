/** Days and moments in Brasília time, whatever the host's zone. */
import { DAY_MS, type Day, type EpochMs, HOUR_MS } from '../clock.ts';
import { latest } from '../system/latest.ts';

const BRASILIA = 'America/Sao_Paulo';

/**
 * Brasília has no summer time since 17/02/2019, 02:00 UTC, and three hours less than UTC. A test holds it against the zone of
 * the runtime, which takes some ms and MB to load.
 */
export const STANDARD_SINCE = Date.UTC(2019, 1, 17, 2);
const STANDARD_OFFSET_MS = -3 * HOUR_MS;

/** Before, offsets change at full hours of UTC at most: one look-up of the zone serves the whole hour. */
const REMEMBERED_HOURS = 10_000;
const offsets = latest<number, number>(REMEMBERED_HOURS);

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

/** What Brasília's clocks show at an instant, as if they stood at UTC. */
export const wallClock = (instant: EpochMs): EpochMs => instant + offsetMs(instant);

/** When Brasília's clocks show that; for the last time, where they were put back. */
export const atWallClock = (shown: EpochMs): EpochMs =>
  shown - STANDARD_OFFSET_MS >= STANDARD_SINCE
    ? shown - STANDARD_OFFSET_MS
    : Temporal.Instant.fromEpochMilliseconds(shown)
        .toZonedDateTimeISO('UTC')
        .toPlainDateTime()
        .toZonedDateTime(BRASILIA, { disambiguation: 'later' }).epochMilliseconds;

/** What one transaction writes has one moment, and each of its records tells it. */
let lastIso = { instant: Number.NaN, text: '' };

function localIso(instant: EpochMs): string {
  if (instant !== lastIso.instant) lastIso = { instant, text: new Date(wallClock(instant)).toISOString() };
  return lastIso.text;
}

/** Of the hour that was asked for last, what is of one day; empty before the first. */
let lastDay = { from: 0, until: 0, day: '' };

/** The Brasília day of an instant. */
export function dayOf(instant: EpochMs): Day {
  const isKnown = lastDay.from <= instant && instant < lastDay.until;
  if (!isKnown) lastDay = dayAround(instant);
  return lastDay.day;
}

/** The day of an instant, and the stretch round it with that day and one offset. */
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
 * The day that a moment stands for where a day is meant: the written one where its clock shows midnight, or no zone is written,
 * else its day in Brasília (contract section 4). Any other text is answered as it is.
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
 * `yyyy-MM-ddTHH:mm:ss.SSS-03:00`: Brasília with its offset, as people read it in the log, in the output of commands and in
 * everything of our own that tells of a moment (contract section 13).
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

/** Moments of another server outside of these years are none (contract section 16). */
const [FOREIGN_FROM, FOREIGN_TO] = [Date.UTC(2000, 0), Date.UTC(2101, 0)];

/** A moment that another server says; `undefined` where it cannot be one. */
export const foreignMoment = (instant: number): EpochMs | undefined =>
  instant >= FOREIGN_FROM && instant < FOREIGN_TO ? instant : undefined;

/** The first instant of a Brasília day. */
export const startOfDay = (day: Day): EpochMs =>
  Temporal.PlainDate.from(day).toZonedDateTime(BRASILIA).epochMilliseconds;

/** The first instant after a Brasília day; of 9999-12-31 too, whose next day has no `Day`. */
export const endOfDay = (day: Day): EpochMs =>
  Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(BRASILIA).epochMilliseconds;

/** So many days after. */
export const daysAfter = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The day after; 9999-12-31 has none. */
export const nextDay = (day: Day): Day => daysAfter(day, 1);

/** The day before; 0001-01-01 has none. */
export const dayBefore = (day: Day): Day => daysAfter(day, -1);

const DAY_FORM = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a real day `yyyy-MM-dd` from the year 1 on. */
export function isDay(text: string): text is Day {
  if (!DAY_FORM.test(text) || text < '0001') return false;
  const noon = Date.parse(`${text}T12:00:00Z`);
  return !Number.isNaN(noon) && new Date(noon).toISOString().startsWith(text);
}

const INSTANT_FORM = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * An instant, a moment of Brasília's clocks where no zone is named, or the first moment of a day; `undefined` for any other
 * text. `Date.parse` alone would take the host's zone.
 */
export function instantOf(text: string): EpochMs | undefined {
  if (isDay(text)) return startOfDay(text);
  const [, day = '', zone] = INSTANT_FORM.exec(text) ?? [];
  if (!isDay(day)) return undefined;
  const instant = Date.parse(text + (zone === undefined ? 'Z' : ''));
  if (Number.isNaN(instant)) return undefined;
  return zone === undefined ? atWallClock(instant) : instant;
}
