/**
 * One slow or dead receiver never delays another (contract section 10). The tests check the order: the
 * deadline of a hanging request ends only on command, so a delivery that waited for it would never end.
 */
import { expect, test } from 'bun:test';
import { DELIVERY_DEADLINE_MS } from '../../../../src/notification/delivery/send/sender.ts';
import type { Receiver } from '../../../../src/receiver/receiver.ts';
import { HandTime } from '../../../support/real-time.ts';
import { openReceiver } from '../../../support/receiver.ts';
import { deliverTo } from './support.ts';

const HANGING = 5;
const HEALTHY = 20;
const EVENTS = 5;

const standingTime = () => {
  const time = new HandTime();
  return {
    app: { parts: { realTime: time } },
    /** Ends the deadline of every running request. */
    timeOut: () => time.pass(DELIVERY_DEADLINE_MS),
  };
};

test('if a fifth of the receivers hangs, the others are not delayed, even with few slots', async () => {
  let startedRequests = 0;
  // Each has its own address: together they could take all slots.
  await using addresses = new AsyncDisposableStack();
  const hanging: Receiver[] = [];
  for (let i = 0; i < HANGING; i += 1)
    hanging.push(
      addresses.use(await openReceiver({ script: 'hang', onReceived: () => (startedRequests += 1) })),
    );
  await using healthy = await openReceiver();
  const hosts = Array.from({ length: HANGING + HEALTHY }, (_, i) => `h${i}.exemplo`);
  const receivers = hosts.map((host, i) => [host, hanging[i] ?? healthy] as const);
  const { app, timeOut } = standingTime();
  await using at = await deliverTo(Object.fromEntries(receivers), {
    app,
    settings: { 'entrega.simultaneas': '12', 'entrega.porReceptor': '6' },
  });
  const evento = (i: number): string => `evento-${i}`;
  for (const [i, host] of hosts.entries()) await at.subscribe(`https://${host}/`, { evento: evento(i) });
  for (let n = 0; n < EVENTS; n++) for (const i of hosts.keys()) await at.publish({ n }, evento(i));
  for (let received = 0; received < HEALTHY * EVENTS; received++) await healthy.next();
  // Each healthy receiver got each of its events once. Some requests to hanging receivers began, and none
  // ended.
  expect(healthy.requests.length).toBe(HEALTHY * EVENTS);
  expect(startedRequests).toBeGreaterThan(0);
  const timedOut = async (): Promise<number> =>
    (await at.deliveries()).filter(({ attempts }) => attempts.some(({ outcome }) => outcome === 'timeout'))
      .length;
  expect(await timedOut()).toBe(0);
  // After their deadline the other deliveries to hanging receivers begin.
  const before = startedRequests;
  timeOut();
  while ((await timedOut()) < before) await new Promise((resolve) => setImmediate(resolve));
});

test('a prompt subscription is served although another one on the same address hangs, with more deliveries than slots', async () => {
  const started: string[] = [];
  await using receiver = await openReceiver({
    script: '200,hang',
    onReceived: ({ path }) => started.push(path),
  });
  const { app } = standingTime();
  await using at = await deliverTo(
    { 'erp.exemplo': receiver },
    { app, settings: { 'entrega.porReceptor': '4' } },
  );
  await at.subscribe('https://erp.exemplo/hangs', { evento: 'a' });
  await at.subscribe('https://erp.exemplo/answers', { evento: 'b' });
  await at.publish({}, 'b');
  await at.quiet(); // the worker has recorded that it answers
  // More events than slots: a receiver that took all slots would keep them forever.
  for (let n = 0; n < 6; n += 1) await at.publish({ n }, 'a');
  await at.publish({}, 'b');
  for (let received = 0; received < 4; received += 1) await receiver.next();
  expect(started.toSorted()).toEqual(['/answers', '/answers', '/hangs', '/hangs']);
});
