/** Jobs run when they are due by the clock of catp, once each, and a failed one is reported and retried. */
import { describe, expect, test } from 'bun:test';
import {
  type Clock,
  DAY_MS,
  type EpochMs,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  TestClock,
  type Timer,
} from '../../src/clock.ts';
import type { Job } from '../../src/jobs/model.ts';
import { Scheduler } from '../../src/jobs/scheduler.ts';

/** 2026-01-15 09:00 in Brasília. */
const START = Date.parse('2026-01-15T12:00:00Z');
/** 03:10 in Brasília is 06:10 in Greenwich. */
const NIGHTLY = '10 3 * * *';
const FIRST_NIGHT = Date.parse('2026-01-16T06:10:00Z');

function open(clock: Clock, changes: readonly Partial<Job>[] = [{}]) {
  const outcomes: string[] = [];
  const jobs = changes.map((change, index) => ({
    name: `job${index}`,
    about: 'Faz algo.',
    pattern: NIGHTLY,
    atStart: false,
    runOnce: () => ({ at: clock.now() }),
    ...change,
  }));
  const scheduler = new Scheduler(
    jobs,
    clock,
    ({ name }, result) => outcomes.push(`${name} ${JSON.stringify(result)}`),
    ({ name }, error) => outcomes.push(`${name} failed: ${String(error)}`),
  );
  return { scheduler, outcomes };
}

describe('on a manual clock', () => {
  test('nothing runs a millisecond before it is due', async () => {
    const clock = new TestClock(START);
    const { scheduler, outcomes } = open(clock);
    expect(scheduler.nextDueAt()).toBe(FIRST_NIGHT);
    clock.moveTo(FIRST_NIGHT - 1);
    await scheduler.runDue();
    expect(outcomes).toEqual([]);
    clock.moveTo(FIRST_NIGHT);
    await scheduler.runDue();
    expect(outcomes).toEqual([`job0 {"at":${FIRST_NIGHT}}`]);
    expect(scheduler.nextDueAt()).toBe(FIRST_NIGHT + DAY_MS);
  });

  test('a job that was due several times runs once', async () => {
    const clock = new TestClock(START);
    const { scheduler, outcomes } = open(clock);
    clock.moveTo(START + 30 * DAY_MS);
    await scheduler.runDue();
    await scheduler.runDue();
    expect(outcomes).toHaveLength(1);
  });

  test('a clock that is put back or forward neither stops a job nor runs it twice', async () => {
    // 2019-02-17 00:00 became 23:00 of the day before; 2018-11-04 00:00 became 01:00.
    const cases = [
      { from: '2019-02-16T22:00:00-02:00', pattern: '30 23 * * *', due: '2019-02-16T23:30:00-03:00' },
      { from: '2019-02-16T23:10:00-03:00', pattern: '30 23 * * *', due: '2019-02-16T23:30:00-03:00' },
      { from: '2018-11-03T12:00:00-03:00', pattern: '30 0 * * *', due: '2018-11-04T01:30:00-02:00' },
    ];
    for (const { from, pattern, due } of cases) {
      const clock = new TestClock(Date.parse(from));
      const { scheduler, outcomes } = open(clock, [{ pattern }]);
      expect(scheduler.nextDueAt()).toBe(Date.parse(due));
      clock.moveTo(Date.parse(due));
      await scheduler.runDue();
      await scheduler.runDue();
      expect(outcomes).toHaveLength(1);
    }
  });

  test('a failing job is reported, keeps its schedule and delays no other', async () => {
    const clock = new TestClock(START);
    const fails = (): object => {
      throw new Error('disk');
    };
    const { scheduler, outcomes } = open(clock, [{ runOnce: fails }, {}]);
    for (const night of [FIRST_NIGHT, FIRST_NIGHT + DAY_MS]) {
      clock.moveTo(night);
      await scheduler.runDue();
    }
    expect(outcomes.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'job0 failed:',
      expect.stringMatching(/^job1 /),
      'job0 failed:',
      expect.stringMatching(/^job1 /),
    ]);
  });

  test('a start creates no timer, and runs the jobs of the start', async () => {
    const clock = new TestClock(START);
    const { scheduler, outcomes } = open(clock, [{ atStart: true }, {}]);
    scheduler.start();
    await scheduler.stop();
    expect(outcomes).toEqual([`job0 {"at":${START}}`]);
    expect(clock.nextTimer()).toBeUndefined();
  });

  test('after a clock was put back, the jobs of repeated days are due again', async () => {
    const clock = new TestClock(START);
    const { scheduler, outcomes } = open(clock);
    clock.moveTo(START + 30 * DAY_MS);
    await scheduler.runDue();
    clock.moveTo(START);
    expect(scheduler.nextDueAt()).toBe(FIRST_NIGHT);
    await scheduler.runDue();
    expect(outcomes).toHaveLength(1);
    clock.moveTo(FIRST_NIGHT);
    await scheduler.runDue();
    expect(outcomes).toEqual([expect.any(String), `job0 {"at":${FIRST_NIGHT}}`]);
    expect(scheduler.nextDueAt()).toBe(FIRST_NIGHT + DAY_MS);
  });

  test('without jobs nothing is due', () => {
    expect(open(new TestClock(START), []).scheduler.nextDueAt()).toBeUndefined();
  });
});

