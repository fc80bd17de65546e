/** Faults of the executable with curl, with and without TLS; `catp serve` has none. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SCHEMES } from '../support/tls.ts';
import { type Sandbox, openSandbox } from './support.ts';

const PATH = '/catp/api/ext/produto';

function curl(
  url: string,
  fault: string,
): { readonly code: number; readonly head: string; readonly body: string } {
  const { exitCode, stdout } = Bun.spawnSync([
    'curl',
    '-sik',
    '-H',
    `X-Simular-Falha: ${fault}`,
    `${url}${PATH}`,
  ]);
  const [head = '', body = ''] = stdout.toString().split('\r\n\r\n');
  return { code: exitCode, head, body };
}

describe.each(SCHEMES)('over %s', (scheme) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox(scheme);
  });
  afterAll(() => sandbox.close());

  test('a connection is closed before an answer, or in the middle of one with a declared length', async () => {
    const dev = await sandbox.start('dev', '--port', '0', '--empty');
    const dropped = curl(dev.url, 'drop');
    expect([[52, 56].includes(dropped.code), dropped.head]).toEqual([true, '']);
    const truncated = curl(dev.url, 'truncate=12');
    expect([[18, 56].includes(truncated.code), truncated.head.split('\r\n')[0], truncated.body]).toEqual([
      true,
      'HTTP/1.1 401 Unauthorized',
      '{"message":"',
    ]);
    expect(Number(/content-length: (\d+)/i.exec(truncated.head)?.[1])).toBeGreaterThan(300);
    expect(curl(dev.url, 'status=599').head).toStartWith('HTTP/1.1 599');
    expect(await dev.stop()).toBe(0);
    expect(await dev.allStderr()).not.toMatch(/^\s*at |error: /m);
  });

  test('catp serve ignores the rules of faults', async () => {
    const server = await sandbox.start('serve', '--port', '0');
    expect(curl(server.url, 'drop').head).toStartWith('HTTP/1.1 401');
    expect(await server.stop()).toBe(0);
  });
});
