import { describe, expect, test } from 'bun:test';
import { ANSWER_BODY_READ_BYTES } from '../../../src/notification/delivery/exchange.ts';
import type { Outcome } from '../../../src/notification/delivery/outcome.ts';
import { DELIVERY_DEADLINE_MS } from '../../../src/notification/delivery/sender.ts';
import { HandStopwatch, openRawTcp, openRawTls, openSender, REQUEST } from '../../support/delivery.ts';
import { openReceiver } from '../../support/receiver.ts';

/** Long enough to reach the phase under test on a busy machine. */
const SHORT_MS = 400;
/** Between the deadline and the outcome lies no more than the turn of a busy event loop. */
const LATE_MAX_MS = 1500;

const timedOut = (phase: RegExp, deadlineMs = SHORT_MS): Outcome => ({
  kind: 'failed',
  reason: 'timeout',
  ms: expect.any(Number),
  description: expect.stringMatching(
    new RegExp(`^O prazo de ${deadlineMs} ms esgotou-se ${phase.source}, após \\d+ ms\\.$`),
  ),
});

describe('the deadline of 3500 ms', () => {
  test('is met by an answer at 3500 ms and missed by one at 3501 ms', async () => {
    for (const [arrival, expected] of [
      [DELIVERY_DEADLINE_MS, { kind: 'delivered', status: 200, ms: 3500 }],
      [DELIVERY_DEADLINE_MS + 1, { kind: 'failed', reason: 'timeout', ms: 3501 }],
    ] as const) {
      const stopwatch = new HandStopwatch();
      await using receiver = await openReceiver({ onReceived: () => (stopwatch.time = arrival) });
      using opened = await openSender(receiver, { stopwatch });
      expect(await opened.sender.send(REQUEST)).toMatchObject(expected);
      expect(stopwatch.timers).toEqual([]);
    }
    expect(DELIVERY_DEADLINE_MS).toBe(3500);
  });

  test('ends a request at its time, and the receiver sees the connection close', async () => {
    const stopwatch = new HandStopwatch();
    await using receiver = await openReceiver({ script: 'hang' });
    using opened = await openSender(receiver, { stopwatch });
    const sending = opened.sender.send(REQUEST);
    const received = await receiver.next();
    expect(stopwatch.timers.map(({ ms }) => ms)).toEqual([3500]);
    stopwatch.time = 3500;
    stopwatch.expire();
    expect(await sending).toEqual(timedOut(/na espera da resposta/, 3500));
    await received.closed;
  });

  test('holds in real time: an answer after 3 s is in time, none comes after 3.5 s', async () => {
    await using slow = await openReceiver({ script: '200@3s' });
    await using hanging = await openReceiver({ script: 'hang' });
    using toSlow = await openSender(slow);
    using toHanging = await openSender(hanging);
    const [inTime, late] = await Promise.all([toSlow.sender.send(REQUEST), toHanging.sender.send(REQUEST)]);
    expect(inTime.kind).toBe('delivered');
    expect(inTime.ms).toBeWithin(2999, DELIVERY_DEADLINE_MS + 1);
    expect(late).toEqual(timedOut(/na espera da resposta/, 3500));
    expect(late.ms).toBeWithin(DELIVERY_DEADLINE_MS - 1, DELIVERY_DEADLINE_MS + LATE_MAX_MS);
    await (
      await hanging.next()
    ).closed;
  });
});

