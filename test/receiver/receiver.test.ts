import { describe, expect, test } from 'bun:test';
import { display } from '../../src/receiver/display.ts';
import { openSender, REQUEST } from '../support/delivery.ts';
import { openReceiver } from '../support/receiver.ts';

describe('the receiver', () => {
  test('judges the secret: other, absent, right, and not asked', async () => {
    await using asked = await openReceiver({ secret: 'segredo' });
    using opened = await openSender(asked);
    for (const headers of [{ secret: 'segred0' }, { secret: 'segredo ' }, {}, { secret: 'segredo' }]) {
      await opened.sender.send({ ...REQUEST, headers });
    }
    // HTTP itself strips the space at the end of a header.
    expect(asked.requests.map(({ secret }) => secret)).toEqual(['differs', 'matches', 'absent', 'matches']);
    await using silent = await openReceiver();
    using toSilent = await openSender(silent);
    await toSilent.sender.send(REQUEST);
    expect((await silent.next()).secret).toBe('unchecked');
  });

  test('shows what came, and neither secret nor credential', async () => {
    await using receiver = await openReceiver({ secret: 'canario-1', script: '200+5@1ms' });
    using opened = await openSender(receiver);
    const headers = {
      secret: 'canario-1',
      authorization: 'Basic canario-2',
      'event-type': 'catp-prod-alterado',
    };
    await opened.sender.send({ ...REQUEST, headers });
    const text = display(await receiver.next());
    expect(text).not.toContain('canario');
    expect(text).toContain('POST /notificacoes?fila=1\n');
    expect(text).toContain('\nevent-type: catp-prod-alterado\n');
    expect(text).toContain('\nsecret: (oculto)\nauthorization: (oculto)\n');
    expect(text).toContain('→ segredo confere\n');
    expect(text).toContain('\n{"a":"ação"}\n');
    expect(text).toContain('→ resposta: 200, corpo de 5 bytes, após 1 ms');
  });

  test('hands its requests out in order, to whoever waits and to whoever comes later', async () => {
    await using receiver = await openReceiver({ script: '500,200' });
    using opened = await openSender(receiver);
    const waiting = receiver.next();
    await opened.sender.send(REQUEST);
    await opened.sender.send(REQUEST);
    expect([(await waiting).number, (await receiver.next()).number]).toEqual([1, 2]);
  });

  test('closes what is open when it is closed', async () => {
    const receiver = await openReceiver({ script: 'hang' });
    using opened = await openSender(receiver);
    const sending = opened.sender.send(REQUEST);
    await receiver.next();
    await receiver.close();
    expect(await sending).toMatchObject({ kind: 'failed', reason: 'connection' });
  });
});
