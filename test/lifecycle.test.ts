/** The order in which the features of a server start and stop. */
import { expect, test } from 'bun:test';
import type { Feature } from '../src/assembly/feature.ts';
import { Lifecycle, closeAll } from '../src/assembly/lifecycle.ts';

/** Returns features that record their calls; those in `held` take until their promise resolves. */
function recorded(names: readonly string[], held: Readonly<Record<string, Promise<void>>> = {}) {
  const calls: string[] = [];
  const record = async (what: string): Promise<void> => {
    calls.push(what);
    await held[what];
  };
  const features = names.map((name): Feature => ({
    prepare: () => record(`prepare ${name}`),
    start: () => record(`start ${name}`),
    stop: (graceMs) => record(`stop ${name} ${graceMs}`),
    close: () => record(`close ${name}`),
  }));
  // A part without a lifecycle may be in the list.
  const lifecycle = new Lifecycle([{}, ...features], {
    start: () => void calls.push('start jobs'),
    stop: () => record('stop jobs'),
  });
  return { lifecycle, calls, features };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('all are prepared one after the other, and started, in the order of the list; the jobs come last', async () => {
  const first = Promise.withResolvers<void>();
  const { lifecycle, calls } = recorded(['a', 'b'], { 'prepare a': first.promise });
  const prepared = lifecycle.prepare();
  await nextTurn();
  expect(calls).toEqual(['prepare a']);
  first.resolve();
  await prepared;
  lifecycle.start();
  expect(calls).toEqual(['prepare a', 'prepare b', 'start a', 'start b', 'start jobs']);
});

test('a feature that cannot be prepared ends the preparation of the next ones', async () => {
  const { lifecycle, calls } = recorded(['a', 'b'], { 'prepare a': Promise.reject(new Error('no')) });
  await expect(lifecycle.prepare()).rejects.toThrow('no');
  expect(calls).toEqual(['prepare a']);
});

test('a stop calls all at once, each with the grace of its step, and waits for none of the jobs', async () => {
  const step = Promise.withResolvers<void>();
  const job = Promise.withResolvers<void>();
  const { lifecycle, calls } = recorded(['a', 'b'], { 'stop a 500': step.promise, 'stop jobs': job.promise });
  let isStopped = false;
  const stopped = lifecycle.stop().then(() => (isStopped = true));
  expect(calls).toEqual(['stop a 500', 'stop b 500', 'stop jobs']);
  await nextTurn();
  expect(isStopped).toBe(false);
  step.resolve();
  await stopped;
  job.resolve();
});

test('a close stops once, closes in reverse order, and only then waits for the interrupted job', async () => {
  const job = Promise.withResolvers<void>();
  const { lifecycle, calls } = recorded(['a', 'b'], { 'stop jobs': job.promise });
  await lifecycle.stop();
  let isClosed = false;
  const closed = lifecycle.close().then(() => (isClosed = true));
  await nextTurn();
  expect(calls).toEqual(['stop a 500', 'stop b 500', 'stop jobs', 'close b', 'close a']);
  expect(isClosed).toBe(false);
  job.resolve();
  await closed;
});

test('a pause stops background work, but not the jobs', async () => {
  const { lifecycle, calls } = recorded(['a', 'b']);
  await lifecycle.pause(async () => void calls.push('work'));
  expect(calls).toEqual(['stop a 0', 'stop b 0', 'work', 'start a', 'start b']);
});

test('a command, which started nothing, closes the features in reverse order', async () => {
  const { calls, features } = recorded(['a', 'b']);
  await closeAll(features);
  expect(calls).toEqual(['close b', 'close a']);
});

test('a failure in a pause does not leave the features stopped', async () => {
  const { lifecycle, calls } = recorded(['a']);
  await expect(lifecycle.pause(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(calls).toEqual(['stop a 0', 'start a']);
});
