/** `catp receiver` of the executable: each flag has its documented effect on a delivery. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import type { RunningCatp } from '../support/executable.ts';
import { REQUEST, openSender } from '../support/delivery.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

let sandbox: Sandbox;
let ca: readonly string[];
beforeAll(async () => {
  sandbox = await openSandbox();
  const { code, stdout } = sandbox.run(['receiver', 'init', '--dir', 'autoridade']);
  expect([code, stdout]).toEqual([0, expect.stringContaining(join('autoridade', 'ca.pem'))]);
  ca = [readFileSync(join(sandbox.folder, 'autoridade', 'ca.pem'), 'utf8')];
});
afterAll(() => sandbox.close());

const outputMatching = (receiver: RunningCatp, pattern: RegExp): Promise<string> =>
  eventually(() => receiver.stdout).toMatch(pattern);

async function sendTo(receiver: RunningCatp) {
  using opened = await openSender({ port: Number(new URL(receiver.url).port) }, { ca: [...ca] });
  return await opened.sender.send({ ...REQUEST, headers: { secret: 'segredo-1' } });
}

describe('catp receiver', () => {
  test('answers by its script, after its delay, and verifies the secret', async () => {
    writeFileSync(join(sandbox.folder, 'segredo'), 'segredo-1\n');
    const receiver = await sandbox.start(
      ...['receiver', '--dir', 'autoridade', '--host', '127.0.0.1', '--port', '0'],
      ...['--secret-file', 'segredo', '--script', '500,200', '--delay', '50ms'],
    );
    expect(await sendTo(receiver)).toMatchObject({ kind: 'failed', status: 500 });
    const delivered = await sendTo(receiver);
    expect(delivered).toMatchObject({ kind: 'delivered', status: 200 });
    expect('ms' in delivered && delivered.ms >= 50).toBe(true);
    await outputMatching(receiver, /#2 [^]*→ segredo confere\n[^]*→ resposta: 200/);
    expect(await receiver.stop()).toBe(0);
  });

  test('its variable is not a setting of the other commands', () => {
    sandbox.init();
    expect(sandbox.run(['user', 'list'], { CATP_RECEIVER_SECRET: 'segredo-1' }).code).toBe(0);
    expect(sandbox.run(['user', 'list'], { CATP_RECEIVER_SECRETO: 'segredo-1' }).code).toBe(2);
  });

  test('hangs', async () => {
    const receiver = await sandbox.start('receiver', '--dir', 'autoridade', '--port', '0', '--hang');
    const delivery = sendTo(receiver);
    await outputMatching(receiver, /#1 /);
    await receiver.kill9();
    const outcome = await delivery;
    expect(outcome.kind).toBe('failed');
    expect('status' in outcome).toBe(false);
  });

  test('resets', async () => {
    const receiver = await sandbox.start('receiver', '--dir', 'autoridade', '--port', '0', '--reset');
    const outcome = await sendTo(receiver);
    expect([outcome.kind, 'status' in outcome]).toEqual(['failed', false]);
    await outputMatching(receiver, /#1 /);
  });

  test('uses a certificate that clients must refuse', async () => {
    const receiver = await sandbox.start(
      ...['receiver', '--dir', 'autoridade', '--port', '0', '--bad-cert', 'expired'],
    );
    expect(await sendTo(receiver)).toMatchObject({
      kind: 'failed',
      description: expect.stringMatching(/certificado/i),
    });
  });

  test('listens without TLS too, and forwards to a program that answers', async () => {
    const handler = await sandbox.start(
      ...['receiver', '--dir', 'autoridade', '--port', '0', '--http-port', '0', '--script', '201'],
    );
    const [, plain = ''] = /HTTP em (http:\S+)/.exec(handler.stdout) ?? [];
    const receiver = await sandbox.start(
      ...['receiver', '--dir', 'autoridade', '--port', '0', '--forward', `${plain}/hook`],
    );
    expect(await sendTo(receiver)).toMatchObject({ kind: 'delivered', status: 201 });
    await outputMatching(handler, /POST \/hook\n/);
    await outputMatching(receiver, /#1 \S+\/hook respondeu 201/);
    expect(await receiver.stop()).toBe(0);
    expect(await handler.stop()).toBe(0);
  });
});

describe('catp dev --local-receivers', () => {
  test('delivers a sample to a program on plain localhost, next to the running server', async () => {
    const handler = await sandbox.start(
      ...['receiver', '--dir', 'autoridade', '--port', '0', '--http-port', '0'],
    );
    const [, port = ''] = /HTTP em http:\/\/127\.0\.0\.1:(\d+)/.exec(handler.stdout) ?? [];
    const dev = await sandbox.start('dev', '--data', 'local', '--port', '0', '--empty', '--local-receivers');
    const tokens = await tokensOf(dev.url, 'demo', 'demo');
    const subscription = await fetch(`${dev.url}/portal/api/ext/webhook`, {
      method: 'POST',
      headers: tokens as Record<string, string>,
      body: JSON.stringify({ evento: 'duex-historico', endpoint: `http://localhost:${port}/hook` }),
    });
    expect(subscription.status).toBe(200);

    const sample = sandbox.run(['event', 'trigger', 'duex-historico', '--data', 'local']);
    expect([sample.code, sample.stdout]).toEqual([
      0,
      'Evento duex-historico publicado para CNPJ:12345678000195; entregas: 1.\n',
    ]);
    await outputMatching(handler, /POST \/hook\n[^]*event-type: duex-historico\n[^]*"tipo":"DESEMBARACO"/);

    writeFileSync(join(sandbox.folder, 'catp.toml'), 'ambiente = "validacao"\n');
    const delivery = sandbox.run([
      ...['event', 'trigger', 'duex-historico', '--data', 'local', '--conteudo', '{"n": 1.10}'],
      ...['--set', 'perfil=especificacao', '--config', 'catp.toml'],
    ]);
    expect(delivery.code).toBe(0);
    await outputMatching(handler, /\{"n": 1\.10\}/);
    writeFileSync(join(sandbox.folder, 'corpo.json'), '{"de":"arquivo"}');
    expect(
      sandbox.run(['event', 'trigger', 'duex-historico', '--data', 'local', '--arquivo', 'corpo.json']).code,
    ).toBe(0);
    await outputMatching(handler, /\{"de":"arquivo"\}/);
    expect(await dev.stop()).toBe(0);
    expect(await handler.stop()).toBe(0);
  });
});
