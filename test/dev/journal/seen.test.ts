/**
 * The visibility of the journal: an administrator sees all rows, others their own, and automatic requests
 * of pages only on request.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';

const REQUESTS = '/appliance/api/requests';
const SUBSCRIPTIONS = '/portal/api/ext/webhook';

interface Row {
  readonly id: number;
  readonly path: string;
  readonly user: string | null;
}

let server: TestApp;
let demo: Client;
let admin: Client;
beforeEach(async () => {
  server = await openApp();
  [demo, admin] = [await server.as('demo'), await server.as('admin')];
  await admin.call('DELETE', REQUESTS);
});
afterEach(() => server.close());

test('the journal requires a session; only an administrator sees requests of others, and empties it', async () => {
  for (const path of ['', '/1', '/1/curl', '/live'])
    expect((await server.anybody.call('GET', REQUESTS + path)).status).toBe(401);
  expect((await demo.call('DELETE', REQUESTS)).status).toBe(403);
  await demo.call('GET', '/nada/meu');
  await admin.call('GET', '/appliance/api/companies');
  await server.anybody.call('GET', '/nada/de-ninguem');
  const all = (await admin.call('GET', REQUESTS)).json as Row[];
  expect(all.map(({ path }) => path)).toEqual([
    ...['/nada/de-ninguem', '/appliance/api/companies', '/nada/meu'],
  ]);
  const [mine, ...others] = (await demo.call('GET', REQUESTS)).json as Row[];
  expect([mine?.user, mine?.path, others]).toEqual(['00000000191', '/nada/meu', []]);
  for (const path of ['', '/curl']) {
    expect((await demo.call('GET', `${REQUESTS}/${mine?.id}${path}`)).status).toBe(200);
    expect((await demo.call('GET', `${REQUESTS}/${all[1]?.id}${path}`)).status).toBe(404);
  }
});

test('automatic requests of the pages are listed on request', async () => {
  await demo.call('GET', SUBSCRIPTIONS, undefined, { 'x-catp-pagina': '1' });
  for (const client of [demo, admin]) {
    const paths = async (query: string) =>
      ((await client.call('GET', REQUESTS + query)).json as Row[]).map(({ path }) => path);
    expect([await paths(''), await paths('?pages=false'), await paths('?pages=true')]).toEqual([
      ...[[], [], [SUBSCRIPTIONS]],
    ]);
  }
});
