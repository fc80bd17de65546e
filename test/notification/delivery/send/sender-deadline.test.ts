import { describe, expect, test } from 'bun:test';
import { ANSWER_BODY_READ_BYTES } from '../../../../src/notification/delivery/send/exchange.ts';
import type { Outcome, Phase } from '../../../../src/notification/delivery/send/outcome.ts';
import { DELIVERY_DEADLINE_MS } from '../../../../src/notification/delivery/send/sender.ts';
import { Withdrawal } from '../../../../src/notification/delivery/send/withdrawal.ts';
import { openRawTcp, openRawTls, openSender, REQUEST } from '../../../support/delivery.ts';
import { HandTime } from '../../../support/real-time.ts';
import { openReceiver } from '../../../support/receiver.ts';

/** A request is cut exactly at the deadline: these tests pass on a machine of any speed. */
const timedOut = (phase: Phase, description: RegExp): Outcome => ({
  kind: 'failed',
  reason: 'timeout',
  phase,
  ms: DELIVERY_DEADLINE_MS,
  description: expect.stringMatching(
    new RegExp(`^O prazo de 3500 ms esgotou-se ${description.source}, após 3500 ms\\.$`),
  ),
});

/** Returns parts of a sender whose deadline passes only when `over` is called. */
function manualDeadline(): { parts: { readonly realTime: HandTime }; over: () => void } {
  const realTime = new HandTime();
  return { parts: { realTime }, over: () => realTime.pass(DELIVERY_DEADLINE_MS) };
}

/** Returns the same parts, with a deadline that passes when a request enters that phase. */
function deadlineIn(phase: Phase) {
  const { parts, over } = manualDeadline();
  return { ...parts, onPhase: (entered: Phase) => entered === phase && over() };
}

describe('the deadline of 3500 ms', () => {
  test('is met by an answer at 3500 ms and missed by one at 3501 ms', async () => {
    for (const [arrival, expected] of [
      [DELIVERY_DEADLINE_MS, { kind: 'delivered', status: 200, ms: 3500 }],
      [DELIVERY_DEADLINE_MS + 1, { kind: 'failed', reason: 'timeout', ms: 3501 }],
    ] as const) {
      const realTime = new HandTime();
      await using receiver = await openReceiver({ onReceived: () => realTime.skip(arrival) });
      using opened = await openSender(receiver, { realTime });
      expect(await opened.sender.send(REQUEST)).toMatchObject(expected);
      expect(realTime.waits).toEqual([]);
    }
    expect(DELIVERY_DEADLINE_MS).toBe(3500);
  });

  test('ends a request in time, and the receiver sees the connection close', async () => {
    const realTime = new HandTime();
    await using receiver = await openReceiver({ script: 'hang' });
    using opened = await openSender(receiver, { realTime });
    const sending = opened.sender.send(REQUEST);
    const received = await receiver.next();
    expect(realTime.waits).toEqual([3500]);
    realTime.pass(3500);
    expect(await sending).toEqual(timedOut('answer', /na espera da resposta/));
    await received.closed;
  });

  test('runs in real time by default', async () => {
    await using hanging = await openReceiver({ script: 'hang' });
    using opened = await openSender(hanging, { deadlineMs: 1 });
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'failed', reason: 'timeout' });
  });

  test('is set once for a request, whatever happens meanwhile', async () => {
    const realTime = new HandTime();
    await using receiver = await openReceiver();
    using opened = await openSender(receiver, { realTime });
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'delivered' });
    expect(realTime.set).toEqual([DELIVERY_DEADLINE_MS]);
  });
});

