/** A deleted subscription receives nothing after the commit of its deletion (contract section 10). */
import { describe, expect, test } from 'bun:test';
import { openRawTcp } from '../../../support/delivery.ts';
import { openReceiver } from '../../../support/receiver.ts';
import { deliverTo, EVENTO } from './support.ts';

const ENDPOINT = 'https://erp.exemplo/a';

describe('a deleted subscription', () => {
  test('gets no repeat of a failed delivery', async () => {
    await using receiver = await openReceiver({ script: '500,200' });
    await using at = await deliverTo(
      { 'erp.exemplo': receiver },
      { settings: { 'entrega.repeticoes': '60s' } },
    );
    const id = await at.subscribe(ENDPOINT);
    await at.publish({ n: 1 });
    await at.quiet();
    expect((await at.demo.call('DELETE', `/portal/api/ext/webhook/${id}`)).status).toBe(204);
    await at.advance('P2D');
    expect(receiver.requests).toHaveLength(1);
    expect(await at.deliveries()).toMatchObject([{ state: 'cancelled', nextAttemptAt: null }]);
  });

  test('gets nothing of a later event', async () => {
    await using receiver = await openReceiver();
    await using at = await deliverTo({ 'erp.exemplo': receiver });
    const id = await at.subscribe(ENDPOINT);
    await at.demo.call('DELETE', `/portal/api/ext/webhook/${id}`);
    expect(await at.publish({ n: 1 })).toBe(0);
    await at.quiet();
    expect(receiver.requests).toHaveLength(0);
  });

  test('has a request in flight withdrawn before it is sent', async () => {
    const [connected, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // Never answers the TLS handshake.
    await using receiver = await openRawTcp((socket) => {
      socket.resume();
      socket.once('close', () => closed.resolve());
      connected.resolve();
    });
    await using at = await deliverTo({ 'erp.exemplo': receiver });
    const id = await at.subscribe(ENDPOINT);
    await at.publish({ n: 1 });
    await connected.promise;
    await at.demo.call('DELETE', `/portal/api/ext/webhook/${id}`);
    await closed.promise;
    await at.quiet();
    // This is no failure of the receiver: its deadline had not passed.
    expect(await at.deliveries()).toMatchObject([{ state: 'cancelled', attempts: [] }]);
    expect(await at.failures()).toEqual([]);
  });

  test('stays deleted when an attempt in flight succeeds', async () => {
    await using receiver = await openReceiver({ script: '200' });
    await using at = await deliverTo({ 'erp.exemplo': receiver });
    const id = await at.subscribe(ENDPOINT);
    await at.publish({ n: 1 });
    await receiver.next();
    await at.demo.call('DELETE', `/portal/api/ext/webhook/${id}`);
    await at.quiet();
    const listed = (await at.demo.call('GET', '/portal/api/ext/webhook?exibirInativos=true')).json;
    expect(listed).toMatchObject([{ id, motivoExclusao: 'Exclusão solicitada pelo usuário.' }]);
  });
});

test('another subscription of the same user and endpoint goes on', async () => {
  await using receiver = await openReceiver();
  await using at = await deliverTo({ 'erp.exemplo': receiver });
  const id = await at.subscribe(ENDPOINT);
  await at.subscribe(ENDPOINT, { evento: `${EVENTO}-2` });
  await at.demo.call('DELETE', `/portal/api/ext/webhook/${id}`);
  expect(await at.publish({ n: 1 }, `${EVENTO}-2`)).toBe(1);
  expect((await receiver.next()).headers['event-type']).toBe(`${EVENTO}-2`);
});
