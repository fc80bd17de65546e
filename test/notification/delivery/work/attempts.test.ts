/** The content and the records of an attempt (contract section 10). */
import { describe, expect, test } from 'bun:test';
import { MINUTE_MS } from '../../../../src/clock.ts';
import { openReceiver } from '../../../support/receiver.ts';
import { deliverTo, EVENTO } from './support.ts';

const ENDPOINT = 'https://erp.exemplo/a';

describe('an attempt that fails', () => {
  test('leaves one failure record with the sent body, and is not repeated without repeats', async () => {
    await using receiver = await openReceiver({ script: '500' });
    await using at = await deliverTo(
      { 'erp.exemplo': receiver },
      { settings: { 'entrega.repeticoes': 'none' } },
    );
    await at.subscribe(ENDPOINT);
    await at.publish({ n: 1 });
    await at.quiet();
    expect(await at.failures()).toMatchObject([{ evento: EVENTO, conteudo: '{"n":1}' }]);
    expect(await at.deliveries()).toMatchObject([{ state: 'failed', nextAttemptAt: null }]);
    await at.advance('P3D');
    expect(receiver.requests).toHaveLength(1);
  });

  test('is repeated after each delay of the setting, not a millisecond earlier, and given up after the last', async () => {
    await using receiver = await openReceiver({ script: '500' });
    const settings = { 'entrega.repeticoes': '60s,10m' };
    await using at = await deliverTo({ 'erp.exemplo': receiver }, { settings });
    await at.subscribe(ENDPOINT);
    await at.publish({ n: 1 });
    for (const [attempts, wait] of [
      [1, MINUTE_MS],
      [2, 10 * MINUTE_MS],
    ] as const) {
      await at.quiet();
      const [delivery] = await at.deliveries();
      const [last] = delivery?.attempts.slice(-1) ?? [];
      const delayMs = Date.parse(delivery?.nextAttemptAt ?? '') - Date.parse(last?.at ?? '');
      // An attempt takes no time of the test clock.
      expect(delayMs).toBe(wait);
      await at.moveTo(delivery?.nextAttemptAt, -1);
      expect(receiver.requests).toHaveLength(attempts);
      await at.moveTo(delivery?.nextAttemptAt);
      expect(receiver.requests).toHaveLength(attempts + 1);
    }
    expect(await at.deliveries()).toMatchObject([{ state: 'failed', nextAttemptAt: null }]);
    expect(await at.failures()).toHaveLength(3);
  });

  test('is repeated on time, also when the clock is moved during the attempt', async () => {
    await using receiver = await openReceiver({ script: '500' });
    await using at = await deliverTo(
      { 'erp.exemplo': receiver },
      { settings: { 'entrega.repeticoes': '1m' } },
    );
    await at.subscribe(ENDPOINT);
    await at.publish({ n: 1 });
    await at.advance('PT1M');
    const [delivery] = await at.deliveries();
    expect(delivery?.attempts.map((attempt) => attempt.at)).toEqual([
      '2026-01-15T09:00:00.000-03:00',
      '2026-01-15T09:01:00.000-03:00',
    ]);
  });

  test('does not delay a later event', async () => {
    await using receiver = await openReceiver({ script: '500,200' });
    await using at = await deliverTo({ 'erp.exemplo': receiver });
    await at.subscribe(ENDPOINT);
    await at.publish({ n: 1 });
    await receiver.next();
    await at.publish({ n: 2 });
    expect((await receiver.next()).body).toBe('{"n":2}');
  });

  test('for a secret that cannot be decrypted is a failure too, and sends nothing', async () => {
    await using receiver = await openReceiver();
    await using at = await deliverTo(
      { 'erp.exemplo': receiver },
      { settings: { 'entrega.repeticoes': 'none' } },
    );
    const id = await at.subscribe(ENDPOINT, { chaveSecreta: 'canario-7' });
    const { writer, db } = at.server.app.core;
    await writer.write(() =>
      db.prepare(`UPDATE subscription SET chave_secreta = x'00' WHERE id = ?`).run(id),
    );
    await at.publish({ n: 1 });
    await at.quiet();
    expect(receiver.requests).toHaveLength(0);
    expect(await at.failures()).toMatchObject([
      { descricao: expect.stringMatching(/falha interna; nada foi enviado/) },
    ]);
    expect(await at.deliveries()).toMatchObject([{ state: 'failed' }]);
  });
});

