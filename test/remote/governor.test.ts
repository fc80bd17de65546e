/** The pause after an error of a remote (contract section 18). */
import { expect, test } from 'bun:test';
import { HOUR_MS, SECOND_MS, TestClock } from '../../src/clock.ts';
import { Governor, endOfFullHour } from '../../src/remote/wire/governor.ts';

const NOW = Date.parse('2026-01-15T12:00:00Z');
const FIRST_MS = 5 * SECOND_MS;

const NOT_USED = undefined as never;

/** A governor without storage: these tests only read times. */
const governor = () => new Governor(NOT_USED, NOT_USED, new TestClock(NOW), 1);

test.each([
  ['120', 120 * SECOND_MS],
  ['Thu, 15 Jan 2026 12:07:00 GMT', 420 * SECOND_MS],
  ['Thu, 15 Jan 2026 11:00:00 GMT', FIRST_MS],
  ['0', FIRST_MS],
  ['3600', HOUR_MS],
  ['3601', HOUR_MS],
  ['9'.repeat(400), HOUR_MS],
  ['Wed, 31 Dec 2100 23:59:59 GMT', HOUR_MS],
  ['Sat, 01 Jan 2101 00:00:00 GMT', FIRST_MS],
  ['Fri, 31 Dec 1999 23:59:59 GMT', FIRST_MS],
  ['1e300', FIRST_MS],
  ['-5', FIRST_MS],
  ['logo', FIRST_MS],
  [undefined, FIRST_MS],
])('Retry-After: %s', (retryAfter, waitMs) => {
  expect(governor().endOfWait(retryAfter) - NOW).toBe(waitMs);
});

test('without Retry-After the wait doubles each time, up to five minutes, until the remote answers again', () => {
  const one = governor();
  const waits = Array.from({ length: 8 }, () => (one.endOfWait(undefined) - NOW) / SECOND_MS);
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
  one.resetFailures();
  expect(one.endOfWait(undefined) - NOW).toBe(FIRST_MS);
});

test.each([
  ['10:59:59', '11:01:00'],
  ['11:00:00', '11:01:00'],
  ['11:00:01', '11:01:01'],
  ['11:04:59', '11:05:59'],
])('a limit that is full until 11:00 (Brasília), received at %s, pauses until %s', (answeredAt, end) => {
  const at = (time: string) => Date.parse(`2026-01-15T${time}-03:00`);
  expect(endOfFullHour('11:00', at(answeredAt))).toBe(at(end));
});

test('a time in the distant past pauses until the end of the day, and midnight is not in the past', () => {
  const at = (moment: string) => Date.parse(`${moment}-03:00`);
  expect(endOfFullHour('11:00', at('2026-01-15T11:05:00'))).toBe(at('2026-01-16T00:01:00'));
  expect(endOfFullHour('00:00', at('2026-01-15T23:59:59'))).toBe(at('2026-01-16T00:01:00'));
  expect(endOfFullHour('00:00', at('2026-01-16T00:00:01'))).toBe(at('2026-01-16T00:01:01'));
});
