/** Access by groups of the provider, and `oidc.criar` (contract section 27). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Client, Reply } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { type ProviderApp, codeOf, openProviderApp } from '../support/provider-sign-in.ts';

const [NEWCOMER, MARIA] = ['52998224725', '00000000191'];
const [FIRST, SECOND] = ['12345678', '87654321'];
const GROUPS = '/appliance/api/groups';

let setup: ProviderApp;
let admin: Client;
beforeEach(async () => {
  setup = await openProviderApp({ settings: { 'oidc.grupos': 'grupos', 'oidc.criar': 'true' } });
  admin = await setup.app.as('admin');
});
afterEach(() => setup[Symbol.asyncDispose]());

const give = async (
  group: string,
  companies: readonly string[] | 'todas',
  papel: string,
): Promise<number> => {
  const { status, json } = await admin.call('POST', GROUPS, { group, companies, papel });
  expect(status).toBe(200);
  return json.id;
};

/** Signs in with these groups. Returns a client of the session. */
async function signIn(grupos: unknown, cpf = NEWCOMER): Promise<Client> {
  setup.provider.person = {
    sub: `sub-${cpf}`,
    cpf,
    name: 'Nova  Pessoa',
    email: 'nova@empresa.exemplo',
    ...(grupos !== undefined && { grupos }),
  };
  const { reply, cookie } = await setup.signIn();
  const { headers } = await setup.trade(codeOf(reply), cookie);
  const tokens = {
    authorization: headers.get('set-token') ?? '',
    'x-csrf-token': headers.get('x-csrf-token') ?? '',
  };
  return {
    call: (method, path, body, extraHeaders = {}) =>
      setup.app.anybody.call(method, path, body, { ...tokens, ...extraHeaders }),
  };
}

async function refused(grupos: unknown, cpf = NEWCOMER): Promise<Reply> {
  setup.provider.person = { sub: `sub-${cpf}`, cpf, name: 'Nova Pessoa', grupos };
  const { reply } = await setup.signIn();
  expect([reply.status, reply.headers.get('set-token')]).toEqual([403, null]);
  return reply;
}

const rightsOf = async (client: Client): Promise<Record<string, string>> => {
  const { json } = await client.call('GET', '/appliance/api/session');
  return Object.fromEntries(
    json.companies.map((one: { cpfCnpjRaiz: string; papel: string }) => [one.cpfCnpjRaiz, one.papel]),
  );
};

