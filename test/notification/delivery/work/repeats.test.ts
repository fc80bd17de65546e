import { expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../../../src/clock.ts';
import { latestRepeatAt, repeatAt } from '../../../../src/notification/delivery/work/repeats.ts';

const NOW = 1_000_000;
const policy = (random: number) => ({ delays: [MINUTE_MS, HOUR_MS], random: () => random });

test('nothing is repeated after the last delay, or without delays', () => {
  expect(repeatAt(policy(0), 3, NOW)).toBeUndefined();
  expect(repeatAt({ delays: [], random: () => 0 }, 1, NOW)).toBeUndefined();
});

test('each failure has its delay, never shortened, and extended by less than a tenth', () => {
  expect(repeatAt(policy(0), 1, NOW)).toBe(NOW + MINUTE_MS);
  expect(repeatAt(policy(0), 2, NOW)).toBe(NOW + HOUR_MS);
  expect(repeatAt(policy(0.5), 1, NOW)).toBe(NOW + 63_000);
  expect(repeatAt(policy(1 - Number.EPSILON), 2, NOW)).toBeLessThanOrEqual(NOW + 1.1 * HOUR_MS);
});

test('no repeat is due later than the longest delay with its full jitter', () => {
  expect(latestRepeatAt(policy(0), NOW)).toBe(NOW + 1.1 * HOUR_MS);
  expect(latestRepeatAt({ delays: [], random: () => 0 }, NOW)).toBe(NOW);
});
