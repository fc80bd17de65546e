/** A right ends everywhere at once (contract section 16): the same requests before and after a representation is removed. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../src/clock.ts';
import { COMPANY, importRows, send } from '../catalogue/sheet/support.ts';
import { importerOf, item } from '../catalogue/import/undo-support.ts';
import { compare } from '../remote/support.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { openReceiver } from '../support/receiver.ts';

const OTHER = '87654321';
const DEMO = '00000000191';
const REPRESENTATIONS = '/appliance/api/representations';

let server: TestApp;
let demo: Client;
let colleague: Client;
let admin: Client;

beforeEach(async () => {
  server = await openApp({ parts: { localReceivers: true } });
  [demo, colleague, admin] = [await server.as('demo'), await server.as('demo2'), await server.as('admin')];
});

afterEach(() => server.close());

async function endRight(cpfCnpjRaiz = COMPANY): Promise<void> {
  const representation = { documento: DEMO, cpfCnpjRaiz, perfil: 'IMPEXP' };
  expect((await admin.call('DELETE', REPRESENTATIONS, representation)).status).toBe(204);
}

const PLAIN = { denominacao: 'Um', descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };

const ROWS = [
  ['Nome', 'NCM', 'Modalidade'],
  ['Um', '39269090', 'Importação'],
  ['Dois', 'x', 'Importação'],
];

/** Returns the status of each request, by operation. */
async function statuses(client: Client, requests: readonly (readonly [string, string, unknown?])[]) {
  const statusByOperation: Record<string, number> = {};
  for (const [method, path, body] of requests)
    statusByOperation[`${method} ${path}`] = (await client.call(method, path, body)).status;
  return statusByOperation;
}

test('a sender loses an import, its sheet, a comparison and a run; colleagues keep all', async () => {
  await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: [COMPANY] });
  const sheet = (await send(demo, ROWS.map((row) => row.join(';')).join('\n'))).json.id;
  const { id } = await importRows(demo, ROWS);
  const comparison = (await compare(server, demo, {})).id;
  const run = (
    await demo.call('POST', `/appliance/api/comparisons/${comparison}/runs`, {
      ...{ direction: 'send', simulate: true },
    })
  ).json.id;
  await server.app.core.remote.runRunner.idle();
  const of = `/appliance/api/imports/${id}`;
  const comparisonPath = `/appliance/api/comparisons/${comparison}`;
  const reads = [
    ['GET', of],
    ['GET', `${of}/results`],
    ['GET', `${of}/results.csv`],
    ['GET', `${of}/results.xlsx`],
    ['GET', `${of}/errors.csv`],
    ['GET', `${of}/reasons`],
    ['GET', `${of}/failed.xlsx`],
    ['GET', comparisonPath],
    ['GET', `${comparisonPath}/records`],
    ['GET', `${comparisonPath}/records.csv`],
    ['GET', `${comparisonPath}/files.zip`],
    ['GET', `/appliance/api/runs/${run}`],
    ['GET', `/appliance/api/runs/${run}/steps`],
  ] as const;
  const own = [['GET', `/appliance/api/sheets/${sheet}`]] as const;
  const writes = [
    ['POST', `${of}/corrections`, { set: [] }],
    ['POST', `${of}/undo`, {}],
    ['DELETE', of],
    ['DELETE', `${of}/results`],
    ['POST', '/appliance/api/imports', { sheet }],
    ['POST', `${comparisonPath}/runs`, { direction: 'send', simulate: true }],
  ] as const;
  expect(new Set(Object.values(await statuses(demo, [...reads, ...own])))).toEqual(new Set([200]));
  expect((await demo.call('GET', '/appliance/api/imports')).json).toHaveLength(1);

  await endRight();
  expect(new Set(Object.values(await statuses(demo, [...reads, ...own, ...writes])))).toEqual(new Set([404]));
  expect((await demo.call('GET', '/appliance/api/imports')).json).toEqual([]);
  // Nothing was deleted.
  expect(new Set(Object.values(await statuses(colleague, reads)))).toEqual(new Set([200]));
  expect((await colleague.call('GET', `${of}/results`)).json).toHaveLength(2);
});

test('a file with items of several companies belongs to its sender only while it represents all of them', async () => {
  const by = importerOf(demo);
  const { id } = await by.importFile([item({}), item({ seq: 2, cpfCnpjRaiz: OTHER })]);
  expect((await demo.call('GET', `/appliance/api/imports/${id}/results`)).status).toBe(200);
  await endRight(OTHER);
  expect((await demo.call('GET', `/appliance/api/imports/${id}/results`)).status).toBe(404);
  expect((await demo.call('GET', '/appliance/api/imports')).json).toEqual([]);
});

