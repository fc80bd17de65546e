/**
 * The stored answer of a receiver: its first 4 KiB, to diagnose a refusal (contract section 10); never a
 * secret that the answer repeats.
 */
import { describe, expect, test } from 'bun:test';
import { Excerpt } from '../../../../src/notification/delivery/send/excerpt.ts';
import { DELIVERY_DEADLINE_MS } from '../../../../src/notification/delivery/send/sender.ts';
import { openRawTls, openSender, REQUEST } from '../../../support/delivery.ts';
import { HandTime } from '../../../support/real-time.ts';

const SECRET = 's3gredo "do" receptor';
const SECRETS = [SECRET, 'Basic dXN1YXJpbzpzZW5oYQ=='];
const KEPT = 4096;

function excerptOf(...parts: readonly (string | Uint8Array)[]): string {
  const excerpt = new Excerpt(SECRETS);
  for (const part of parts) excerpt.add(typeof part === 'string' ? Buffer.from(part) : part);
  return excerpt.text;
}

describe('the stored answer', () => {
  test('has 4096 bytes, without an incomplete character at the end', () => {
    expect(excerptOf('a'.repeat(KEPT))).toBe('a'.repeat(KEPT));
    expect(excerptOf('a'.repeat(KEPT), 'b')).toBe('a'.repeat(KEPT));
    expect(excerptOf('a'.repeat(KEPT - 1), 'é')).toBe('a'.repeat(KEPT - 1));
    expect(excerptOf('a'.repeat(KEPT - 2), 'é')).toBe(`${'a'.repeat(KEPT - 2)}é`);
    expect(excerptOf('a'.repeat(10 * KEPT))).toBe('a'.repeat(KEPT));
    expect(excerptOf()).toBe('');
  });

  test('is decoded as UTF-8, also in pieces, else as windows-1252', () => {
    const bytes = Buffer.from('não é');
    expect(excerptOf(bytes.subarray(0, 2), bytes.subarray(2))).toBe('não é');
    expect(excerptOf(Buffer.from('não é', 'latin1'))).toBe('não é');
    expect(excerptOf('a\0b')).toBe('a\uFFFDb');
  });

  test('masks a secret: plain, in JSON, in a URL, across the end of the kept part, and truncated', () => {
    expect(excerptOf(`recebi ${SECRET} e ${SECRETS[1]}.`)).toBe('recebi ••• e •••.');
    expect(excerptOf(JSON.stringify({ secret: SECRET }))).toBe('{"secret":"•••"}');
    expect(excerptOf(`?k=${encodeURIComponent(SECRET)}`)).toBe('?k=•••');
    const excerpt = excerptOf('a'.repeat(KEPT - 6), SECRET, 'b'.repeat(KEPT));
    expect(excerpt).toBe(`${'a'.repeat(KEPT - 6)}••`);
    expect(excerptOf(`recebi ${SECRET.slice(0, 9)}`)).toBe('recebi •••');
    const far = excerptOf('a'.repeat(2 * KEPT - 5), SECRET);
    expect(far).toBe('a'.repeat(KEPT));
  });
});

describe('a sender', () => {
  const answering = (text: string) =>
    openRawTls((socket) => void socket.once('data', () => socket.write(text)));
  const headers = { ...REQUEST.headers, secret: SECRET };

  test('returns the answer with the outcome, of a success too', async () => {
    for (const status of ['200 OK', '422 Nao']) {
      await using server = await answering(
        `HTTP/1.1 ${status}\r\ncontent-length: 28\r\n\r\nvi ${SECRET}: ok`,
      );
      using opened = await openSender(server);
      expect(await opened.sender.send({ ...REQUEST, headers })).toMatchObject({
        status: Number(status.slice(0, 3)),
        answer: 'vi •••: ok',
      });
    }
  });

  test('keeps a refusal whose rest does not arrive in time: it is no timeout', async () => {
    const realTime = new HandTime();
    await using server = await answering('HTTP/1.1 500 Erro\r\ncontent-length: 100\r\n\r\nmeio');
    const phases: string[] = [];
    using opened = await openSender(server, {
      realTime,
      onPhase: (phase) => {
        phases.push(phase);
        if (phases.filter((one) => one === 'answer').length === 2) realTime.pass(DELIVERY_DEADLINE_MS);
      },
    });
    expect(await opened.sender.send(REQUEST)).toMatchObject({
      kind: 'failed',
      reason: 'status',
      status: 500,
      phase: 'answer',
    });
  });
});
