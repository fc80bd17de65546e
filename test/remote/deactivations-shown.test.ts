/** The deactivations of a plan are shown at any position, and no other steps. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type TestApp, openApp } from '../support/app.ts';
import { COMPANY, compare, ran } from './support.ts';

let server: TestApp;
beforeEach(async () => {
  server = await openApp();
  const connection = { name: 'portal', companies: [COMPANY] };
  await (await server.as('admin')).call('POST', '/appliance/api/remotes', connection);
});
afterEach(() => server.close());

test('the deactivations of a plan are listed in their order, up to a limit', async () => {
  const { id: comparison } = await compare(server, await server.as('demo'), {});
  const id = await ran(server, comparison, [
    { codigo: 1, outcome: 'pending' },
    { codigo: 2, outcome: 'pending', operation: 'deactivate' },
    { codigo: 3, outcome: 'sent', operation: 'deactivate' },
    { codigo: 4, outcome: 'pending', operation: 'deactivate' },
  ]);
  const { runStore } = server.app.core.remote;
  expect(runStore.deactivations(id, 10).map(({ n }) => n)).toEqual([2, 4]);
  expect(runStore.deactivations(id, 1).map(({ n }) => n)).toEqual([2]);
});