test('no pending event of the company is sent, and no stored one is read or replayed', async () => {
  const DELIVERIES = '/appliance/api/deliveries';
  await using receiver = await openReceiver({ script: '500' });
  const endpoint = `https://localhost:${receiver.port}/`;
  await demo.call('POST', '/portal/api/ext/webhook', { evento: 'catp-prod-alterado', endpoint });
  for (const cpfCnpjRaiz of [COMPANY, OTHER])
    await demo.call('POST', `/catp/api/ext/produto/${cpfCnpjRaiz}`, PLAIN);
  const failures = async () => (await demo.call('GET', '/portal/api/ext/webhook/falhas')).json.length;
  const listed = async () => (await demo.call('GET', DELIVERIES)).json.map(({ id }: { id: number }) => id);
  await eventually(failures).toBe(2);
  expect(await listed()).toEqual([2, 1]);

  await endRight();
  expect([await failures(), await listed()]).toEqual([1, [2]]);
  const requests = [
    ['GET', `${DELIVERIES}/1`],
    ['POST', `${DELIVERIES}/1/replay`],
  ] as const;
  expect(new Set(Object.values(await statuses(demo, requests)))).toEqual(new Set([404]));
  expect((await demo.call('GET', `${DELIVERIES}.csv`)).text.trimEnd().split('\r\n')).toHaveLength(2);
  server.clock.moveTo(server.clock.now() + 5 * MINUTE_MS);
  await eventually(async () => (await admin.call('GET', `${DELIVERIES}/1`)).json.state).toBe('cancelled');
  await eventually(() => receiver.requests.length).toBe(3);
  expect(receiver.requests.slice(2).map(({ headers }) => headers['destinatario-id'])).toEqual([
    `${OTHER}000198`,
  ]);
});

test('a waiting run is paused, and continues in the name of a colleague', async () => {
  const remoteServer = await openApp({ clock: server.clock, over: 'http', settings: { perfil: 'portal' } });
  try {
    const connection = { url: remoteServer.url, clientId: 'demo', clientSecret: 'demo' };
    await admin.call('POST', '/appliance/api/remotes', { name: 'la', companies: [COMPANY], ...connection });
    await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, PLAIN);
    const { remote } = server.app.core;
    const comparison = await demo.call('POST', '/appliance/api/remotes/la/comparisons', {
      cpfCnpjRaiz: COMPANY,
    });
    await remote.runner.idle();
    await (
      await remoteServer.as('admin')
    ).call('POST', '/appliance/api/faults', {
      operation: 'includeProduct',
      fault: { kind: 'hourly-limit' },
    });
    const order = await demo.call('POST', `/appliance/api/comparisons/${comparison.json.id}/runs`, {
      direction: 'send',
    });
    const run = `/appliance/api/runs/${order.json.id}`;
    const becomes = (state: string) =>
      eventually(async () => (await colleague.call('GET', run)).json.state).toBe(state);
    await becomes('resting');
    await endRight();
    await becomes('paused');
    expect((await colleague.call('GET', run)).json.reason).toContain('deixou de representar');
    server.clock.moveTo(server.clock.now() + 2 * HOUR_MS);
    const again = await server.as('demo2');
    await again.call('POST', `${run}/resume`);
    await eventually(async () => (await again.call('GET', run)).json.state).toBe('done');
  } finally {
    await remoteServer.close();
  }
});

describe('during the end of a right', () => {
  test('a stream is cut off', async () => {
    const by = importerOf(demo);
    const items = Array.from({ length: 300 }, (_, seq) => item({ seq, denominacao: `Caixa ${seq}` }));
    const { id } = await by.importFile(items);
    const headers = await signedIn('demo');
    const response = await server.app.fetch(
      new Request(`http://catp.test/appliance/api/imports/${id}/results`, { headers }),
    );
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect((await reader.read()).done).toBe(false);
    await endRight();
    await expect(reader.read()).rejects.toThrow('deixou de representar');
  });

  test('a stream of another user continues', async () => {
    const by = importerOf(demo);
    const { id } = await by.importFile([item({})]);
    const headers = await signedIn('demo2');
    const response = await server.app.fetch(
      new Request(`http://catp.test/appliance/api/imports/${id}/results`, { headers }),
    );
    await endRight();
    expect(await response.json()).toHaveLength(1);
  });

  test('a body that is still arriving is refused at its end', async () => {
    const headers = await signedIn('demo');
    const bodyEnd = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        const boundary = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
        controller.enqueue(new TextEncoder().encode(`${boundary}Nome;NCM\r\n`));
        await bodyEnd.promise;
        controller.enqueue(new TextEncoder().encode('Um;39269090\r\n\r\n--b--\r\n'));
        controller.close();
      },
    });
    const answer = server.app.fetch(
      new Request(`http://catp.test/appliance/api/sheets?cpfCnpjRaiz=${COMPANY}&tipo=produto`, {
        ...{ method: 'POST', body, duplex: 'half' },
        headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
      }),
    );
    await endRight();
    bodyEnd.resolve();
    expect((await answer).status).toBe(403);
  });
});

async function signedIn(key: string): Promise<Record<string, string>> {
  const secrets = { 'client-id': key, 'client-secret': key, 'role-type': 'IMPEXP' };
  const { headers } = await server.anybody.call(
    'POST',
    '/portal/api/autenticar/chave-acesso',
    undefined,
    secrets,
  );
  return {
    authorization: headers.get('set-token') ?? '',
    'x-csrf-token': headers.get('x-csrf-token') ?? '',
  };
}
