/** Receivers on this machine, called by their own address (contract section 15). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'bun:test';
import { REQUEST, failure, openSender } from '../../../support/delivery.ts';
import { openReceiver } from '../../../support/receiver.ts';

const LOCAL = {
  localReceivers: true,
  policy: { loopback: true, privateNetworks: 'all' },
  ca: [],
} as const;

interface Plain extends AsyncDisposable {
  readonly port: number;
  readonly got: { url?: string | undefined; host?: string | undefined; secret?: unknown; body: string }[];
}

/** Opens a plain handler, as a developer would. It answers each request with `status`. */
async function openPlain({ host = '127.0.0.1', status = 200, hang = false } = {}): Promise<Plain> {
  const got: Plain['got'] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      got.push({ url: request.url, host: request.headers.host, secret: request.headers['secret'], body });
      if (hang) return;
      response.writeHead(status, { location: '/outro' });
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    got,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

describe('a plain receiver on this machine', () => {
  test.each(['127.0.0.1', 'localhost'])('gets the same request as any other receiver: %s', async (host) => {
    await using plain = await openPlain();
    using opened = await openSender(undefined, LOCAL);
    const endpoint = `http://${host}:${plain.port}/hook?fila=1`;
    expect(await opened.sender.send({ ...REQUEST, endpoint, headers: { secret: 's' } })).toMatchObject({
      kind: 'delivered',
      status: 200,
    });
    expect(plain.got).toEqual([
      { url: '/hook?fila=1', host: `${host}:${plain.port}`, secret: 's', body: REQUEST.body },
    ]);
  });

  test('that listens on ::1 only is found by the name localhost', async () => {
    await using plain = await openPlain({ host: '::1' });
    using opened = await openSender(undefined, LOCAL);
    const outcome = await opened.sender.send({
      ...REQUEST,
      endpoint: `http://localhost:${plain.port}/`,
      headers: {},
    });
    expect(outcome).toMatchObject({ kind: 'delivered' });
  });

  test('fails with its status, and a redirect is not followed', async () => {
    for (const status of [500, 302]) {
      await using plain = await openPlain({ status });
      using opened = await openSender(undefined, LOCAL);
      const outcome = await opened.sender.send({
        ...REQUEST,
        endpoint: `http://127.0.0.1:${plain.port}/`,
        headers: {},
      });
      expect(outcome).toMatchObject({ kind: 'failed', status });
      expect(plain.got.length).toBe(1);
    }
  });

  test('that does not answer fails at the deadline', async () => {
    await using plain = await openPlain({ hang: true });
    using opened = await openSender(undefined, { ...LOCAL, deadlineMs: 200 });
    const endpoint = `http://127.0.0.1:${plain.port}/`;
    expect(await opened.sender.send({ ...REQUEST, endpoint, headers: {} })).toEqual(
      failure('timeout', /espera da resposta/),
    );
  });

  test('that does not exist is a failed connection', async () => {
    using opened = await openSender(undefined, LOCAL);
    for (const host of ['localhost', '127.0.0.1'])
      expect(
        await opened.sender.send({ ...REQUEST, endpoint: `http://${host}:1/`, headers: {} }),
      ).toMatchObject({ kind: 'failed', reason: 'connection' });
  });

  test('gets nothing without local receivers, and the failure names the flag that enables them', async () => {
    await using plain = await openPlain();
    using opened = await openSender(undefined, { ...LOCAL, localReceivers: false });
    const endpoint = `http://127.0.0.1:${plain.port}/`;
    expect(await opened.sender.send({ ...REQUEST, endpoint, headers: {} })).toEqual(
      failure('request', /--local-receivers/),
    );
    expect(plain.got).toEqual([]);
  });
});

describe('a TLS receiver on this machine', () => {
  test.each(['good', 'unknown-ca', 'expired', 'wrong-name'] as const)(
    'is called with any certificate: %s',
    async (certificate) => {
      await using receiver = await openReceiver({ certificate });
      using opened = await openSender(undefined, LOCAL);
      for (const host of ['127.0.0.1', 'localhost']) {
        const endpoint = `https://${host}:${receiver.port}/hook`;
        expect(await opened.sender.send({ ...REQUEST, endpoint, headers: {} })).toMatchObject({
          kind: 'delivered',
        });
      }
    },
  );

  test('must prove its identity as usual if a name leads to it', async () => {
    await using receiver = await openReceiver({ certificate: 'unknown-ca' });
    using opened = await openSender(receiver, { ...LOCAL });
    expect(await opened.sender.send({ ...REQUEST, headers: {} })).toMatchObject({
      kind: 'failed',
      reason: 'certificate',
    });
  });
});