describe('a group', () => {
  test('gives its companies with its right to the users whom the provider assigns to it', async () => {
    await give('analistas', [FIRST, SECOND], 'preenchimento');
    expect(await rightsOf(await signIn(['outros', 'analistas']))).toEqual({
      [FIRST]: 'preenchimento',
      [SECOND]: 'preenchimento',
    });
  });

  test('that is a text is one group', async () => {
    await give('analistas', [FIRST], 'leitura');
    expect(await rightsOf(await signIn('analistas'))).toEqual({ [FIRST]: 'leitura' });
  });

  test('is compared exactly', async () => {
    await give('Analistas', [FIRST], 'leitura');
    for (const name of ['analistas', 'Analistas ', 'Analista'])
      expect((await refused([name])).text).toContain('CATP-ER1908');
  });

  test('can have several rows, and the highest right wins', async () => {
    await give('analistas', [FIRST, SECOND], 'leitura');
    await give('analistas', [FIRST], 'aprovacao');
    await give('outros', [FIRST], 'preenchimento');
    expect(await rightsOf(await signIn(['analistas', 'outros']))).toEqual({
      [FIRST]: 'aprovacao',
      [SECOND]: 'leitura',
    });
  });

  test('never lowers a right that was given by hand', async () => {
    await give('leitores', [FIRST, '11222333'], 'leitura');
    expect(await rightsOf(await signIn(['leitores'], MARIA))).toMatchObject({
      [FIRST]: 'aprovacao',
      '11222333': 'leitura',
    });
  });

  test('with todas gives the companies that exist at the sign-in', async () => {
    await give('todos', 'todas', 'leitura');
    const client = await signIn(['todos']);
    const before = Object.keys(await rightsOf(client));
    await admin.call('POST', '/appliance/api/companies', { cpfCnpjRaiz: '99887766', nome: 'Nova' });
    expect(Object.keys(await rightsOf(client))).toEqual(before);
    expect(Object.keys(await rightsOf(await signIn(['todos']))).toSorted()).toEqual(
      [...before, '99887766'].toSorted(),
    );
  });

  test('that a person lost removes its companies at the next sign-in, from the older session too', async () => {
    await give('analistas', [FIRST], 'leitura');
    await give('outros', [SECOND], 'leitura');
    const older = await signIn(['analistas', 'outros']);
    const newer = await signIn(['outros']);
    for (const client of [older, newer]) {
      expect(await rightsOf(client)).toEqual({ [SECOND]: 'leitura' });
      expect((await client.call('GET', `/catp/api/ext/produto?cpfCnpjRaiz=${FIRST}`)).status).toBe(403);
    }
  });

  test.each<[name: string, grupos: unknown]>([
    ['no claim', undefined],
    ['an empty list', []],
    ['a number', 7],
    ['a list of something else', [7, { group: 'analistas' }, null]],
  ])('is given by none with %s', async (_, grupos) => {
    await give('analistas', [FIRST], 'leitura');
    await refused(grupos);
  });

  test('counts only in sessions that the provider opened', async () => {
    await give('leitores', ['11222333'], 'leitura');
    await signIn(['leitores'], MARIA);
    expect(await rightsOf(await setup.app.as('demo'))).not.toHaveProperty('11222333');
  });

  test('that is removed loses its companies at the next request', async () => {
    const id = await give('leitores', ['11222333'], 'leitura');
    const client = await signIn(['leitores'], MARIA);
    expect(await rightsOf(client)).toHaveProperty('11222333');
    expect((await admin.call('DELETE', `${GROUPS}/${id}`)).status).toBe(204);
    expect(await rightsOf(client)).not.toHaveProperty('11222333');
  });

  test('lets an import of its session write what its right allows', async () => {
    await give('analistas', [FIRST], 'aprovacao');
    const client = await signIn(['analistas']);
    const product = {
      seq: 1,
      denominacao: 'Parafuso',
      modalidade: 'IMPORTACAO',
      ncm: '73181500',
      cpfCnpjRaiz: FIRST,
    };
    const form = new FormData();
    form.set('tipo', 'produto');
    form.set('file', new Blob([JSON.stringify([product])]), 'produtos.json');
    const queued = await client.call('POST', '/appliance/api/imports', form);
    expect(queued.status).toBe(202);
    const done = await eventually(
      async () => (await client.call('GET', `/appliance/api/imports/${queued.json.id}`)).json,
    ).toMatchObject({ state: 'done' });
    expect(done).toMatchObject({ failed: 0, processed: 1 });
  });
});

describe('an unknown person', () => {
  const people = async (): Promise<readonly { documento: string }[]> =>
    (await admin.call('GET', '/appliance/api/users')).json;

  test('is created with the name of the claim, by the system, once', async () => {
    await give('analistas', [FIRST], 'leitura');
    await signIn(['analistas']);
    await signIn(['analistas']);
    expect((await people()).find(({ documento }) => documento === NEWCOMER)).toEqual({
      documento: NEWCOMER,
      nome: 'Nova Pessoa',
      tipo: 'PRIV',
      orgao: null,
      email: null,
      administrador: false,
    } as never);
    const audit = await admin.call('GET', `/appliance/api/audit?subject=usuario%20${NEWCOMER}`);
    expect(audit.json.items).toMatchObject([{ action: 'INCLUSAO', actor: 'sistema' }]);
  });

  test('without a company is created, and gets the page', async () => {
    expect((await refused(['nenhum'])).text).toContain('CATP-ER1908');
    expect((await people()).map(({ documento }) => documento)).toContain(NEWCOMER);
  });

  test('with wrong check digits of the CPF is not created', async () => {
    for (const cpf of ['52998224724', '11111111111'])
      expect((await refused([], cpf)).text).toContain('CATP-ER1907');
    expect((await people()).map(({ documento }) => documento)).not.toContain('52998224724');
  });

  test('without a name has the CPF as its name', async () => {
    setup.provider.person = { sub: 'x', cpf: NEWCOMER, name: ' \n ' };
    await setup.signIn();
    expect(await people()).toContainEqual(expect.objectContaining({ documento: NEWCOMER, nome: NEWCOMER }));
  });
});

