/** An event's body keeps all digits of its numbers until delivery (contract section 10). */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { eventCommand } from '../../../src/cli/event.ts';
import { openApp } from '../../support/app.ts';
import { openReceiver, testAuthority } from '../../support/receiver.ts';
import { EVENTO, subscribed } from '../support.ts';

const BODY = '{"valor":1.10,"lista":[0.0000001,12345678901234567890,-0,[1E400]],"texto":"1.10","a":7}';
const EVENTS = '/appliance/api/events';

test('published by the API, and by the command from its flag and from a file, the body is delivered as it was sent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'catp-digits-'));
  const [ca, file] = [join(folder, 'ca.pem'), join(folder, 'corpo.json')];
  writeFileSync(ca, (await testAuthority()).pem);
  writeFileSync(file, `\ufeff${BODY}`);
  await using receiver = await openReceiver({});
  const server = await openApp({
    settings: { 'entrega.mapa': `erp.exemplo:443=127.0.0.1:${receiver.port}`, 'entrega.ca': ca },
  });
  try {
    const admin = await server.as('admin');
    await subscribed(await server.as('demo'), { endpoint: 'https://erp.exemplo/' });
    const recipient = '"destinatarioTipo":"CPF","destinatarioId":"00000000191"';
    const published = await admin.call(
      'POST',
      EVENTS,
      `{"evento":"${EVENTO}",${recipient},"conteudo":${BODY}}`,
    );
    expect([published.status, published.json.deliveries]).toEqual([200, 1]);
    for (const body of [
      ['--conteudo', BODY],
      ['--arquivo', file],
    ])
      await eventCommand().parseAsync(
        ['publish', EVENTO, '--para', 'CPF:00000000191', ...body, '--data', server.folder],
        { from: 'user' },
      );
    await admin.call('POST', '/appliance/api/clock', { advance: 'PT1M' });
    expect(receiver.requests.map(({ body }) => body)).toEqual([BODY, BODY, BODY]);
    const { text } = await admin.call('GET', EVENTS);
    expect(text.split(`"conteudo":${BODY}`).length).toBe(4);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

test('a body that is just a number keeps its digits too', async () => {
  const server = await openApp();
  const admin = await server.as('admin');
  const recipient = '"destinatarioTipo":"CPF","destinatarioId":"00000000191"';
  await admin.call('POST', EVENTS, `{"evento":"a",${recipient},"conteudo":1.10}`);
  expect((await admin.call('GET', EVENTS)).text).toContain('"conteudo":1.10,');
  await server.close();
});