describe('one deadline covers', () => {
  const policy = { loopback: true, privateNetworks: 'all' } as const;

  test('the name look-up', async () => {
    const { parts, over } = manualDeadline();
    const lookup = (): Promise<never> => (queueMicrotask(over), new Promise(() => undefined));
    using opened = await openSender(undefined, { ...parts, lookup });
    expect(await opened.sender.send(REQUEST)).toEqual(timedOut('name', /na consulta do nome do servidor/));
  });

  test('a name that is resolved after the deadline: no connection is opened', async () => {
    await using receiver = await openReceiver();
    const { parts, over } = manualDeadline();
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    const lookup = () => (queueMicrotask(over), promise);
    using opened = await openSender(undefined, { ...parts, policy, lookup });
    const endpoint = `https://erp.exemplo:${receiver.port}/`;
    expect(await opened.sender.send({ ...REQUEST, endpoint })).toMatchObject({ reason: 'timeout' });
    resolve(['127.0.0.1']);
    await promise;
    using probe = await openSender(receiver);
    await probe.sender.send(REQUEST);
    expect(receiver.connections).toBe(1); // only that of the probe
  });

  test('the TLS negotiation, and the connection closes', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    await using server = await openRawTcp((socket) => void socket.resume().on('close', () => resolve()));
    using opened = await openSender(server, deadlineIn('tls'));
    expect(await opened.sender.send(REQUEST)).toEqual(timedOut('tls', /na negociação TLS/));
    await closed;
  });

  test('headers without an end: their bytes do not extend it', async () => {
    const { parts, over } = manualDeadline();
    await using server = await openRawTls((socket) => {
      const letters = Array.from('HTTP/1.1 200 OK\r\nx: xxxxxxxx');
      const drip = (): unknown => {
        const letter = letters.shift();
        return letter === undefined ? over() : socket.write(letter, () => setImmediate(drip));
      };
      socket.once('data', drip);
    });
    using opened = await openSender(server, parts);
    expect(await opened.sender.send(REQUEST)).toEqual(timedOut('answer', /na espera da resposta/));
    expect(parts.realTime.set).toEqual([DELIVERY_DEADLINE_MS]);
  });

  test('a body that comes one byte at a time, although its status was 200', async () => {
    await using receiver = await openReceiver({ script: 'drip' });
    using opened = await openSender(receiver, deadlineIn('body'));
    expect(await opened.sender.send(REQUEST)).toEqual(timedOut('body', /na leitura do corpo da resposta/));
    await (
      await receiver.next()
    ).closed;
  });

  test('a receiver that does not read the request', async () => {
    await using server = await openRawTls((socket) => socket.pause());
    using opened = await openSender(server, deadlineIn('answer'));
    const body = JSON.stringify('x'.repeat(8 * 1024 * 1024));
    expect(await opened.sender.send({ ...REQUEST, body })).toEqual(
      timedOut('answer', /na espera da resposta/),
    );
  });

  test('both connections of a request that is sent again', async () => {
    const { parts, over } = manualDeadline();
    await using server = await openRawTls((socket, number) => {
      let requests = 0;
      socket.on('data', () => {
        if (number > 1)
          over(); // the receiver never answers
        else if (++requests > 1) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      });
    });
    using opened = await openSender(server, parts);
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'delivered' });
    expect(await opened.sender.send(REQUEST)).toEqual(timedOut('answer', /na espera da resposta/));
    expect(server.sockets).toHaveLength(2);
    // One deadline for each request, none for the second connection.
    expect(parts.realTime.set).toEqual([DELIVERY_DEADLINE_MS, DELIVERY_DEADLINE_MS]);
  });
});

describe('the first 64 KiB of an answer are read', () => {
  /** Promises more bytes than it sends, and closes the connection. */
  const answering = (bytes: number) =>
    openRawTls((socket) =>
      socket.on('data', () => {
        socket.end(
          `HTTP/1.1 200 OK\r\ncontent-length: ${10 * ANSWER_BODY_READ_BYTES}\r\n\r\n${'.'.repeat(bytes)}`,
        );
      }),
    );

  test('a body that stops one byte earlier is a failure', async () => {
    await using server = await answering(ANSWER_BODY_READ_BYTES - 1);
    using opened = await openSender(server);
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'failed', status: 200 });
  });

  test('a body that stops after them is a success, for any announced length', async () => {
    await using server = await answering(ANSWER_BODY_READ_BYTES);
    using opened = await openSender(server);
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'delivered', status: 200 });
    expect(ANSWER_BODY_READ_BYTES).toBe(65_536);
  });
});

describe('a request that is withdrawn', () => {
  test('before it starts, or during its name look-up, is never sent', async () => {
    await using receiver = await openReceiver();
    using opened = await openSender(receiver);
    const withdrawn = new Withdrawal();
    withdrawn.withdraw();
    const outcome = await opened.sender.send({ ...REQUEST, withdrawal: withdrawn });
    expect(outcome).toEqual({ kind: 'withdrawn', ms: expect.any(Number) });

    const withdrawal = new Withdrawal();
    const policy = { loopback: true, privateNetworks: 'all' } as const;
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    using slow = await openSender(undefined, { policy, lookup: () => promise });
    const endpoint = `https://erp.exemplo:${receiver.port}/`;
    const sending = slow.sender.send({ ...REQUEST, endpoint, withdrawal });
    withdrawal.withdraw();
    resolve(['127.0.0.1']);
    expect(await sending).toMatchObject({ kind: 'withdrawn' });

    await opened.sender.send(REQUEST);
    expect(receiver.requests).toHaveLength(1); // only the last one
    expect(receiver.connections).toBe(1);
  });

  test('while the receiver works on it has its connection closed', async () => {
    await using receiver = await openReceiver({ script: 'hang' });
    using opened = await openSender(receiver);
    const withdrawal = new Withdrawal();
    const sending = opened.sender.send({ ...REQUEST, withdrawal });
    const received = await receiver.next();
    withdrawal.withdraw();
    expect(await sending).toMatchObject({ kind: 'withdrawn' });
    await received.closed;
  });

  test('after its outcome changes nothing', async () => {
    await using receiver = await openReceiver();
    using opened = await openSender(receiver);
    const withdrawal = new Withdrawal();
    expect(await opened.sender.send({ ...REQUEST, withdrawal })).toMatchObject({
      kind: 'delivered',
    });
    withdrawal.withdraw();
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'delivered' });
    expect(receiver.connections).toBe(1);
  });
});
