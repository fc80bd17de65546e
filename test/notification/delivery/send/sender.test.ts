import { describe, expect, test } from 'bun:test';
import { ANSWER_HEAD_BYTES } from '../../../../src/notification/delivery/send/answer-reader.ts';
import { composeHeaders } from '../../../../src/notification/delivery/send/request.ts';
import { parseTargetMap } from '../../../../src/notification/delivery/send/target-map.ts';
import {
  ENDPOINT,
  failure,
  HOST,
  openRawTcp,
  openRawTls,
  openSender,
  REQUEST,
} from '../../../support/delivery.ts';
import { HandTime } from '../../../support/real-time.ts';
import { openReceiver } from '../../../support/receiver.ts';

describe('a delivery fails', () => {
  for (const status of [304, 400, 401, 404, 410, 429, 500, 503]) {
    test(`when the receiver answers ${status}`, async () => {
      await using receiver = await openReceiver({ script: `${status}+10` });
      using opened = await openSender(receiver);
      const outcome = await opened.sender.send(REQUEST);
      expect(outcome).toEqual(
        failure('status', new RegExp(`o status ${status}, após \\d+ ms\\.$`), {
          status,
          ...(status !== 304 && { answer: '..........' }),
        }),
      );
    });
  }

  for (const status of [300, 301, 302, 303, 307, 308]) {
    test(`when the receiver redirects with ${status}, which is not followed`, async () => {
      await using receiver = await openReceiver({ script: `${status},200` });
      using opened = await openSender(receiver);
      expect(await opened.sender.send(REQUEST)).toEqual(
        failure('redirect', /nunca é seguido, após/, { status }),
      );
      expect(receiver.requests.map(({ path }) => path)).toEqual(['/notificacoes?fila=1']);
    });
  }

  for (const [certificate, code] of [
    ['unknown-ca', 'CERT_SIGNATURE_FAILURE|UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN'],
    ['wrong-name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['expired', 'CERT_HAS_EXPIRED'],
  ] as const) {
    test(`when the certificate is of kind ${certificate}, and nothing is sent`, async () => {
      await using receiver = await openReceiver({ certificate });
      using opened = await openSender(receiver);
      expect(await opened.sender.send(REQUEST)).toEqual(
        failure('certificate', new RegExp(`\\((${code})\\)`)),
      );
      expect(receiver.requests).toEqual([]);
    });
  }

  test('when the certificate comes from a root that is not trusted', async () => {
    await using receiver = await openReceiver();
    using opened = await openSender(receiver, { ca: [] });
    expect(await opened.sender.send(REQUEST)).toEqual(
      failure('certificate', /certificado do destinatário não foi/),
    );
    expect(receiver.requests).toEqual([]);
  });

  test('when the certificate lacks the address literal of an endpoint that the map redirects', async () => {
    await using receiver = await openReceiver(); // by default its certificate is valid for 127.0.0.1 only
    const map = parseTargetMap([
      `8.8.8.8:443=127.0.0.1:${receiver.port}`,
      `[::1]:443=127.0.0.1:${receiver.port}`,
    ]);
    using opened = await openSender(receiver, { map });
    const { sender } = opened;
    const outcome = await sender.send({ ...REQUEST, endpoint: 'https://8.8.8.8/' });
    expect(outcome).toEqual(failure('certificate', /ERR_TLS_CERT_ALTNAME_INVALID/));
    expect(await sender.send({ ...REQUEST, endpoint: 'https://[::1]/' })).toMatchObject({
      kind: 'delivered',
    });
  });

  test('when the receiver supports TLS 1.1 at most; 1.2 is enough', async () => {
    await using old = await openReceiver({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1' });
    using toOld = await openSender(old);
    expect(await toOld.sender.send(REQUEST)).toEqual(failure('tls', /é exigido TLS 1\.2 ou superior/));
    await using enough = await openReceiver({ maxVersion: 'TLSv1.2' });
    using toEnough = await openSender(enough);
    expect(await toEnough.sender.send(REQUEST)).toMatchObject({ kind: 'delivered' });
  });

  test('when the receiver speaks no TLS', async () => {
    await using server = await openRawTcp((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    using opened = await openSender(server);
    expect(await opened.sender.send(REQUEST)).toEqual(failure('tls', /negociação TLS/));
  });

  test('when the connection is closed during the TLS negotiation', async () => {
    await using server = await openRawTcp((socket) => socket.destroy());
    using opened = await openSender(server);
    expect(await opened.sender.send(REQUEST)).toEqual(
      failure('tls', /negociação TLS .*\((ECONNRESET|ERR_SOCKET_CLOSED)\)/),
    );
  });

  test('when nothing listens there', async () => {
    const server = await openRawTcp(() => undefined);
    await server[Symbol.asyncDispose]();
    using opened = await openSender(server);
    expect(await opened.sender.send(REQUEST)).toEqual(failure('connection', /falhou \(ECONNREFUSED\)/));
  });

  test('when the receiver resets the connection instead of answering', async () => {
    await using receiver = await openReceiver({ script: 'reset' });
    using opened = await openSender(receiver);
    expect(await opened.sender.send(REQUEST)).toEqual(
      failure('connection', /falhou \(ECONNRESET\)/, { phase: 'answer' }),
    );
    expect(receiver.requests).toHaveLength(1); // a new connection is not stale: not sent twice
  });

  test('when the answer is cut off, although its status was 200', async () => {
    await using receiver = await openReceiver({ script: 'cut' });
    using opened = await openSender(receiver);
    expect(await opened.sender.send(REQUEST)).toEqual(
      failure('answer', /foi interrompida/, {
        status: 200,
        phase: 'body',
        answer: expect.stringMatching(/^\.+$/),
      }),
    );
  });

  for (const [what, answer, expected] of [
    ['is no HTTP', 'SSH-2.0-servidor\r\n\r\n', failure('answer', /não é HTTP válido/)],
    [
      'switches protocols',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      failure('status', /o status 101/, { status: 101 }),
    ],
    [
      'has endless headers',
      `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(ANSWER_HEAD_BYTES)}\r\n\r\n`,
      failure('answer', /não é HTTP/),
    ],
  ] as const) {
    test(`when the answer ${what}`, async () => {
      await using server = await openRawTls((socket) => socket.on('data', () => socket.write(answer)));
      using opened = await openSender(server, { realTime: new HandTime() });
      expect(await opened.sender.send(REQUEST)).toEqual(expected);
    });
  }

  test('when the endpoint is no https URL or a header cannot be sent', async () => {
    await using receiver = await openReceiver();
    using opened = await openSender(receiver);
    for (const endpoint of ['', 'erp.exemplo', 'http://erp.exemplo/']) {
      const outcome = await opened.sender.send({ ...REQUEST, endpoint });
      expect(outcome).toEqual(failure('request', /\(ERR_INVALID_URL\); nada foi enviado/));
    }
    const split = { ...REQUEST, headers: { secret: 'a\r\nx-outro: b' } };
    expect(await opened.sender.send(split)).toEqual(failure('request', /\(ERR_INVALID_CHAR\)/));
    expect(receiver.connections).toBe(0);
  });

  test('with a description that contains no secret, path or query', async () => {
    await using receiver = await openReceiver({ script: '500,302,cut,reset' });
    using opened = await openSender(receiver);
    const request = {
      endpoint: `https://${HOST}/canario-caminho?token=canario-consulta`,
      headers: { secret: 'canario-segredo', authorization: 'Basic canario-credencial' },
      body: '"canario-corpo"',
    };
    for (let count = 0; count < 4; count++) {
      expect(JSON.stringify(await opened.sender.send(request))).not.toContain('canario');
    }
  });
});

describe('a delivery succeeds', () => {
  for (const status of [200, 201, 202, 204, 205, 299]) {
    test(`when the receiver answers ${status}`, async () => {
      await using receiver = await openReceiver({ script: `${status}` });
      using opened = await openSender(receiver);
      expect(await opened.sender.send(REQUEST)).toEqual({
        kind: 'delivered',
        status,
        ms: expect.any(Number),
      });
    });
  }

  test('and the receiver gets one POST with the headers and the body of the notification', async () => {
    await using receiver = await openReceiver({ secret: 'segredo' });
    using opened = await openSender(receiver);
    const body = '{"titulo":"ação"}';
    const headers = composeHeaders({
      evento: 'catp-prod-alterado',
      destinatarioTipo: 'CNPJ',
      destinatarioId: '12345678',
      body,
      chaveSecreta: 'segredo',
      chaveAutenticacao: 'Basic YTpi',
    });
    await opened.sender.send({ endpoint: ENDPOINT, headers, body });
    expect(await receiver.next()).toMatchObject({
      number: 1,
      method: 'POST',
      path: '/notificacoes?fila=1',
      body,
      secret: 'matches',
      headers: {
        host: HOST,
        'content-type': 'application/json; charset=utf-8',
        'content-length': '19',
        'destinatario-tipo': 'CNPJ',
        'destinatario-id': '12345678',
        'event-type': 'catp-prod-alterado',
        secret: 'segredo',
        authorization: 'Basic YTpi',
      },
    });
    expect(receiver.requests).toHaveLength(1);
  });

  test('whatever the environment sets for proxies and certificates', async () => {
    await using proxy = await openRawTcp((socket) => socket.destroy());
    await using good = await openReceiver();
    await using bad = await openReceiver({ certificate: 'wrong-name' });
    const address = `http://127.0.0.1:${proxy.port}`;
    const env = {
      ...process.env,
      HTTP_PROXY: address,
      HTTPS_PROXY: address,
      http_proxy: address,
      https_proxy: address,
      ALL_PROXY: address,
      NO_PROXY: '',
      no_proxy: '',
      NODE_USE_ENV_PROXY: '1',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    };
    const program = new URL('../../../support/send-once.ts', import.meta.url).pathname;
    const child = Bun.spawn([process.execPath, program, good.ca, `${good.port}`, `${bad.port}`], {
      env,
      stderr: 'inherit',
    });
    const [toGood, toBad] = (await new Response(child.stdout).json()) as readonly unknown[];
    expect(toGood).toMatchObject({ kind: 'delivered' });
    expect(toBad).toMatchObject({ kind: 'failed', reason: 'certificate' });
    expect(proxy.sockets).toHaveLength(0);
  });
});
