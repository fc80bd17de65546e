/** Automatic deletion (specification, Events rule 5; contract section 10). */
import { describe, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '../../../src/clock.ts';
import { isDelinquent } from '../../../src/notification/delinquency/model.ts';
import { openReceiver } from '../../support/receiver.ts';
import { deliverTo, type Delivering } from '../delivery/work/support.ts';

const NOW = 1_000 * DAY_MS;
const MONTH_MS = 30 * DAY_MS;
const failing = (forMs: number, lastMs: number) => ({
  failingSince: NOW - forMs,
  lastFailureAt: NOW - lastMs,
});

describe('a subscription is not to be deleted', () => {
  test('a millisecond before it has failed for 30 days of 24 hours', () => {
    expect(isDelinquent(failing(MONTH_MS - 1, 0), NOW)).toBe(false);
    expect(isDelinquent(failing(MONTH_MS, 0), NOW)).toBe(true);
  });

  test('without recent attempts: a millisecond after its last failure is 24 hours old', () => {
    expect(isDelinquent(failing(MONTH_MS, 24 * HOUR_MS + 1), NOW)).toBe(false);
    expect(isDelinquent(failing(MONTH_MS, 24 * HOUR_MS), NOW)).toBe(true);
    expect(isDelinquent({ failingSince: NOW - MONTH_MS, lastFailureAt: null }, NOW)).toBe(false);
  });
});

const ENDPOINT = 'https://erp.exemplo/a';
const REASON = 'Exclusão automática: somente erros de entrega nos últimos 30 dias.';
const NO_REPEATS = { settings: { 'entrega.repeticoes': 'none' } };

/** One event a day, so that a failure is always less than 24 hours old. */
async function publishDaily(at: Delivering, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    await at.publish({ day });
    await at.advance('P1D');
  }
}

async function subscription(
  at: Delivering,
): Promise<{ dataExclusao: string | null; motivoExclusao: string | null }> {
  const reply = await at.demo.call('GET', '/portal/api/ext/webhook?exibirInativos=true');
  const [listed] = reply.json as { dataExclusao: string | null; motivoExclusao: string | null }[];
  if (listed === undefined) throw new Error('there is no subscription');
  return listed;
}

test('failing for 30 days ends a subscription, with its reason, and cancels what is pending', async () => {
  await using receiver = await openReceiver({ script: '500' });
  await using at = await deliverTo(
    { 'erp.exemplo': receiver },
    { settings: { 'entrega.repeticoes': '12h,240h' } },
  );
  await at.subscribe(ENDPOINT);
  await publishDaily(at, 29);
  expect((await subscription(at)).dataExclusao).toBeNull();
  await publishDaily(at, 2);
  expect(await subscription(at)).toMatchObject({ motivoExclusao: REASON, dataExclusao: expect.any(String) });
  expect(await at.deliveries('state=pending')).toEqual([]);
  expect((await at.deliveries('state=cancelled')).length).toBeGreaterThan(0);
  const before = receiver.requests.length;
  await at.advance('P20D');
  expect(receiver.requests).toHaveLength(before);
});

test('one success in 30 days keeps a subscription', async () => {
  await using receiver = await openReceiver({ script: '500*10,200,500' });
  await using at = await deliverTo({ 'erp.exemplo': receiver }, NO_REPEATS);
  await at.subscribe(ENDPOINT);
  await publishDaily(at, 35);
  expect((await subscription(at)).dataExclusao).toBeNull();
});

test('a month without events keeps a subscription that failed once; the next failure ends it', async () => {
  await using receiver = await openReceiver({ script: '500' });
  await using at = await deliverTo({ 'erp.exemplo': receiver }, NO_REPEATS);
  await at.subscribe(ENDPOINT);
  await at.publish({ n: 1 });
  await at.advance('P31D');
  expect((await subscription(at)).dataExclusao).toBeNull();
  await at.publish({ n: 2 });
  await at.quiet();
  expect((await subscription(at)).motivoExclusao).toBe(REASON);
});

test('a change of endpoint restarts the 30 days', async () => {
  await using receiver = await openReceiver({ script: '500' });
  await using at = await deliverTo({ 'erp.exemplo': receiver }, NO_REPEATS);
  const id = await at.subscribe(ENDPOINT);
  await at.publish({ n: 1 });
  await at.advance('P31D');
  const change = { id, evento: 'duex-historico', endpoint: 'https://erp.exemplo/b' };
  expect((await at.demo.call('PUT', `/portal/api/ext/webhook/${id}`, change)).status).toBe(200);
  await at.publish({ n: 2 });
  await at.quiet();
  expect((await subscription(at)).dataExclusao).toBeNull();
});
