/**
 * Pages of other origins and a development instance: the allowed ones, and the allowed host names (contract
 * section 2).
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Sandbox, openSandbox } from './support.ts';

const OURS = '/appliance/api/session';
const LIST = '/catp/api/ext/produto';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

/** Returns the status and the allowed origin. */
async function corsAnswer(
  url: string,
  ...headers: readonly string[]
): Promise<readonly [number, string | undefined]> {
  const headerFlags = headers.flatMap((header) => ['--header', header]);
  const child = Bun.spawn(['curl', '--silent', '--include', ...headerFlags, url], { stdout: 'pipe' });
  const answer = await new Response(child.stdout).text();
  const [, status = ''] = /^HTTP\/1.1 (\d+)/.exec(answer) ?? [];
  const [, origin] = /^access-control-allow-origin: (.*)\r$/im.exec(answer) ?? [];
  return [Number(status), origin];
}

test('by default only local pages are accepted, and only the host names of the loopback and of the setting', async () => {
  const flags = ['--empty', '--port', '0', '--data', 'dados', '--set', 'servidor.nomes=erp.local'];
  const { url } = await sandbox.start('dev', ...flags);
  expect(await corsAnswer(`${url}${LIST}`, 'Origin: https://pagina.exemplo')).toEqual([401, undefined]);
  expect(await corsAnswer(`${url}${LIST}`, 'Origin: null')).toEqual([401, undefined]);
  const local = 'http://localhost:5173';
  expect(await corsAnswer(`${url}${OURS}`, `Origin: ${local}`)).toEqual([401, local]);
  expect(await corsAnswer(`${url}${OURS}`, 'Host: ataque.exemplo')).toEqual([421, undefined]);
  expect(await corsAnswer(`${url}${OURS}`, 'Host: erp.local:8080')).toEqual([401, undefined]);
  expect(await corsAnswer(`${url}${LIST}`, 'Host: ataque.exemplo')).toEqual([401, undefined]);
});

test('a setting for any origin does not open the administration of the instance', async () => {
  const { url } = await sandbox.start(
    'dev',
    '--empty',
    '--port',
    '0',
    '--data',
    'dados',
    '--set',
    'cors.origens=*',
  );
  const page = 'https://pagina.exemplo';
  expect(await corsAnswer(`${url}${LIST}`, `Origin: ${page}`)).toEqual([401, page]);
  expect(await corsAnswer(`${url}${OURS}`, `Origin: ${page}`)).toEqual([401, undefined]);
});
