/** Days and moments in Brasília, in any time zone of the machine. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { HOUR_MS } from '../../src/clock.ts';
import {
  STANDARD_SINCE,
  compactDateTime,
  dayOf,
  endOfDay,
  isDay,
  localDateTime,
  momentText,
  nextDay,
  printedDateTime,
  startOfDay,
} from '../../src/validation/calendar.ts';

test('the runtime knows no change of Brasília’s clocks since the last summer time', () => {
  const change =
    Temporal.Instant.fromEpochMilliseconds(STANDARD_SINCE).toZonedDateTimeISO('America/Sao_Paulo');
  expect(change.offset).toBe('-03:00');
  expect(change.getTimeZoneTransition('next')).toBeNull();
  expect(change.add({ seconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds).toBe(
    STANDARD_SINCE,
  );
});

describe('a day', () => {
  test.each([
    '',
    '2026-1-1',
    '2026-02-29',
    '2026-00-10',
    '2026-13-01',
    '2026-04-31',
    '0000-12-31',
    '20260101',
    ' 2026-01-01',
    '2026-01-01T00:00',
    '+02026-01-01',
    '٢٠٢٦-01-01',
  ])('is not written %p', (text) => expect(isDay(text)).toBe(false));

  test.each(['2026-01-01', '2024-02-29', '0001-01-01', '9999-12-31', '1582-10-10'])('is written %s', (text) =>
    expect(isDay(text)).toBe(true),
  );

  test.each([
    '0001-01-01',
    '1914-01-01',
    '1970-01-01',
    '2018-11-04',
    '2019-02-16',
    '2026-01-15',
    '9999-12-31',
  ])('%s starts and ends where its neighbours end and start', (day) => {
    expect(dayOf(startOfDay(day))).toBe(day);
    expect(dayOf(endOfDay(day) - 1)).toBe(day);
    if (day === '9999-12-31') return;
    expect(startOfDay(nextDay(day))).toBe(endOfDay(day));
    expect(dayOf(endOfDay(day))).toBe(nextDay(day));
  });

  test('has 23 hours when summer time began and 25 when it ended', () => {
    const hours = (day: string): number => (endOfDay(day) - startOfDay(day)) / HOUR_MS;
    expect([hours('2018-11-04'), hours('2019-02-16'), hours('2026-01-15')]).toEqual([23, 25, 24]);
  });
});

test('a moment is printed in the three forms of the wire, in Brasília time', () => {
  const moment = Date.parse('2026-01-01T02:59:59.999Z');
  expect([localDateTime(moment), printedDateTime(moment), compactDateTime(moment)]).toEqual([
    '2025-12-31T23:59:59',
    '31-12-2025 23:59:59',
    '20251231235959',
  ]);
  expect(dayOf(moment + 1)).toBe('2026-01-01');
});

test('a day is the same after conversions of any other instants', () => {
  const plain = (instant: number): string =>
    Temporal.Instant.fromEpochMilliseconds(instant)
      .toZonedDateTimeISO('America/Sao_Paulo')
      .toPlainDate()
      .toString();
  // Near midnights of Brasília: with and without summer time, on its first and last day, and back and forth
  // between them.
  const midnights = ['1913-12-31', '2018-02-17', '2018-11-04', '2019-02-17', '2025-12-31', '2026-06-15'].map(
    startOfDay,
  );
  const near = fc
    .tuple(fc.constantFrom(...midnights), fc.integer({ min: -3 * HOUR_MS, max: 3 * HOUR_MS }))
    .map(([midnight, away]) => midnight + away);
  const atMidnight = fc
    .tuple(fc.constantFrom(...midnights), fc.integer({ min: -2, max: 2 }))
    .map(([midnight, away]) => midnight + away);
  fc.assert(
    fc.property(fc.array(fc.oneof(near, atMidnight), { minLength: 2, maxLength: 20 }), (instants) => {
      for (const instant of instants) {
        expect(dayOf(instant)).toBe(plain(instant));
        expect(localDateTime(instant).slice(0, 10)).toBe(plain(instant));
      }
    }),
    { numRuns: 300 },
  );
});

test('a moment for people has the offset of its day', () => {
  const read = (instant: string): string => momentText(Date.parse(instant));
  expect(read('2026-01-01T02:59:59.999Z')).toBe('2025-12-31T23:59:59.999-03:00');
  expect(read('2018-11-04T02:59:59Z')).toBe('2018-11-03T23:59:59.000-03:00');
  expect(read('2018-11-04T03:00:00Z')).toBe('2018-11-04T01:00:00.000-02:00');
});
