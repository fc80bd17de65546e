/** The other machine's answer to `/readyz` (contract sections 16 and 26). */
import { afterEach, describe, expect, test } from 'bun:test';
import { type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { REAL_TIME } from '../../src/clock.ts';
import { askEpoch } from '../../src/replica/partner.ts';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
});

async function addressOf(answer: (response: ServerResponse) => void): Promise<string> {
  const one = (server = createServer((_, response) => answer(response)));
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
}

describe('a partner that sends its epoch in the header is read', () => {
  test.each([200, 503])('although its body never ends (%i)', async (status) => {
    const address = await addressOf((response) => {
      response.writeHead(status, { 'Catp-Epoch': '7' });
      response.write('{');
    });
    expect(await askEpoch(address, REAL_TIME)).toMatchObject({ kind: 'epoch', epoch: { number: 7 } });
  });

  test.each([200, 503])('although its body is too large (%i)', async (status) => {
    const address = await addressOf((response) => {
      response.writeHead(status, { 'Catp-Epoch': '7' });
      response.end(Buffer.alloc(4 * 2 ** 20, ' '));
    });
    expect(await askEpoch(address, REAL_TIME)).toMatchObject({ kind: 'epoch', epoch: { number: 7 } });
  });

  test('and one without the header counts as silent', async () => {
    const address = await addressOf((response) => response.end('{}'));
    expect(await askEpoch(address, REAL_TIME)).toEqual({
      kind: 'silent',
      isLate: false,
      reason: 'respondeu 200 sem dizer sua época',
    });
  });
});
