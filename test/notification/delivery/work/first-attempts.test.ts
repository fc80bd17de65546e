/** Prefetched deliveries: none may be lost, duplicated or sent to an outdated endpoint. */
import { expect, test } from 'bun:test';
import Database from 'better-sqlite3';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DELIVERY_DEADLINE_MS } from '../../../../src/notification/delivery/send/sender.ts';
import { HandTime } from '../../../support/real-time.ts';
import { openReceiver } from '../../../support/receiver.ts';
import { EVENTO, deliverTo } from './support.ts';

/** More than one batch of a prefetch. */
const MANY = 150;

/** More than one read returns. */
const THOUSANDS = 5000;

const ONE_AT_A_TIME = { 'entrega.porReceptor': '1', 'entrega.repeticoes': 'none' };

test('a long queue is processed in order, each delivery once, despite deliveries that are added meanwhile', async () => {
  await using receiver = await openReceiver({ kept: 2 * MANY });
  await using at = await deliverTo({ 'erp.exemplo': receiver }, { settings: ONE_AT_A_TIME });
  await at.subscribe('https://erp.exemplo/');
  await Promise.all(Array.from({ length: MANY }, () => at.publish({})));
  for (let n = 0; n < MANY; n += 1) await at.publish({ n });
  for (let received = 0; received < 2 * MANY; received += 1) await receiver.next();
  await at.quiet();
  const ordered = receiver.requests.map(({ body }) => body).slice(MANY);
  expect(ordered).toEqual(Array.from({ length: MANY }, (_, n) => JSON.stringify({ n })));
  expect(receiver.requests).toHaveLength(2 * MANY);
});

test('a waiting delivery is sent to the endpoint that its subscription has by then', async () => {
  await using hanging = await openReceiver({ script: 'hang' });
  await using moved = await openReceiver();
  const receivers = { 'antes.exemplo': hanging, 'depois.exemplo': moved };
  const app = { parts: { realTime: new HandTime() } };
  await using at = await deliverTo(receivers, { app, settings: ONE_AT_A_TIME });
  const id = await at.subscribe('https://antes.exemplo/');
  await at.publish({ n: 1 });
  await hanging.next();
  await at.publish({ n: 2 });
  await at.publish({ n: 3 });
  // No delivery waits for a slot of the former address.
  const body = { id, evento: EVENTO, endpoint: 'https://depois.exemplo/' };
  expect((await at.demo.call('PUT', `/portal/api/ext/webhook/${id}`, body)).status).toBe(200);
  expect([(await moved.next()).body, (await moved.next()).body]).toEqual(['{"n":2}', '{"n":3}']);
});

test('a delivery behind thousands of another receiver is found, also after a restart', async () => {
  await using hanging = await openReceiver({ script: 'hang' });
  await using healthy = await openReceiver();
  const receivers = { 'mudo.exemplo': hanging, 'erp.exemplo': healthy };
  const before = await deliverTo(receivers);
  const { folder } = before.server;
  const mute = await before.subscribe('https://mudo.exemplo/', { evento: 'a' });
  const prompt = await before.subscribe('https://erp.exemplo/', { evento: 'b' });
  await before.server.close({ keepFolder: true });
  const file = new Database(join(folder, 'catp.sqlite'));
  file.exec(`INSERT INTO event (evento, destinatario_tipo, destinatario_id, conteudo, published_at)
    VALUES ('a', 'CNPJ', '12345678', '{}', 0);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${THOUSANDS})
    INSERT INTO delivery (event_id, subscription_id, state, next_attempt_at)
    SELECT 1, iif(i < ${THOUSANDS}, ${mute}, ${prompt}), 'pending', 0 FROM n`);
  file.close();
  await using _ = await deliverTo(receivers, { app: { folder } });
  await healthy.next();
  expect(healthy.requests).toHaveLength(1);
  rmSync(folder, { recursive: true, force: true });
});

test('a failed replay before the first attempt leaves the first attempt due', async () => {
  const time = new HandTime();
  await using receiver = await openReceiver({ script: 'hang,500,200' });
  await using at = await deliverTo(
    { 'erp.exemplo': receiver },
    { app: { parts: { realTime: time } }, settings: ONE_AT_A_TIME },
  );
  await at.subscribe('https://erp.exemplo/');
  await at.publish({ n: 1 });
  await receiver.next();
  await at.publish({ n: 2 });
  const waiting = (await at.deliveries()).find(({ attempts }) => attempts.length === 0);
  const replay = await at.admin.call('POST', `/appliance/api/deliveries/${waiting?.id}/replay`);
  expect(replay.status).toBe(200);
  time.pass(DELIVERY_DEADLINE_MS);
  expect([(await receiver.next()).body, (await receiver.next()).body]).toEqual(['{"n":2}', '{"n":2}']);
});