describe('the administration of groups', () => {
  test('lists, adds and removes, each change in the audit', async () => {
    const id = await give('analistas', [FIRST, SECOND], 'leitura');
    const all = await give('todos', 'todas', 'aprovacao');
    expect((await admin.call('GET', GROUPS)).json).toEqual([
      { id, group: 'analistas', companies: [FIRST, SECOND], papel: 'leitura' },
      { id: all, group: 'todos', companies: 'todas', papel: 'aprovacao' },
    ]);
    expect((await admin.call('DELETE', `${GROUPS}/${id}`)).status).toBe(204);
    for (const absent of [id, Number.MAX_SAFE_INTEGER])
      expect((await admin.call('DELETE', `${GROUPS}/${absent}`)).status).toBe(404);
    for (const wrong of ['0', '1.5', 'x'])
      expect((await admin.call('DELETE', `${GROUPS}/${wrong}`)).status).toBe(400);
    const members = { group: 'analistas', companies: `${FIRST}, ${SECOND}`, papel: 'leitura' };
    const audit = await admin.call('GET', `/appliance/api/audit?subject=grupo%20${id}`);
    expect(audit.json.items).toMatchObject([
      { action: 'EXCLUSAO', before: members, after: null },
      { action: 'INCLUSAO', before: null, after: members },
    ]);
  });

  test.each<[object, number, string, string]>([
    [{ companies: ['99999999'] }, 422, 'CATP-ER1202', '/companies/0'],
    [{ companies: [] }, 422, 'PUCX-ER0010', '/companies'],
    [{ companies: 'nenhuma' }, 422, 'PUCX-ER0010', '/companies'],
    [{ papel: 'dono' }, 400, 'PUCX-ER0010', '/papel'],
    [{ group: '' }, 400, 'PUCX-ER0010', '/group'],
    [{ group: 'x'.repeat(301) }, 400, 'PUCX-ER0010', '/group'],
    [{ group: 'a\nb' }, 400, 'PUCX-ER0010', '/group'],
  ])('refuses an invalid request (%#)', async (members, status, code, path) => {
    const body = { group: 'analistas', companies: [FIRST], papel: 'leitura', ...members };
    const reply = await admin.call('POST', GROUPS, body);
    expect([reply.status, reply.json.detail]).toMatchObject([status, [{ code, path }]]);
    expect((await admin.call('GET', GROUPS)).json).toEqual([]);
  });

  test('accepts a name of 300 letters, and removes a company that only a group names', async () => {
    await admin.call('POST', '/appliance/api/companies', { cpfCnpjRaiz: '99887766', nome: 'Nova' });
    const id = await give('x'.repeat(300), ['99887766', FIRST], 'leitura');
    expect((await admin.call('DELETE', '/appliance/api/companies/99887766')).status).toBe(204);
    expect((await admin.call('GET', GROUPS)).json).toMatchObject([{ id, companies: [FIRST] }]);
  });
});

test('without oidc.criar and oidc.grupos no user is created, and no group counts', async () => {
  await setup[Symbol.asyncDispose]();
  setup = await openProviderApp();
  admin = await setup.app.as('admin');
  await give('leitores', ['11222333'], 'leitura');
  expect((await refused(['leitores'])).text).toContain('CATP-ER1907');
  expect(await rightsOf(await signIn(['leitores'], MARIA))).not.toHaveProperty('11222333');
});
