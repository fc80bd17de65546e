/** The clock of the machine: timers fire soon after their time, also after a change of the clock. */
import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { HOUR_MS, SystemClock } from '../src/clock.ts';

afterEach(() => void setSystemTime());

test('a timer fires soon after the clock was set forward, as after a sleep', async () => {
  const clock = new SystemClock(5);
  const start = clock.now();
  const when = start + HOUR_MS;
  const done = new Promise<number>((resolve) => {
    clock.at(when, () => resolve(clock.now()));
  });
  setSystemTime(when - 1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  setSystemTime(when);
  expect(await done).toBeGreaterThanOrEqual(when);
});

test('a cancelled timer does not fire, and no timer fires inside the call', async () => {
  const clock = new SystemClock(1);
  const done: string[] = [];
  clock.at(clock.now(), () => done.push('cancelled')).cancel();
  const second = new Promise<void>((resolve) => {
    clock.at(clock.now(), () => {
      done.push('due');
      resolve();
    });
  });
  expect(done).toEqual([]);
  await second;
  expect(done).toEqual(['due']);
});
