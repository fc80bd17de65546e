/** Changes of an administrator whose own right ends in the same commit (contract section 27). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { inOneGroup } from '../support/one-group.ts';

const API = '/appliance/api';
const SECOND = '52998224725';
const DEMO = '00000000191';

let server: TestApp;
let admin: Client;
let second: Client;

beforeEach(async () => {
  server = await openApp();
  admin = await server.as('admin');
  const user = { documento: SECOND, nome: 'Segunda', tipo: 'PRIV', administrador: true };
  expect((await admin.call('POST', `${API}/users`, user)).status).toBe(200);
  await server.app.core.session.accounts.addKey({ documento: SECOND }, 'sistema', {
    clientId: 'segunda',
    clientSecret: 'segunda',
  });
  second = await server.as('segunda');
});
afterEach(() => server.close());

const demote = (client: Client) => () =>
  client.call('POST', `${API}/users`, { documento: SECOND, administrador: false });
const remove = (client: Client) => () => client.call('DELETE', `${API}/users/${SECOND}`);

const CHANGES = {
  company: ['POST', `${API}/companies`, { cpfCnpjRaiz: '11222333', nome: 'Nova' }],
  user: ['POST', `${API}/users`, { documento: '11144477735', nome: 'Nova', tipo: 'PRIV' }],
  representation: [
    'POST',
    `${API}/representations`,
    { documento: SECOND, cpfCnpjRaiz: '12345678', perfil: 'IMPEXP' },
  ],
  access: [
    'POST',
    `${API}/access`,
    { documento: '11144477735', nome: 'Nova', companies: 'todas', papel: 'leitura' },
  ],
  key: ['POST', `${API}/keys`, { documento: DEMO }],
  group: ['POST', `${API}/groups`, { group: 'todos', companies: 'todas', papel: 'aprovacao' }],
  identity: ['POST', `${API}/users/${DEMO}/identities`, { issuer: 'https://login.exemplo', sub: 'x' }],
  sessions: ['DELETE', `${API}/users/${DEMO}/sessions`],
  remote: ['POST', `${API}/remotes`, { name: 'portal', companies: ['12345678'] }],
} as const satisfies Record<string, readonly [method: string, path: string, body?: object]>;

/** Returns the number of entries that the second administrator caused. */
const changesOfSecond = async (): Promise<number> =>
  (await admin.call('GET', `${API}/audit?limit=1000`)).json.items.filter(
    ({ actor }: { readonly actor: string }) => actor === SECOND,
  ).length;

describe.each(Object.keys(CHANGES) as (keyof typeof CHANGES)[])('%s', (name) => {
  const [method, path, body] = CHANGES[name] as readonly [string, string, object?];
  const change = () => second.call(method, path, body);

  test.each([
    ['its own demotion', 1, () => demote(second)],
    ['a demotion by another', 0, () => demote(admin)],
    ['its removal', 0, () => remove(admin)],
  ] as const)('is refused behind %s, and leaves nothing', async (_, changes, end) => {
    const [ended, changed] = await inOneGroup(server, end(), change);
    expect([ended.status < 300, changed.status]).toEqual([true, 403]);
    expect(changed.json.message).toBe('Esta operação é reservada ao administrador desta instalação.');
    expect(await changesOfSecond()).toBe(changes);
  });

  test('counts before the demotion', async () => {
    const [changed, ended] = await inOneGroup(server, change, demote(admin));
    expect([changed.status < 300, ended.status]).toEqual([true, 200]);
  });
});