describe('one deadline covers', () => {
  const short = { deadlineMs: SHORT_MS };

  test('the name look-up', async () => {
    using opened = await openSender(undefined, { ...short, lookup: () => new Promise(() => undefined) });
    expect(await opened.sender.send(REQUEST)).toEqual(timedOut(/na consulta do nome do servidor/));
  });

  test('a name that is answered after the deadline: nothing is dialled any more', async () => {
    await using receiver = await openReceiver();
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    const policy = { loopback: true, privateNetworks: 'all' } as const;
    using opened = await openSender(undefined, { deadlineMs: 1, policy, lookup: () => promise });
    const endpoint = `https://erp.exemplo:${receiver.port}/`;
    expect(await opened.sender.send({ ...REQUEST, endpoint })).toMatchObject({ reason: 'timeout' });
    resolve(['127.0.0.1']);
    await promise;
    using probe = await openSender(receiver);
    await probe.sender.send(REQUEST);
    expect(receiver.connections).toBe(1); // the probe's alone
  });

  test('the TLS negotiation, and the connection closes', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    await using server = await openRawTcp((socket) => void socket.resume().on('close', () => resolve()));
    using opened = await openSender(server, short);
    expect(await opened.sender.send(REQUEST)).toEqual(timedOut(/na negociação TLS/));
    await closed;
  });

  test('headers that come one byte at a time', async () => {
    await using server = await openRawTls((socket) => {
      const letters = [...`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(10_000)}`];
      const dripping = setInterval(() => socket.write(letters.shift() ?? 'x'), 10);
      socket.on('close', () => clearInterval(dripping));
      socket.resume();
    });
    using opened = await openSender(server, short);
    expect(await opened.sender.send(REQUEST)).toEqual(timedOut(/na espera da resposta/));
  });

  test('a body that comes one byte at a time, though its status was 200', async () => {
    await using receiver = await openReceiver({ script: 'drip' });
    using opened = await openSender(receiver, short);
    expect(await opened.sender.send(REQUEST)).toEqual(timedOut(/na leitura do corpo da resposta/));
    await (
      await receiver.next()
    ).closed;
  });

  test('a receiver that does not read what is sent', async () => {
    await using server = await openRawTls((socket) => socket.pause());
    using opened = await openSender(server, short);
    const body = JSON.stringify('x'.repeat(8 * 1024 * 1024));
    expect(await opened.sender.send({ ...REQUEST, body })).toEqual(timedOut(/na espera da resposta/));
  });

  test('both connections of a request that is sent again', async () => {
    await using server = await openRawTls((socket, number) => {
      let requests = 0;
      socket.on('data', () => {
        if (number > 1) return; // hangs
        if (++requests > 1) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      });
    });
    using opened = await openSender(server, short);
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'delivered' });
    const outcome = await opened.sender.send(REQUEST);
    expect(outcome).toEqual(timedOut(/na espera da resposta/));
    expect(outcome.ms).toBeWithin(SHORT_MS - 1, SHORT_MS + LATE_MAX_MS);
    expect(server.sockets).toHaveLength(2);
  });
});

describe('of the answer the first 64 KiB are read', () => {
  const answering = (bytes: number) =>
    openRawTls((socket) =>
      socket.on('data', () => {
        socket.write(
          `HTTP/1.1 200 OK\r\ncontent-length: ${10 * ANSWER_BODY_READ_BYTES}\r\n\r\n${'.'.repeat(bytes)}`,
        );
      }),
    );

  test('so that a body that stops one byte before is a failure', async () => {
    await using server = await answering(ANSWER_BODY_READ_BYTES - 1);
    using opened = await openSender(server, { deadlineMs: SHORT_MS });
    expect(await opened.sender.send(REQUEST)).toEqual(timedOut(/na leitura do corpo da resposta/));
  });

  test('and one that stops there is a success, whatever was promised', async () => {
    await using server = await answering(ANSWER_BODY_READ_BYTES);
    using opened = await openSender(server);
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'delivered', status: 200 });
    expect(ANSWER_BODY_READ_BYTES).toBe(65_536);
  });
});

describe('a request that is withdrawn', () => {
  test('before it starts, or while its name is looked up, never leaves', async () => {
    await using receiver = await openReceiver();
    using opened = await openSender(receiver);
    const outcome = await opened.sender.send({ ...REQUEST, signal: AbortSignal.abort() });
    expect(outcome).toEqual({ kind: 'withdrawn', ms: expect.any(Number) });

    const withdrawal = new AbortController();
    const policy = { loopback: true, privateNetworks: 'all' } as const;
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    using slow = await openSender(undefined, { policy, lookup: () => promise });
    const endpoint = `https://erp.exemplo:${receiver.port}/`;
    const sending = slow.sender.send({ ...REQUEST, endpoint, signal: withdrawal.signal });
    withdrawal.abort();
    resolve(['127.0.0.1']);
    expect(await sending).toMatchObject({ kind: 'withdrawn' });

    await opened.sender.send(REQUEST);
    expect(receiver.requests).toHaveLength(1); // the last one alone
    expect(receiver.connections).toBe(1);
  });

  test('while the receiver works on it has its connection closed', async () => {
    await using receiver = await openReceiver({ script: 'hang' });
    using opened = await openSender(receiver);
    const withdrawal = new AbortController();
    const sending = opened.sender.send({ ...REQUEST, signal: withdrawal.signal });
    const received = await receiver.next();
    withdrawal.abort();
    expect(await sending).toMatchObject({ kind: 'withdrawn' });
    await received.closed;
  });

  test('after its outcome changes nothing', async () => {
    await using receiver = await openReceiver();
    using opened = await openSender(receiver);
    const withdrawal = new AbortController();
    expect(await opened.sender.send({ ...REQUEST, signal: withdrawal.signal })).toMatchObject({
      kind: 'delivered',
    });
    withdrawal.abort();
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'delivered' });
    expect(receiver.connections).toBe(1);
  });
});
