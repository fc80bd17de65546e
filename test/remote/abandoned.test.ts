/**
 * A remote whose answer never ends blocks no other work: the caller stops when it is cancelled or its owner
 * is gone (contract section 16).
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { HOUR_MS } from '../../src/clock.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';
import { COMPANY } from './support.ts';

const REMOTES = '/appliance/api/remotes';
const COMPARISONS = '/appliance/api/comparisons';

let localApp: TestApp;
let admin: Client;
let demo: Client;
let server: Server;
/** Resolves with the answer that is never ended, once its first byte is on the way. */
let beginning: Promise<ServerResponse>;
let url: string;

beforeEach(async () => {
  localApp = await openApp();
  [admin, demo] = [await localApp.as('admin'), await localApp.as('demo')];
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  beginning = promise;
  server = createServer((request, response) => {
    response.on('error', () => undefined);
    if (request.url?.startsWith('/portal') === true) {
      const until = String(START + HOUR_MS);
      const tokens = { 'Set-Token': 'Bearer a.e30.c', 'X-CSRF-Token': 'csrf', 'X-CSRF-Expiration': until };
      response.writeHead(200, tokens).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.write('[');
    resolve(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = { clientId: 'demo', clientSecret: 'demo' };
  await admin.call('POST', REMOTES, { name: 'la', companies: [COMPANY], url, ...key });
});

afterEach(async () => {
  await localApp.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Starts a comparison whose first export is under way; `closed` resolves when this side hangs up. */
async function underWay(): Promise<{ readonly id: number; readonly closed: Promise<void> }> {
  const started = await demo.call('POST', `${REMOTES}/la/comparisons`, { cpfCnpjRaiz: COMPANY });
  expect(started.status).toBe(202);
  const response = await beginning;
  const closed = new Promise<void>((resolve) => response.on('close', resolve));
  return { id: started.json.id, closed };
}

const endOf = (id: number) => localApp.app.core.remote.store.findComparison(id);

test.each([
  ['is cancelled', (id: number) => demo.call('DELETE', `${COMPARISONS}/${id}`), 'cancelada por'],
  ['loses its remote', () => admin.call('DELETE', `${REMOTES}/la`), 'o remoto foi removido'],
])('a download ends when its comparison %s', async (_, end, error) => {
  const { id, closed } = await underWay();
  expect((await end(id)).status).toBe(204);
  await closed;
  await localApp.app.core.remote.runner.idle();
  expect(endOf(id)).toMatchObject({
    state: 'cancelled',
    error: { code: 'CATP-ER1531', message: expect.stringContaining(error) },
  });
  expect(readdirSync(join(localApp.folder, 'imports'))).toEqual([]);
});

test('a download ends when its company is removed', async () => {
  const { id, closed } = await underWay();
  const { accounts } = localApp.app.core.session;
  for (const { documento, cpfCnpjRaiz, perfil } of accounts.listRepresentations())
    if (cpfCnpjRaiz === COMPANY) await accounts.removeRepresentation({ documento, cpfCnpjRaiz, perfil });
  const removed = await admin.call('DELETE', `/appliance/api/companies/${COMPANY}`);
  expect([removed.status, removed.text]).toEqual([204, '']);
  await closed;
  await localApp.app.core.remote.runner.idle();
  expect(endOf(id)).toMatchObject({ state: 'cancelled', error: { message: 'a empresa foi removida' } });
  expect(readdirSync(join(localApp.folder, 'imports'))).toEqual([]);
});

test('a download ends a second after another process ended its comparison', async () => {
  const { id, closed } = await underWay();
  const { writer, remote } = localApp.app.core;
  await writer.write(() =>
    remote.store.cancel(id, { code: 'CATP-ER1531', message: 'a empresa foi removida' }),
  );
  await closed;
  await localApp.app.core.remote.runner.idle();
  expect(endOf(id)?.state).toBe('cancelled');
});
