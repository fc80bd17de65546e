/** A replay from the request to the receiver (contract sections 10 and 13). */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, openApp } from '../../../support/app.ts';
import { openReceiver, testAuthority } from '../../../support/receiver.ts';
import { EVENTO, subscribed } from '../../support.ts';

const DELIVERIES = '/appliance/api/deliveries';

/** The clock answers after the due work has run. */
const settle = (admin: Client) => admin.call('POST', '/appliance/api/clock', { advance: 'PT1S' });

test('a failed delivery is tried once more for each replay, and not repeated', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'catp-replay-'));
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, (await testAuthority()).pem);
  await using receiver = await openReceiver({ script: '500,500,200' });
  const server = await openApp({
    settings: {
      'entrega.mapa': `erp.exemplo:443=127.0.0.1:${receiver.port}`,
      'entrega.ca': ca,
      'entrega.repeticoes': 'none',
    },
  });
  const admin = await server.as('admin');
  await subscribed(await server.as('demo'), { endpoint: 'https://erp.exemplo/' });
  const conteudo = { a: 1 };
  const recipient = { destinatarioTipo: 'CPF', destinatarioId: '00000000191' };
  await admin.call('POST', '/appliance/api/events', { evento: EVENTO, ...recipient, conteudo });

  const states: unknown[] = [];
  const look = async (): Promise<void> => {
    await settle(admin);
    const [{ state, attempts, nextAttemptAt }] = (await admin.call('GET', DELIVERIES)).json;
    states.push([state, attempts.map(({ status }: { status: number }) => status), nextAttemptAt]);
  };
  await look();
  for (let replay = 0; replay < 3; replay += 1) {
    expect((await admin.call('POST', `${DELIVERIES}/1/replay`)).json).toMatchObject({
      id: 1,
      state: 'pending',
    });
    await look();
  }
  await server.close();
  rmSync(folder, { recursive: true });

  expect(states).toEqual([
    ['failed', [500], null],
    ['failed', [500, 500], null],
    ['delivered', [500, 500, 200], null],
    ['delivered', [500, 500, 200, 200], null],
  ]);
  expect(receiver.requests.map(({ body }) => body)).toEqual(Array(4).fill(JSON.stringify(conteudo)));
});

test('each delivery that failed since an instant is tried once more, and no earlier one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'catp-replay-'));
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, (await testAuthority()).pem);
  await using receiver = await openReceiver({ script: '500*3,200' });
  const server = await openApp({
    settings: {
      'entrega.mapa': `erp.exemplo:443=127.0.0.1:${receiver.port}`,
      'entrega.ca': ca,
      'entrega.repeticoes': 'none',
    },
  });
  const admin = await server.as('admin');
  await subscribed(await server.as('demo'), { endpoint: 'https://erp.exemplo/' });
  const publish = async (conteudo: object): Promise<void> => {
    const recipient = { destinatarioTipo: 'CPF', destinatarioId: '00000000191' };
    await admin.call('POST', '/appliance/api/events', { evento: EVENTO, ...recipient, conteudo });
    await settle(admin);
  };
  await publish({ n: 1 });
  await admin.call('POST', '/appliance/api/clock', { advance: 'PT1M' });
  const now = new Date(server.clock.now()).toISOString();
  await publish({ n: 2 });
  await publish({ n: 3 });

  expect((await admin.call('POST', `${DELIVERIES}/replay`, { since: 'ontem' })).status).toBe(400);
  const reply = await admin.call('POST', `${DELIVERIES}/replay`, { since: now });
  expect(reply.json).toEqual({ replayed: 2 });
  await settle(admin);
  const states = (await admin.call('GET', DELIVERIES)).json.map(({ state }: { state: string }) => state);
  await server.close();
  rmSync(folder, { recursive: true });

  expect(states).toEqual(['delivered', 'delivered', 'failed']);
});