/** The clock of a running server, moved by the test: its timers fire automatically. */
class RunningClock implements Clock {
  readonly test = false;
  readonly #inner = new TestClock(START);
  now(): EpochMs {
    return this.#inner.now();
  }
  at(when: EpochMs, work: () => void): Timer {
    return this.#inner.at(when, work);
  }
  moveTo(instant: EpochMs): void {
    this.#inner.moveTo(instant);
  }
  get nextTimer(): EpochMs | undefined {
    return this.#inner.nextTimer();
  }
}

/** Waits for the end of started work. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Starts the scheduler, and passes the second until its first check of the jobs. */
function begin(scheduler: Scheduler, clock: RunningClock): void {
  scheduler.start();
  clock.moveTo(START + SECOND_MS);
}

describe('on a running clock', () => {
  test('a job runs when it is due, and waits for its next time after its end', async () => {
    const clock = new RunningClock();
    const { scheduler, outcomes } = open(clock);
    begin(scheduler, clock);
    expect(clock.nextTimer).toBe(FIRST_NIGHT);
    clock.moveTo(FIRST_NIGHT);
    await settled();
    expect(outcomes).toHaveLength(1);
    expect(clock.nextTimer).toBe(FIRST_NIGHT + DAY_MS);
    await scheduler.stop();
    expect(clock.nextTimer).toBeUndefined();
  });

  test('a job never runs concurrently with itself', async () => {
    const clock = new RunningClock();
    const running = Promise.withResolvers<object>();
    const { scheduler, outcomes } = open(clock, [{ pattern: '* * * * *', runOnce: () => running.promise }]);
    begin(scheduler, clock);
    clock.moveTo(START + MINUTE_MS);
    await settled();
    expect(clock.nextTimer).toBeUndefined();
    clock.moveTo(START + HOUR_MS);
    running.resolve({});
    await settled();
    expect(outcomes).toHaveLength(1);
    expect(clock.nextTimer).toBe(START + HOUR_MS + MINUTE_MS);
    await scheduler.stop();
  });

  test('no job is checked before the first second is over, nor after an earlier stop', async () => {
    const clock = new RunningClock();
    const { scheduler, outcomes } = open(clock, [{ atStart: true }]);
    scheduler.start();
    clock.moveTo(START + SECOND_MS - 1);
    await settled();
    expect([outcomes.length, clock.nextTimer]).toEqual([0, START + SECOND_MS]);
    clock.moveTo(START + SECOND_MS);
    await settled();
    expect(outcomes).toHaveLength(1);

    const stopped = open(clock, [{ atStart: true }]);
    stopped.scheduler.start();
    await stopped.scheduler.stop();
    clock.moveTo(START + 2 * SECOND_MS);
    await settled();
    expect(stopped.outcomes).toHaveLength(0);
    await scheduler.stop();
  });

  test('a stop waits for running jobs, and starts none after it', async () => {
    const clock = new RunningClock();
    const running = Promise.withResolvers<object>();
    const { scheduler, outcomes } = open(clock, [{ runOnce: () => running.promise }]);
    begin(scheduler, clock);
    clock.moveTo(FIRST_NIGHT);
    let isStopped = false;
    const stopped = scheduler.stop().then(() => (isStopped = true));
    await settled();
    expect(isStopped).toBe(false);
    running.resolve({});
    await stopped;
    await settled();
    expect(outcomes).toHaveLength(1);
    expect(clock.nextTimer).toBeUndefined();
  });
});
