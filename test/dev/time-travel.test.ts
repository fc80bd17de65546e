/** A move of the test clock stops at each due time. */
import { describe, expect, test } from 'bun:test';
import { TestClock } from '../../src/clock.ts';
import { travel } from '../../src/dev/time-travel.ts';
import type { DueWork } from '../../src/jobs/model.ts';

/** Returns work that is due at given instants, and records when it ran. */
function worker(clock: TestClock, due: number[]): DueWork & { readonly done: number[] } {
  const done: number[] = [];
  return {
    done,
    nextDueAt: () => (due.length === 0 ? undefined : Math.min(...due)),
    runDue: async () => {
      await Promise.resolve();
      for (const at of due.filter((one) => one <= clock.now())) {
        due.splice(due.indexOf(at), 1);
        done.push(clock.now());
      }
    },
  };
}

describe('a move of the clock', () => {
  test('backwards runs nothing', async () => {
    const clock = new TestClock(100);
    const one = worker(clock, [50]);
    await travel(clock, 10, [one]);
    expect([clock.now(), one.done]).toEqual([10, []]);
  });

  test('to the current time runs nothing', async () => {
    const clock = new TestClock(100);
    const one = worker(clock, [100]);
    await travel(clock, 100, [one]);
    expect([clock.now(), one.done]).toEqual([100, []]);
  });

  test('runs each work at the instant at which it is due, in order, including its end', async () => {
    const clock = new TestClock(0);
    const one = worker(clock, [30, 10, 100, 101]);
    const secondWorker = worker(clock, [20, 10]);
    await travel(clock, 100, [one, secondWorker]);
    expect([clock.now(), one.done, secondWorker.done]).toEqual([100, [10, 30, 100], [10, 20]]);
  });

  test('runs overdue or due work before it starts', async () => {
    const clock = new TestClock(50);
    const one = worker(clock, [10, 50]);
    await travel(clock, 100, [one]);
    expect(one.done).toEqual([50, 50]);
  });

  test('runs work that was created on the way', async () => {
    const clock = new TestClock(0);
    const due = [10];
    const one = worker(clock, due);
    const makesMore: DueWork = {
      nextDueAt: () => undefined,
      runDue: () => {
        if (clock.now() === 10) due.push(25);
        return Promise.resolve();
      },
    };
    await travel(clock, 100, [one, makesMore]);
    expect(one.done).toEqual([10, 25]);
  });
});
