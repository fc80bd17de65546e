import { describe, expect, test } from 'bun:test';
import { CONNECTION_AGE_MS } from '../../../../src/notification/delivery/send/connections.ts';
import { parseTargetMap } from '../../../../src/notification/delivery/send/target-map.ts';
import { openRawTls, openSender, REQUEST } from '../../../support/delivery.ts';
import { HandTime } from '../../../support/real-time.ts';
import { openReceiver } from '../../../support/receiver.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

describe('a connection', () => {
  test('is not shared by two names at one address', async () => {
    await using receiver = await openReceiver();
    const map = parseTargetMap(
      ['a.exemplo', 'b.exemplo'].map((host) => `${host}:443=127.0.0.1:${receiver.port}`),
    );
    using opened = await openSender(receiver, { map });
    for (const host of ['a.exemplo', 'b.exemplo', 'a.exemplo']) {
      const request = { ...REQUEST, endpoint: `https://${host}/` };
      expect(await opened.sender.send(request)).toMatchObject({ kind: 'delivered' });
    }
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 2, 1]);
  });

  test('to one address literal is not used for another one that the map sends to the same target', async () => {
    await using receiver = await openReceiver();
    const map = parseTargetMap([`8.8.8.8:443=127.0.0.1:${receiver.port}`]);
    using opened = await openSender(receiver, { map, policy: { loopback: true, privateNetworks: 'all' } });
    const own = { ...REQUEST, endpoint: `https://127.0.0.1:${receiver.port}/` };
    expect(await opened.sender.send(own)).toMatchObject({ kind: 'delivered' });
    const other = { ...REQUEST, endpoint: 'https://8.8.8.8/' };
    expect(await opened.sender.send(other)).toMatchObject({ kind: 'failed', reason: 'certificate' });
    expect(receiver.requests).toHaveLength(1);
  });

  test('is not reused after a failure', async () => {
    await using receiver = await openReceiver({ script: '500,200' });
    using opened = await openSender(receiver);
    await opened.sender.send(REQUEST);
    await opened.sender.send(REQUEST);
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  test('is reused for the next request, but not when it is a minute old', async () => {
    const realTime = new HandTime();
    await using receiver = await openReceiver();
    using opened = await openSender(receiver, { realTime });
    const connectionAt = async (time: number): Promise<number> => {
      realTime.skip(time - realTime.now());
      await opened.sender.send(REQUEST);
      return (await receiver.next()).connection;
    };
    expect(await connectionAt(0)).toBe(1);
    expect(await connectionAt(CONNECTION_AGE_MS - 1)).toBe(1);
    expect(await connectionAt(CONNECTION_AGE_MS)).toBe(1); // the last request of the connection
    expect(await connectionAt(CONNECTION_AGE_MS)).toBe(2);
    await receiver.requests[0]?.closed;
  });

  test('is closed when it stays idle', async () => {
    await using receiver = await openReceiver();
    using opened = await openSender(receiver, { connectionIdleMs: 50 });
    await opened.sender.send(REQUEST);
    await (
      await receiver.next()
    ).closed;
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'delivered' });
  });

  test('is closed with the sender', async () => {
    await using receiver = await openReceiver();
    using opened = await openSender(receiver);
    await opened.sender.send(REQUEST);
    opened.sender.close();
    await (
      await receiver.next()
    ).closed;
  });

  test('that the receiver closed while it was idle is no failure, whenever the next request comes', async () => {
    await using receiver = await openReceiver();
    using opened = await openSender(receiver);
    for (let round = 0; round < 20; round++) {
      expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'delivered' });
      receiver.closeIdleConnections();
    }
    expect(receiver.requests).toHaveLength(20); // none processed twice
  });

  test('that is reset when reused is no failure: the request is sent once more on a new one', async () => {
    await using server = await openRawTls((socket, number) => {
      let requests = 0;
      socket.on('data', () => (number === 1 && ++requests > 1 ? socket.destroy() : socket.write(OK)));
    });
    using opened = await openSender(server);
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'delivered' });
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'delivered' });
    expect(server.sockets).toHaveLength(2);
  });

  test('that is new and reset too is a failure: a request is sent at most twice', async () => {
    await using receiver = await openReceiver({ script: '200,reset' });
    using opened = await openSender(receiver);
    await opened.sender.send(REQUEST);
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'failed', reason: 'connection' });
    expect(receiver.requests).toHaveLength(3);
  });

  test('that breaks after the first bytes of an answer is a failure too, and the request is not sent again', async () => {
    await using server = await openRawTls((socket) => {
      let requests = 0;
      socket.on('data', () => {
        if (++requests === 1) socket.write(OK);
        else socket.write('HTTP/1.1 2', () => socket.destroy());
      });
    });
    using opened = await openSender(server);
    await opened.sender.send(REQUEST);
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'failed', reason: 'connection' });
    expect(server.sockets).toHaveLength(1);
  });

  test('that breaks within an answer is a failure at once: the receiver has seen the request', async () => {
    await using receiver = await openReceiver({ script: '200,cut' });
    using opened = await openSender(receiver);
    await opened.sender.send(REQUEST);
    expect(await opened.sender.send(REQUEST)).toMatchObject({
      kind: 'failed',
      reason: 'answer',
      status: 200,
    });
    expect(receiver.requests).toHaveLength(2);
  });
});
