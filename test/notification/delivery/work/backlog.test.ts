/**
 * The pending deliveries of a deleted subscription are cancelled in small transactions, and none is sent
 * (contract section 10).
 */
import { expect, test } from 'bun:test';
import { CANCEL_SLICE } from '../../../../src/notification/subscription/backlog.ts';
import { type TestApp, openApp } from '../../../support/app.ts';
import { openReceiver } from '../../../support/receiver.ts';
import { deliverTo } from './support.ts';

const ENDPOINT = 'https://erp.exemplo/a';
const PENDING = 2 * CANCEL_SLICE + 1;

/** Inserts deliveries: half of them wait for their first attempt, half for a retry. */
function insertDeliveries({ app }: TestApp, subscriptionId: number): void {
  const { db } = app.core;
  db.exec(`INSERT INTO event (evento, destinatario_tipo, destinatario_id, conteudo, published_at)
    VALUES ('x', 'CNPJ', '12345678', '{}', 0)`);
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${PENDING})
    INSERT INTO delivery (event_id, subscription_id, state, attempt_count, next_attempt_at)
    SELECT (SELECT max(id) FROM event), ${subscriptionId}, 'pending', i % 2, 4102444800000 FROM n`);
}

const states = ({ app }: TestApp): unknown =>
  app.core.db.prepare('SELECT state, count(*) FROM delivery GROUP BY state').raw().all();

test('a deletion cancels its pending deliveries in slices', async () => {
  await using receiver = await openReceiver();
  await using at = await deliverTo({ 'erp.exemplo': receiver });
  const id = await at.subscribe(ENDPOINT);
  const { db, writer } = at.server.app.core;
  const total = db.prepare<[], number>('SELECT total_changes()').pluck();
  const changes: number[] = [];
  const write = writer.write.bind(writer);
  writer.write = (work) =>
    write((tx) => {
      const before = total.get() ?? 0;
      const result = work(tx);
      changes.push((total.get() ?? 0) - before);
      return result;
    });
  insertDeliveries(at.server, id);
  expect((await at.demo.call('DELETE', `/portal/api/ext/webhook/${id}`)).status).toBe(204);
  await at.quiet();
  expect(states(at.server)).toEqual([['cancelled', PENDING]]);
  // Two more rows: the subscription itself, and the mark of the completed cancellation.
  expect(Math.max(...changes)).toBeLessThanOrEqual(CANCEL_SLICE + 2);
  expect(receiver.requests).toHaveLength(0);
});

test('those that a stop left are cancelled after the next start, and not sent', async () => {
  await using receiver = await openReceiver();
  await using at = await deliverTo({ 'erp.exemplo': receiver });
  const id = await at.subscribe(ENDPOINT);
  // The state after the transaction of the deletion, if the process is killed before the next one.
  at.server.app.core.db.exec(`UPDATE subscription SET deleted_at = 1, cancelling = 1 WHERE id = ${id}`);
  insertDeliveries(at.server, id);
  await at.server.close({ keepFolder: true });
  const restarted = await openApp({ folder: at.server.folder });
  try {
    await restarted.app.core.notification.backlog.runOnce();
    expect(states(restarted)).toEqual([['cancelled', PENDING]]);
    expect(restarted.app.core.db.prepare('SELECT cancelling FROM subscription').pluck().all()).toEqual([0]);
    expect(receiver.requests).toHaveLength(0);
  } finally {
    await restarted.close({ keepFolder: true });
  }
});
