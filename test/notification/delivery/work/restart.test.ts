/** A stop or a crash loses no delivery (contract section 10). */
import { expect, test } from 'bun:test';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { TestClock } from '../../../../src/clock.ts';
import { START } from '../../../support/app.ts';
import { openReceiver } from '../../../support/receiver.ts';
import { deliverTo, EVENTO } from './support.ts';

const ENDPOINT = 'https://erp.exemplo/a';

test('an attempt in flight at a stop is repeated after the next start', async () => {
  await using receiver = await openReceiver({ script: 'hang,200' });
  const before = await deliverTo({ 'erp.exemplo': receiver });
  const { folder } = before.server;
  await before.subscribe(ENDPOINT);
  await before.publish({ n: 1 });
  await receiver.next();
  await before.server.close({ keepFolder: true });

  await using after = await deliverTo({ 'erp.exemplo': receiver }, { app: { folder } });
  expect((await receiver.next()).body).toBe('{"n":1}');
  await after.quiet();
  // The abandoned attempt is no failure of the receiver.
  expect(await after.deliveries()).toMatchObject([
    { state: 'delivered', attempts: [{ outcome: 'delivered' }] },
  ]);
  rmSync(folder, { recursive: true, force: true });
});

test('a first attempt does not wait for a clock that was set back', async () => {
  await using receiver = await openReceiver({ script: 'hang,200' });
  const settings = { 'entrega.porReceptor': '1' };
  const before = await deliverTo({ 'erp.exemplo': receiver }, { settings });
  const { folder } = before.server;
  await before.subscribe(ENDPOINT);
  await before.publish({ n: 1 });
  await receiver.next();
  await before.publish({ n: 2 });
  await before.server.close({ keepFolder: true });

  const clock = new TestClock(START - 365 * 24 * 60 * 60 * 1000);
  await using _ = await deliverTo({ 'erp.exemplo': receiver }, { settings, app: { folder, clock } });
  expect([(await receiver.next()).body, (await receiver.next()).body]).toEqual(['{"n":1}', '{"n":2}']);
  rmSync(folder, { recursive: true, force: true });
});

test('a repeat that was due while the machine was off is made at the start', async () => {
  await using receiver = await openReceiver({ script: '500,200' });
  const before = await deliverTo({ 'erp.exemplo': receiver });
  const { folder } = before.server;
  await before.subscribe(ENDPOINT);
  await before.publish({ n: 1 });
  await before.quiet();
  await before.server.close({ keepFolder: true });

  const clock = new TestClock(START + 5 * 60 * 1000);
  await using after = await deliverTo({ 'erp.exemplo': receiver }, { app: { folder, clock } });
  await receiver.next();
  await receiver.next();
  await after.quiet();
  expect(await after.deliveries()).toMatchObject([{ state: 'delivered' }]);
  rmSync(folder, { recursive: true, force: true });
});

test('a repeat is not delayed when the clock is set back', async () => {
  await using receiver = await openReceiver({ script: '500,200' });
  const settings = { 'entrega.repeticoes': '60s' };
  const before = await deliverTo({ 'erp.exemplo': receiver }, { settings });
  const { folder } = before.server;
  await before.subscribe(ENDPOINT);
  await before.publish({ n: 1 });
  await before.quiet();
  await before.server.close({ keepFolder: true });

  const clock = new TestClock(START - 365 * 24 * 60 * 60 * 1000);
  await using after = await deliverTo({ 'erp.exemplo': receiver }, { settings, app: { folder, clock } });
  await receiver.next();
  expect((await receiver.next()).number).toBe(2);
  await after.quiet();
  expect(await after.deliveries()).toMatchObject([{ state: 'delivered' }]);
  rmSync(folder, { recursive: true, force: true });
});

test('an event of another process is delivered without a restart', async () => {
  await using receiver = await openReceiver();
  await using at = await deliverTo({ 'erp.exemplo': receiver });
  const id = await at.subscribe(ENDPOINT);
  const otherConnection = new Database(join(at.server.folder, 'catp.sqlite'));
  otherConnection.transaction(() => {
    otherConnection
      .prepare(
        `INSERT INTO event (evento, destinatario_tipo, destinatario_id, conteudo, published_at)
         VALUES (?, 'CNPJ', '12345678000195', '{"n":9}', ?)`,
      )
      .run(EVENTO, START);
    otherConnection
      .prepare(
        `INSERT INTO delivery (event_id, subscription_id, state, next_attempt_at) VALUES (1, ?, 'pending', ?)`,
      )
      .run(id, START);
  })();
  otherConnection.close();
  expect((await receiver.next()).body).toBe('{"n":9}');
});

test('an outcome that the storage refuses is retried until it is stored, and nothing is sent again', async () => {
  await using receiver = await openReceiver();
  await using at = await deliverTo({ 'erp.exemplo': receiver });
  const { db } = at.server.app.core;
  await at.subscribe(ENDPOINT);
  db.exec(`CREATE TRIGGER refusal BEFORE INSERT ON delivery_attempt BEGIN SELECT raise(ABORT, 'no'); END`);
  await at.publish({ n: 1 });
  await receiver.next();
  await at.publish({ n: 2 });
  await receiver.next();
  db.exec('DROP TRIGGER refusal');
  await at.quiet();
  expect(await at.deliveries()).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
  expect(receiver.requests).toHaveLength(2);
});
