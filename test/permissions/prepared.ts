/** A folder with all records that the examples of the document name, and the headers of each kind of caller. */
import { MINUTE_MS, TestClock } from '../../src/clock.ts';
import { type Document, type Entry, entriesOf } from '../contract/document.ts';
import { type ExampleRequest, exampleOf as bodyOf, requestOf } from '../contract/examples.ts';
import { type OpenAppOptions, type Reply, START, type TestApp, openApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import type { CallerKind } from './matrix.ts';

/** Private parties and public agents are both allowed; no name is resolved, and nothing is retried. */
const SETTINGS: OpenAppOptions['settings'] = {
  ambiente: 'producao',
  'entrega.mapa': 'erp.empresa.com.br:443=127.0.0.1:1',
  'entrega.repeticoes': 'none',
};

/** Longer than the lifetime of a session. */
const LATER_MS = 61 * MINUTE_MS;

export const open = (folder?: string): Promise<TestApp> =>
  openApp({ settings: SETTINGS, demo: true, clock: new TestClock(START), ...(folder && { folder }) });

/** Creates the records that the examples need. Returns the folder and the document. */
export async function prepare(): Promise<{ folder: string; document: Document }> {
  const server = await open();
  const { app, as, anybody, folder } = server;
  const document = (await anybody.call('GET', '/openapi.json')).json as Document;
  const owner = await as('demo');
  for (const id of ['linkManufacturer', 'subscribe', 'startImport']) {
    const { method, path, body } = exampleOf(document, id);
    const reply = await owner.call(method, path, body);
    if (reply.status >= 300) throw new Error(`${id}: ${reply.status} ${reply.text}`);
  }
  const admin = await as('admin');
  await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: ['12345678'] });
  const comparison = exampleOf(document, 'startComparison');
  await owner.call('POST', comparison.path, comparison.body);
  await app.core.remote.runner.idle();
  const run = exampleOf(document, 'startRun');
  await owner.call(run.method, run.path, run.body);
  await app.core.remote.runRunner.idle();
  const { path, body } = exampleOf(document, 'includeProduct');
  await owner.call('POST', path, body);
  const imported = async () => (await owner.call('GET', '/appliance/api/imports/1')).json;
  await eventually(imported).toMatchObject({ state: 'done' });
  const states = async () => {
    const { json } = await owner.call('GET', '/appliance/api/deliveries');
    return new Set((json as { state: string }[]).map(({ state }) => state));
  };
  await eventually(states).toEqual(new Set(['failed']));
  const snapshot = exampleOf(document, 'keepSnapshot');
  await admin.call(snapshot.method, snapshot.path);
  await app.stop();
  await server.close({ keepFolder: true });
  return { folder, document };
}

/** Replaced members: an example that the preparation already created cannot be created again. */
const ANOTHER: Readonly<Record<string, object>> = {
  addRemote: { name: 'outro' },
  includeForeignOperator: { tin: 'DE987654321' },
  linkManufacturer: { cpfCnpjFabricante: '87654321000198' },
  subscribe: { evento: 'catp-prod-desativado' },
  // A longer move by one caller would end the sessions of the others.
  moveClock: { advance: 'PT1M' },
};

/** Returns a request of the operation whose records are those of `prepare`. */
export function requestFor(document: Document, id: string): ExampleRequest {
  const request = exampleOf(document, id);
  return id in ANOTHER ? { ...request, body: { ...(request.body as object), ...ANOTHER[id] } } : request;
}

function exampleOf(document: Document, id: string): ExampleRequest {
  const entries = entriesOf(document);
  const entry = entries.find(({ operationId }) => operationId === id) as Entry;
  const types = Object.keys(entry.requestBody?.content ?? {});
  return requestOf(entries, entry, id, types.length === 0 ? undefined : bodyOf(entry));
}

export type Ask = (kind: CallerKind, request: ExampleRequest) => Promise<Reply>;

/** Signs in all callers; the tokens of `expired` are an hour older. */
export async function callersOf({ anybody, clock }: TestApp): Promise<Ask> {
  const signIn = async (key: string): Promise<Record<string, string>> => {
    const secrets = { 'client-id': key, 'client-secret': key, 'role-type': 'IMPEXP' };
    const { headers } = await anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, secrets);
    return {
      authorization: headers.get('set-token') ?? '',
      'x-csrf-token': headers.get('x-csrf-token') ?? '',
    };
  };
  const expired = await signIn('demo');
  clock.moveTo(clock.now() + LATER_MS);
  const [owner, another, stranger, agent, admin] = await Promise.all(
    ['demo', 'demo', 'estranho', 'publico', 'admin'].map(signIn),
  );
  const headers: Readonly<Record<CallerKind, Record<string, string> | undefined>> = {
    none: {},
    expired,
    csrf: { ...owner, 'x-csrf-token': another?.['x-csrf-token'] ?? '' },
    stranger,
    agent,
    admin,
    owner,
  };
  return (kind, { method, path, body }) => anybody.call(method, path, body, headers[kind] ?? {});
}
