/**
 * Work whose cost depends on its content runs in separate processes of the executable (contract section 16).
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { trusting } from '../support/tls.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

const COMPANY = '12345678';
const DEV = ['dev', '--port', '0', '--empty'] as const;
const MIB = 2 ** 20;
/** Number of rows whose reading requires some hundred MB. */
const LARGE_ROWS = 160_000;
const ORDINARY_ROWS = 5000;

type Tokens = Record<string, string>;

let sandbox: Sandbox;
beforeEach(async () => void (sandbox = await openSandbox()));
afterEach(() => sandbox.close());

const tokens = async (url: string, key: string): Promise<Tokens> => {
  const headers = await tokensOf(url, key, key);
  if (typeof headers === 'number') throw new Error(`${key} was not signed in: ${headers}`);
  return headers;
};

function sendSheet(url: string, headers: Tokens, rows: number): Promise<Response> {
  const form = new FormData();
  const row = `${'Parafuso sextavado;'.repeat(9)}73181500\n`;
  form.set('file', new Blob([`Denominação;NCM\n${row.repeat(rows)}`]), 'planilha.csv');
  const path = `${url}/appliance/api/sheets?cpfCnpjRaiz=${COMPANY}&tipo=produto`;
  return trusting(path, { method: 'POST', headers, body: form });
}

test('trabalho.memoria: a sheet above it is refused, and the server continues', async () => {
  const catp = await sandbox.start(...DEV, '--set', `trabalho.memoria=${128 * MIB}`);
  const demo = await tokens(catp.url, 'demo');
  const refusal = await sendSheet(catp.url, demo, LARGE_ROWS);
  expect(refusal.status).toBe(422);
  expect(await refusal.text()).toContain('mais memória do que um trabalho pode usar (128 MiB)');
  expect((await sendSheet(catp.url, demo, 1)).status).toBe(201);
  expect(await catp.stop()).toBe(0);
});

test('planilha.guardadas: a sheet with more rows is refused with the number', async () => {
  const catp = await sandbox.start(...DEV, '--set', 'planilha.guardadas=2048');
  const demo = await tokens(catp.url, 'demo');
  const sheet = (await (await sendSheet(catp.url, demo, 100)).json()) as { readonly id: string };
  const response = await trusting(`${catp.url}/appliance/api/imports`, {
    method: 'POST',
    headers: { ...demo, 'content-type': 'application/json' },
    body: JSON.stringify({ sheet: sheet.id, simular: true, constants: { modalidade: 'IMPORTACAO' } }),
  });
  expect([response.status, await response.text()]).toEqual([
    422,
    expect.stringContaining('ocupam até 2 KiB no disco'),
  ]);
  expect(await catp.stop()).toBe(0);
});

test('eight ordinary sheets at once are all read, and meanwhile lists, exports and pages of another company answer', async () => {
  const catp = await sandbox.start(...DEV);
  const [demo, stranger] = [await tokens(catp.url, 'demo'), await tokens(catp.url, 'estranho')];
  let looking = 8;
  const requests = Array.from({ length: looking }, async () => {
    const { status } = await sendSheet(catp.url, demo, ORDINARY_ROWS);
    looking -= 1;
    return status;
  });
  const paths = [
    '/healthz',
    '/catp/api/ext/produto?cpfCnpjRaiz=11222333',
    '/catp/api/ext/produto/exportar/11222333/true',
    '/appliance/api/products?cpfCnpjRaiz=11222333',
    '/appliance/api/search?cpfCnpjRaiz=11222333&text=para',
  ];
  let rounds = 0;
  for (; looking > 0; rounds += 1)
    for (const path of paths) expect([path, (await ask(catp.url, path, stranger)).ok]).toEqual([path, true]);
  expect(await Promise.all(requests)).toEqual(Array.from({ length: 8 }, () => 201));
  expect(rounds).toBeGreaterThan(1);
});

test.if(process.platform === 'linux')('a worker process ends with its server', async () => {
  const catp = await sandbox.start(...DEV);
  const demo = await tokens(catp.url, 'demo');
  expect((await sendSheet(catp.url, demo, 1)).status).toBe(201);
  const { pid } = catp.process;
  const workers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  expect(workers).toHaveLength(1);
  const [worker = ''] = workers;
  expect(readFileSync(`/proc/${worker}/cmdline`, 'utf8')).toContain('--trabalho');
  // The worker has a lower priority than the server.
  const NICE_AT = 16;
  expect(
    readFileSync(`/proc/${worker}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')[NICE_AT],
  ).toBe('10');
  await catp.kill9();
  while (existsSync(`/proc/${worker}`)) await Bun.sleep(10);
});
