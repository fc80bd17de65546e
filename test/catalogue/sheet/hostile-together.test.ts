/**
 * Hostile sheets of several users at once: other users are answered, each sheet ends, and nothing of them
 * is stored (contract section 16).
 */
import { afterEach, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownCommand } from '../../../src/assembly/reading/read-dispatcher.ts';
import { WatchedProcesses } from '../../reading/support.ts';
import type { RealTime } from '../../../src/clock.ts';
import { SYSTEM } from '../../../src/session/model.ts';
import { hostileXlsx } from '../../sheet/hostile.ts';
import { type Client, type Reply, type TestApp, listenOver, openApp } from '../../support/app.ts';
import { HandTime } from '../../support/real-time.ts';
import { COMPANY, SHEETS, send } from './support.ts';

const OTHER = '87654321';
const OTHERS = '11222333';
const COLUMNS = 16_384;

let server: TestApp;
let processes: WatchedProcesses;
/** User that sends no sheet. */
let reader: Client;

async function open(parts: { readonly realTime?: RealTime }): Promise<void> {
  processes = new WatchedProcesses(ownCommand());
  server = await openApp({ demo: true, parts: { processes, ...parts } });
  reader = await signedIn('00000000604', OTHER);
}

afterEach(async () => {
  await server.close();
  await processes.close();
});

/** Adds a user that represents the company. */
async function signedIn(documento: string, cpfCnpjRaiz: string): Promise<Client> {
  const { accounts } = server.app.core.session;
  await accounts.putUser({
    documento,
    nome: 'Outra pessoa',
    tipo: 'PRIV',
    orgao: null,
    administrador: false,
  });
  await accounts.putRepresentation({ documento, cpfCnpjRaiz, perfil: 'IMPEXP' });
  await accounts.addKey({ documento }, SYSTEM, { clientId: documento, clientSecret: documento });
  return server.as(documento);
}

const line = (cell: (column: number) => string): string =>
  Array.from({ length: COLUMNS }, (_, n) => cell(n)).join(';');
const wide = (heading: string): string =>
  [line((n) => `${heading}${n % 2}`), ...Array.from({ length: 30 }, () => line(() => '39269090'))].join('\n');
const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const workbook = (): Uint8Array =>
  hostileXlsx({ rows: { head: '', body: `<row>${text('1')}</row>`, times: 2000 }, sheets: 400 });

const imports = (): string[] => readdirSync(join(server.folder, 'imports'));

async function expectAnswers(): Promise<void> {
  for (const path of [
    '/healthz',
    `/catp/api/ext/produto?cpfCnpjRaiz=${OTHER}`,
    `/appliance/api/products?cpfCnpjRaiz=${OTHER}`,
    `/appliance/api/search?cpfCnpjRaiz=${OTHER}&text=par`,
  ])
    expect([path, (await reader.call('GET', path)).status]).toEqual([path, 200]);
}

test('four hostile CSVs and a workbook by four users end with clear refusals, while another user gets answers', async () => {
  await open({ realTime: new HandTime() }); // no timeout elapses, also on a slow machine
  const [demo, demo2, estranho] = [
    await server.as('demo'),
    await server.as('demo2'),
    await server.as('estranho'),
  ];
  const fourth = await signedIn('00000000787', OTHERS);
  const { startedWork } = processes;
  let pendingUploads = 5;
  const ended = (answer: Promise<Reply>): Promise<Reply> => answer.finally(() => (pendingUploads -= 1));
  const answers = [
    ended(send(demo, wide('NCM'))),
    ended(send(demo2, `NCM;Nome\n${'\n'.repeat(2_000_000)}`)),
    ended(send(estranho, wide('País de origem '), { company: OTHERS })),
    ended(send(fourth, `NCM;Nome\n${`${';'.repeat(COLUMNS - 1)}\n`.repeat(1000)}`, { company: OTHERS })),
    ended(send(demo, workbook(), { name: 'livro.xlsx' })),
  ];
  await processes.until(() => processes.startedWork > startedWork);
  await expectAnswers();
  expect(pendingUploads).toBeGreaterThan(0);
  const [ncm, lines, countries, blanks, book] = await Promise.all(answers);
  for (const reply of [ncm, countries])
    expect([reply?.status, reply?.json.sheets[0].columns.length]).toEqual([201, COLUMNS]);
  const refusals = [lines, blanks, book].map((refused) => [refused?.status, refused?.json.detail[0].message]);
  expect(refusals).toEqual([
    [422, expect.stringContaining('1.000.000')],
    [422, expect.stringContaining('não tem linhas')],
    [422, expect.stringContaining('100 planilhas')],
  ]);
  expect(imports()).toHaveLength(2);
}, 180_000);

test('a hostile sheet whose sender disconnects ends with its process, and none of it is stored', async () => {
  await open({});
  const listener = await listenOver('http', server.app);
  try {
    const { url } = listener;
    const secrets = { 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' };
    const session = await fetch(`${url}/portal/api/autenticar/chave-acesso`, {
      method: 'POST',
      headers: secrets,
    });
    const headers = {
      authorization: session.headers.get('set-token') ?? '',
      'x-csrf-token': session.headers.get('x-csrf-token') ?? '',
    };
    const form = new FormData();
    form.set('file', new File([wide('NCM')], 'planilha.csv'));
    const disconnect = new AbortController();
    const path = `${url}${SHEETS}?cpfCnpjRaiz=${COMPANY}&tipo=produto`;
    const { startedWork, ended } = processes; // one process has loaded the table of the demonstration
    const upload = fetch(path, { method: 'POST', headers, body: form, signal: disconnect.signal });
    await processes.until(() => processes.startedWork > startedWork);
    disconnect.abort();
    expect(await upload.catch((error: Error) => error.name)).toBe('AbortError');
    await processes.until(() => processes.ended > ended);
    while (imports().length > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    await expectAnswers();
  } finally {
    await listener.stop(0);
  }
});
