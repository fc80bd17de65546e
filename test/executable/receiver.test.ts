/** `catp receiver` of the executable: each flag does to a delivery what it says. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningCatp } from '../support/executable.ts';
import { REQUEST, openSender } from '../support/delivery.ts';
import { type Alone, openAlone } from './support.ts';

let alone: Alone;
let ca: readonly string[];
beforeAll(async () => {
  alone = await openAlone();
  const { code, stdout } = alone.run(['receiver', 'init', '--dir', 'autoridade']);
  expect([code, stdout]).toEqual([0, expect.stringContaining(join('autoridade', 'ca.pem'))]);
  ca = [readFileSync(join(alone.folder, 'autoridade', 'ca.pem'), 'utf8')];
});
afterAll(() => alone.close());

const WAIT_MS = 20_000;

/** What the receiver shows, once it matches. */
async function shown(receiver: RunningCatp, pattern: RegExp): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  while (!pattern.test(receiver.stdout) && Date.now() < deadline) await Bun.sleep(5);
  expect(receiver.stdout).toMatch(pattern);
}

async function sentTo(receiver: RunningCatp) {
  using opened = await openSender({ port: Number(new URL(receiver.url).port) }, { ca: [...ca] });
  return await opened.sender.send({ ...REQUEST, headers: { secret: 'segredo-1' } });
}

describe('catp receiver', () => {
  test('answers by its script, after its delay, and knows the secret', async () => {
    const receiver = await alone.start(
      ...['receiver', '--dir', 'autoridade', '--host', '127.0.0.1', '--port', '0'],
      ...['--secret', 'segredo-1', '--script', '500,200', '--delay', '50ms'],
    );
    expect(await sentTo(receiver)).toMatchObject({ kind: 'failed', status: 500 });
    const delivered = await sentTo(receiver);
    expect(delivered).toMatchObject({ kind: 'delivered', status: 200 });
    expect('ms' in delivered && delivered.ms >= 50).toBe(true);
    await shown(receiver, /#2 [^]*confere com --secret[^]*→ resposta: 200/);
    expect(await receiver.stop()).toBe(0);
  });

  test('hangs', async () => {
    const receiver = await alone.start('receiver', '--dir', 'autoridade', '--port', '0', '--hang');
    const sent = sentTo(receiver);
    await shown(receiver, /#1 /);
    await receiver.kill9();
    const outcome = await sent;
    expect(outcome.kind).toBe('failed');
    expect('status' in outcome).toBe(false);
  });

  test('resets', async () => {
    const receiver = await alone.start('receiver', '--dir', 'autoridade', '--port', '0', '--reset');
    const outcome = await sentTo(receiver);
    expect([outcome.kind, 'status' in outcome]).toEqual(['failed', false]);
    await shown(receiver, /#1 /);
  });

  test('shows a certificate that must not be taken', async () => {
    const receiver = await alone.start(
      ...['receiver', '--dir', 'autoridade', '--port', '0', '--bad-cert', 'expired'],
    );
    expect(await sentTo(receiver)).toMatchObject({
      kind: 'failed',
      description: expect.stringMatching(/certificado/i),
    });
  });
});