describe('an attempt that succeeds', () => {
  test('sets dataUltimoSucesso and leaves no failure', async () => {
    await using receiver = await openReceiver();
    await using at = await deliverTo({ 'erp.exemplo': receiver });
    await at.subscribe(ENDPOINT, { chaveSecreta: 's3gredo' });
    await at.publish({ n: 1 });
    const { headers, body } = await receiver.next();
    expect(headers).toMatchObject({
      secret: 's3gredo',
      'event-type': EVENTO,
      'destinatario-tipo': 'CNPJ',
      'destinatario-id': '12345678000195',
    });
    expect(body).toBe('{"n":1}');
    await at.quiet();
    const subscriptions = (await at.demo.call('GET', '/portal/api/ext/webhook')).json;
    expect(subscriptions).toMatchObject([{ dataUltimoSucesso: '15-01-2026 09:00:00' }]);
    expect(await at.failures()).toEqual([]);
  });

  test('sends a Standard Webhooks id that a repeat keeps, if the setting is on', async () => {
    await using receiver = await openReceiver({ script: '500,200' });
    const settings = { 'entrega.standardWebhooks': 'true', 'entrega.repeticoes': '60s' };
    await using at = await deliverTo({ 'erp.exemplo': receiver }, { settings });
    await at.subscribe(ENDPOINT, { chaveSecreta: 's3gredo' });
    await at.publish({ n: 1 });
    await at.quiet();
    await at.advance('PT60S');
    const [first, second] = receiver.requests.map(({ headers }) => headers);
    expect(second?.['webhook-id']).toBe(first?.['webhook-id'] as string);
    expect(second?.['webhook-timestamp']).not.toBe(first?.['webhook-timestamp'] as string);
  });
});

describe('a replay', () => {
  const replay = (at: Awaited<ReturnType<typeof deliverTo>>, id: number) =>
    at.admin.call('POST', `/appliance/api/deliveries/${id}/replay`);

  test('is not repeated when it fails', async () => {
    await using receiver = await openReceiver({ script: '200,500' });
    await using at = await deliverTo(
      { 'erp.exemplo': receiver },
      { settings: { 'entrega.repeticoes': '60s' } },
    );
    await at.subscribe(ENDPOINT);
    await at.publish({ n: 1 });
    await at.quiet();
    const [delivery] = await at.deliveries();
    expect((await replay(at, delivery?.id ?? 0)).status).toBe(200);
    await at.advance('P2D');
    expect(receiver.requests).toHaveLength(2);
    expect(await at.deliveries()).toMatchObject([{ state: 'failed', attempts: [{}, {}] }]);
  });

  test('leaves the planned repeats as they were', async () => {
    await using receiver = await openReceiver({ script: '500' });
    await using at = await deliverTo(
      { 'erp.exemplo': receiver },
      { settings: { 'entrega.repeticoes': '60s' } },
    );
    await at.subscribe(ENDPOINT);
    await at.publish({ n: 1 });
    await at.quiet();
    const [before] = await at.deliveries();
    await replay(at, before?.id ?? 0);
    await at.quiet();
    expect(await at.deliveries()).toMatchObject([{ state: 'pending', nextAttemptAt: before?.nextAttemptAt }]);
    await at.advance('PT2M');
    expect(receiver.requests).toHaveLength(3);
    expect(await at.deliveries()).toMatchObject([{ state: 'failed' }]);
  });

  test('of all that failed since a time leaves earlier ones alone', async () => {
    await using receiver = await openReceiver({ script: '500*2,200' });
    await using at = await deliverTo(
      { 'erp.exemplo': receiver },
      { settings: { 'entrega.repeticoes': 'none' } },
    );
    await at.subscribe(ENDPOINT);
    await at.publish({ n: 1 });
    await at.advance('PT1H');
    const now = at.server.clock.now();
    await at.publish({ n: 2 });
    await at.quiet();
    const { history: deliveryHistory } = at.server.app.core.notification.delivery;
    expect(await deliveryHistory.replayFailedSince(now)).toEqual({ replayed: 1 });
    await at.quiet();
    expect((await at.deliveries()).map(({ state }) => state)).toEqual(['delivered', 'failed']);
  });
});
