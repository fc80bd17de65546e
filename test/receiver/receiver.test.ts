import { describe, expect, test } from 'bun:test';
import { monotonicMs } from '../../src/clock.ts';
import { display } from '../../src/receiver/display.ts';
import { forwardTo } from '../../src/receiver/forward.ts';
import { BODY_MAX_BYTES } from '../../src/receiver/receiver.ts';
import { openSender, REQUEST } from '../support/delivery.ts';
import { openReceiver } from '../support/receiver.ts';

describe('the receiver', () => {
  test('reports the secret as another one, absent, right, or not required', async () => {
    await using receiver = await openReceiver({ secret: 'segredo' });
    using opened = await openSender(receiver);
    for (const headers of [{ secret: 'segred0' }, { secret: 'segredo ' }, {}, { secret: 'segredo' }]) {
      await opened.sender.send({ ...REQUEST, headers });
    }
    // HTTP itself strips the space at the end of a header.
    expect(receiver.requests.map(({ secret }) => secret)).toEqual([
      'differs',
      'matches',
      'absent',
      'matches',
    ]);
    await using silent = await openReceiver();
    using toSilent = await openSender(silent);
    await toSilent.sender.send(REQUEST);
    expect((await silent.next()).secret).toBe('unchecked');
  });

  test('prints each request, without its secret and credentials', async () => {
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

  test('accepts a body of 1 MiB, answers 413 above it, also with an undeclared length, and continues', async () => {
    const tooLarge: string[] = [];
    await using receiver = await openReceiver({ httpPort: 0, onTooLarge: (path) => tooLarge.push(path) });
    const url = `http://127.0.0.1:${receiver.httpPort}`;
    const post = async (path: string, body: BodyInit): Promise<number> =>
      (await fetch(url + path, { method: 'POST', body })).status;
    const streamed = new ReadableStream({
      start: (to) => {
        for (let part = 0; part < 17; part += 1) to.enqueue(new Uint8Array(2 ** 16));
        to.close();
      },
    });
    expect(await post('/igual', Buffer.alloc(BODY_MAX_BYTES, 'a'))).toBe(200);
    expect(await post('/acima', Buffer.alloc(BODY_MAX_BYTES + 1, 'a'))).toBe(413);
    expect(await post('/partes', streamed)).toBe(413);
    expect(await post('/depois', 'a')).toBe(200);
    expect(receiver.requests.map(({ path, body }) => [path, body.length])).toEqual([
      ['/igual', BODY_MAX_BYTES],
      ['/depois', 1],
    ]);
    expect(tooLarge).toEqual(['/acima', '/partes']);
  });

  test('keeps the last 100 requests', async () => {
    await using receiver = await openReceiver({ httpPort: 0 });
    for (let count = 1; count <= 102; count += 1)
      await fetch(`http://127.0.0.1:${receiver.httpPort}/${count}`, { method: 'POST' });
    expect(receiver.requests).toHaveLength(100);
    expect(receiver.requests.at(0)).toMatchObject({ number: 3, path: '/3' });
    expect((await receiver.next()).path).toBe('/3');
    expect(receiver.requests.at(-1)).toMatchObject({ number: 102, path: '/102' });
  });

  test('accepts an answer of 1 MiB from the program behind it, and refuses a longer one', async () => {
    let bytes = 2 ** 20;
    const handler = Bun.serve({ port: 0, fetch: () => new Response(Buffer.alloc(bytes, 'a')) });
    const forward = forwardTo(new URL(`http://127.0.0.1:${handler.port}/`), monotonicMs);
    const handed = { method: 'POST', headers: {}, body: '' };
    expect(await forward(handed)).toMatchObject({ kind: 'answered', status: 200 });
    bytes += 1;
    expect(await forward(handed)).toMatchObject({ kind: 'unanswered', code: 'HUGE' });
    await handler.stop(true);
  });

  test('returns its requests in order, to a waiting caller and to a later one', async () => {
    await using receiver = await openReceiver({ script: '500,200' });
    using opened = await openSender(receiver);
    const waiting = receiver.next();
    await opened.sender.send(REQUEST);
    await opened.sender.send(REQUEST);
    expect([(await waiting).number, (await receiver.next()).number]).toEqual([1, 2]);
  });

  test('closes its connections when it is closed', async () => {
    const receiver = await openReceiver({ script: 'hang' });
    using opened = await openSender(receiver);
    const sending = opened.sender.send(REQUEST);
    await receiver.next();
    await receiver.close();
    expect(await sending).toMatchObject({ kind: 'failed', reason: 'connection' });
  });
});
