/** Sign-in by password, invitations and changes of a password (contract section 27). */
import { afterEach, describe, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/clock.ts';
import {
  type Client,
  type OpenAppOptions,
  type Reply,
  START,
  type TestApp,
  openApp,
} from '../support/app.ts';

const SESSION = '/appliance/api/session';
const CHANGE = '/appliance/api/me/password';
const MARIA = '52998224725';
const EMAIL = 'maria@exemplo.com.br';
const GOOD = 'quatro cavalos e um trem';
const BETTER = 'cinco cavalos e dois trens';
const inviteOf = (documento: string): string => `/appliance/api/users/${documento}/invite`;

let opened: TestApp | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

/** A server with a person who has no password yet. */
async function open(options?: OpenAppOptions): Promise<TestApp & { readonly admin: Client }> {
  opened = await openApp(options);
  const admin = await opened.as('admin');
  const access = { documento: MARIA, nome: 'Maria da Silva Sá', email: EMAIL, companies: ['12345678'] };
  expect((await admin.call('POST', '/appliance/api/access', access)).status).toBe(200);
  return { ...opened, admin };
}

async function invitationOf(admin: Client, documento = MARIA): Promise<string> {
  const { json } = await admin.call('POST', inviteOf(documento));
  return new URL(json.url).pathname.replace('/convite/', '');
}

const accept = ({ anybody }: TestApp, token: string, senha: unknown): Promise<Reply> =>
  anybody.call('POST', `/appliance/api/invitations/${token}`, { senha });

const signIn = ({ anybody }: TestApp, login: string, senha: string, headers = {}): Promise<Reply> =>
  anybody.call('POST', SESSION, { login, senha }, headers);

const tokensOf = ({ headers }: Reply): Record<string, string> => ({
  authorization: headers.get('set-token') ?? '',
  'x-csrf-token': headers.get('x-csrf-token') ?? '',
});

/** A server in which the person has a password. */
async function openWithPassword(options?: OpenAppOptions) {
  const server = await open(options);
  expect((await accept(server, await invitationOf(server.admin), GOOD)).status).toBe(204);
  return server;
}

const refusalOf = ({ status, json }: Reply) => [
  status,
  json.detail?.[0]?.code ?? json.code,
  json.path ?? json.detail?.[0]?.path,
];

describe('an invitation', () => {
  test('is made by an administrator for a person who is a user', async () => {
    const server = await open();
    const demo = await server.as('demo');
    expect((await server.anybody.call('POST', inviteOf(MARIA))).status).toBe(401);
    expect((await demo.call('POST', inviteOf(MARIA))).status).toBe(403);
    expect((await server.admin.call('POST', inviteOf('11144477735'))).status).toBe(404);
    expect((await server.admin.call('POST', inviteOf('123'))).status).toBe(400);
    const { status, headers, json } = await server.admin.call('POST', inviteOf(MARIA), undefined, {
      host: 'localhost:8080',
    });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(json.url).toMatch(/^http:\/\/localhost:8080\/convite\/[\w-]{43}$/);
    expect(json.until).toBe('2026-01-18T09:00:00.000-03:00');
  });

  test('is refused for the certificate of a company', async () => {
    const { admin } = await open();
    const company = { documento: '12345678000195', nome: 'Exemplo', tipo: 'PRIV' };
    await admin.call('POST', '/appliance/api/users', company);
    const refusal = await admin.call('POST', inviteOf(company.documento));
    expect(refusalOf(refusal)).toEqual([422, 'CATP-ER1218', 'documento']);
  });

  test('sets a password of 12 to 200 characters, and no other', async () => {
    const server = await open();
    const token = await invitationOf(server.admin);
    for (const senha of ['x'.repeat(11), 'x'.repeat(201), 12, undefined, null]) {
      const refusal = await accept(server, token, senha);
      expect([senha, refusal.status, refusal.json.detail[0].path]).toEqual([senha, 400, '/senha']);
      if (typeof senha === 'string') expect(refusal.text).not.toContain(senha);
    }
    expect((await accept(server, token, 'ã'.repeat(12))).status).toBe(204);
    expect((await signIn(server, MARIA, 'ã'.repeat(12))).status).toBe(200);
    expect((await accept(server, await invitationOf(server.admin), '🐎'.repeat(200))).status).toBe(204);
    expect((await signIn(server, MARIA, '🐎'.repeat(200))).status).toBe(200);
  });

  test.each([`${MARIA}-e-mais`, 'senha 529.982.247-25', 'a MARIA do trem azul', 'o trem de sílva azul'])(
    'refuses %s, which has the document or a word of the name',
    async (senha) => {
      const server = await open();
      const token = await invitationOf(server.admin);
      const refusal = await accept(server, token, senha);
      expect(refusalOf(refusal)).toEqual([422, 'CATP-ER1216', '/senha']);
      expect(refusal.text).not.toContain(senha);
      expect((await accept(server, token, GOOD)).status).toBe(204);
    },
  );

  test('takes words of the name with fewer than 4 letters, and a part of the document', async () => {
    const server = await open();
    const token = await invitationOf(server.admin);
    expect((await accept(server, token, 'da Sá e 5299822472')).status).toBe(204);
  });

  test('is good once', async () => {
    const server = await open();
    const token = await invitationOf(server.admin);
    expect((await accept(server, token, GOOD)).status).toBe(204);
    const refusal = await accept(server, token, BETTER);
    expect([refusal.status, refusal.json.code]).toEqual([422, 'CATP-ER1215']);
    expect(refusal.json.message).toContain('já foi usado');
    expect((await signIn(server, MARIA, GOOD)).status).toBe(200);
  });

  test('is good once also where two use it at the same moment', async () => {
    const server = await open();
    const token = await invitationOf(server.admin);
    const both = await Promise.all([accept(server, token, GOOD), accept(server, token, BETTER)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 422]);
  });

  test('ends with a newer one', async () => {
    const server = await open();
    const [older, newer] = [await invitationOf(server.admin), await invitationOf(server.admin)];
    expect((await accept(server, older, GOOD)).json.code).toBe('CATP-ER1215');
    expect((await accept(server, newer, GOOD)).status).toBe(204);
  });

  test('is good for 72 hours by the clock', async () => {
    const server = await open();
    const token = await invitationOf(server.admin);
    server.clock.moveTo(START + 72 * HOUR_MS);
    const refusal = await accept(server, token, GOOD);
    expect([refusal.status, refusal.json.code]).toEqual([422, 'CATP-ER1215']);
    expect(refusal.json.message).toContain('venceu em 2026-01-18T09:00:00.000-03:00');
    server.clock.moveTo(START + 72 * HOUR_MS - 1);
    expect((await accept(server, token, GOOD)).status).toBe(204);
  });

  test('that nobody made, and one of a removed user, are refused alike', async () => {
    const server = await open();
    const token = await invitationOf(server.admin);
    await server.admin.call('DELETE', `/appliance/api/users/${MARIA}`);
    const [gone, invented] = [await accept(server, token, GOOD), await accept(server, 'inventado', GOOD)];
    expect([gone.json.message, gone.status]).toEqual([invented.json.message, 422]);
  });

  test('and the password are stored as hashes only', async () => {
    const server = await open();
    const token = await invitationOf(server.admin);
    const rows = (): string =>
      JSON.stringify(
        ['password', 'invitation', 'audit_page'].map((table) =>
          server.app.core.db.prepare(`SELECT * FROM ${table}`).all(),
        ),
      );
    expect(rows()).not.toContain(token);
    await accept(server, token, GOOD);
    expect(rows()).not.toContain(GOOD);
    expect(rows()).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
  });

  test('leaves the audit what was done and who did it, and no secret', async () => {
    const server = await open();
    await invitationOf(server.admin);
    await accept(server, await invitationOf(server.admin), GOOD);
    const { items } = (await server.admin.call('GET', '/appliance/api/audit?limit=3')).json;
    const until = '2026-01-18T09:00:00.000-03:00';
    const common = { action: 'ALTERACAO', subject: `usuario ${MARIA}` };
    expect(items).toMatchObject([
      { ...common, actor: MARIA, key: 'convite', before: { convite: until }, after: { senha: 'mudado' } },
      { ...common, actor: '00000000515', key: 'admin', before: {}, after: {} },
      { ...common, actor: '00000000515', key: 'admin', before: {}, after: { convite: until } },
    ]);
  });
});

describe('a sign-in', () => {
  test.each([MARIA, '529.982.247-25', EMAIL, 'MARIA@exemplo.com.br', ` ${EMAIL} `])(
    'takes %s',
    async (login) => {
      const server = await openWithPassword();
      const reply = await signIn(server, login, GOOD);
      expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(reply.json).toEqual({ token: reply.headers.get('x-csrf-token') });
      expect(Number(reply.headers.get('x-csrf-expiration'))).toBe(START + HOUR_MS);
      const session = await server.anybody.call('GET', SESSION, undefined, tokensOf(reply));
      expect(session.json).toMatchObject({
        documento: MARIA,
        perfil: 'IMPEXP',
        companies: [{ cpfCnpjRaiz: '12345678', papel: 'aprovacao' }],
      });
    },
  );

  test('takes the same letters however the keyboard sends their accents', async () => {
    const server = await open();
    await accept(server, await invitationOf(server.admin), 'três cavalos à frente'.normalize('NFD'));
    expect((await signIn(server, MARIA, 'três cavalos à frente'.normalize('NFC'))).status).toBe(200);
  });

  test('that is wrong answers like a wrong key, whatever is wrong', async () => {
    const server = await openWithPassword();
    const key = await server.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, {
      'client-id': 'demo',
      'client-secret': 'errado',
      'role-type': 'IMPEXP',
    });
    const expected = { ...key.json, tag: expect.stringMatching(/^\[APPL-/) };
    for (const [login, senha] of [
      [MARIA, BETTER],
      [EMAIL, BETTER],
      ['00000000191', GOOD], // has no password
      ['11144477735', GOOD],
      ['ninguem@exemplo.com.br', GOOD],
      ['o meu nome', GOOD],
    ] as const) {
      const { status, json } = await signIn(server, login, senha);
      expect([login, status, json]).toEqual([login, 422, expected]);
    }
  });

  test('of a person without a representation is PLAT-ER2013, but an administrator needs none', async () => {
    const server = await open();
    const other = { documento: '11144477735', nome: 'Rui Costa', tipo: 'PRIV' };
    await server.admin.call('POST', '/appliance/api/users', other);
    for (const documento of [other.documento, '00000000515'])
      await accept(server, await invitationOf(server.admin, documento), GOOD);
    expect((await signIn(server, other.documento, GOOD)).json.code).toBe('PLAT-ER2013');
    const reply = await signIn(server, '00000000515', GOOD);
    const { json } = await server.anybody.call('GET', SESSION, undefined, tokensOf(reply));
    expect(json).toMatchObject({ administrador: true, perfil: 'IMPEXP', companies: [] });
  });

  test('of a party that the environment does not admit is 403', async () => {
    const server = await openWithPassword({ settings: { ambiente: 'homologacao' } });
    expect((await signIn(server, MARIA, GOOD)).status).toBe(403);
  });

  test('knows no PLAT-ER2033, which a key goes on to know', async () => {
    const server = await openWithPassword({ settings: { 'autenticacao.intervalo': '60s' } });
    expect((await signIn(server, MARIA, GOOD)).status).toBe(200);
    expect((await signIn(server, MARIA, GOOD)).status).toBe(200);
    const { accounts } = server.app.core.session;
    const { clientId, clientSecret } = await accounts.addKey({ documento: MARIA }, 'teste');
    const headers = { 'client-id': clientId, 'client-secret': clientSecret, 'role-type': 'IMPEXP' };
    const byKey = () =>
      server.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, headers);
    expect((await byKey()).status).toBe(200);
    expect((await byKey()).json.code).toBe('PLAT-ER2033');
  });

  test('is renewed like any other, and ended by its person and by an administrator', async () => {
    const server = await openWithPassword();
    const tokens = tokensOf(await signIn(server, MARIA, GOOD));
    const renewed = await server.anybody.call('POST', `${SESSION}/renew`, undefined, tokens);
    expect(renewed.status).toBe(200);
    const ask = async (headers: Record<string, string>) =>
      (await server.anybody.call('GET', SESSION, undefined, headers)).status;
    expect((await server.anybody.call('DELETE', SESSION, undefined, tokens)).status).toBe(204);
    expect(await ask(tokensOf(renewed))).toBe(401);
    const again = tokensOf(await signIn(server, MARIA, GOOD));
    await server.admin.call('DELETE', `/appliance/api/users/${MARIA}/sessions`);
    expect(await ask(again)).toBe(401);
  });

  test('writes what it does with the key “senha”', async () => {
    const server = await openWithPassword();
    const tokens = tokensOf(await signIn(server, MARIA, GOOD));
    const operator = { codigo: 'OPE_9', nome: 'Ferramentas', codigoPais: 'DE' };
    const path = '/catp/api/ext/operador-estrangeiro';
    await server.anybody.call('POST', path, [{ cpfCnpjRaiz: '12345678', ...operator }], tokens);
    const { items } = (await server.admin.call('GET', `/appliance/api/audit?actor=${MARIA}&limit=1`)).json;
    expect(items).toMatchObject([{ actor: MARIA, key: expect.stringMatching(/^(senha|convite)$/) }]);
  });

  test('is refused where the setting does not allow passwords, and so are invitations and changes', async () => {
    const server = await openWithPassword();
    const tokens = tokensOf(await signIn(server, MARIA, GOOD));
    const token = await invitationOf(server.admin);
    await server.close({ keepFolder: true });
    opened = await openApp({
      folder: server.folder,
      clock: server.clock,
      settings: { 'senha.permitida': 'false' },
    });
    const admin = await opened.as('admin');
    expect((await signIn(opened, MARIA, GOOD)).json.code).toBe('PLAT-ER8008');
    for (const reply of [
      await admin.call('POST', inviteOf(MARIA)),
      await accept(opened, token, BETTER),
      await opened.anybody.call('PUT', CHANGE, { atual: GOOD, nova: BETTER }, tokens),
    ])
      expect([reply.status, reply.json.code]).toEqual([422, 'CATP-ER1214']);
  });
});

describe('a change of the own password', () => {
  const change = ({ anybody }: TestApp, tokens: Record<string, string>, atual: string, nova: string) =>
    anybody.call('PUT', CHANGE, { atual, nova }, tokens);

  test('asks for a session and for the password of today', async () => {
    const server = await openWithPassword();
    expect((await change(server, {}, GOOD, BETTER)).status).toBe(401);
    const tokens = tokensOf(await signIn(server, MARIA, GOOD));
    const refusal = await change(server, tokens, BETTER, BETTER);
    expect(refusalOf(refusal)).toEqual([422, 'CATP-ER1217', '/atual']);
    expect(refusal.text).not.toContain(BETTER);
    expect((await signIn(server, MARIA, GOOD)).status).toBe(200);
  });

  test('of somebody who has none says where to get one', async () => {
    const server = await open();
    const demo = await server.as('demo');
    const refusal = await demo.call('PUT', CHANGE, { atual: GOOD, nova: BETTER });
    expect(refusalOf(refusal)).toEqual([422, 'CATP-ER1217', '/atual']);
    expect(refusal.json.message).toContain('convite');
  });

  test('judges the new one like an invitation', async () => {
    const server = await openWithPassword();
    const tokens = tokensOf(await signIn(server, MARIA, GOOD));
    for (const nova of ['x'.repeat(11), 'x'.repeat(201)])
      expect(refusalOf(await change(server, tokens, GOOD, nova)).slice(0, 1)).toEqual([400]);
    const refusal = await change(server, tokens, GOOD, 'a maria do trem azul');
    expect(refusalOf(refusal)).toEqual([422, 'CATP-ER1216', '/nova']);
    expect((await change(server, tokens, GOOD, 'x'.repeat(12))).status).toBe(204);
    expect((await change(server, tokens, 'x'.repeat(12), 'x'.repeat(200))).status).toBe(204);
  });

  test('ends the other sessions opened by password, and never a program’s', async () => {
    const server = await openWithPassword();
    const { accounts } = server.app.core.session;
    const { clientId, clientSecret } = await accounts.addKey({ documento: MARIA }, 'teste');
    const headers = { 'client-id': clientId, 'client-secret': clientSecret, 'role-type': 'IMPEXP' };
    const program = await server.anybody.call(
      'POST',
      '/portal/api/autenticar/chave-acesso',
      undefined,
      headers,
    );
    const [own, other] = [await signIn(server, MARIA, GOOD), await signIn(server, MARIA, GOOD)];
    expect((await change(server, tokensOf(own), GOOD, BETTER)).status).toBe(204);
    const statuses = await Promise.all(
      [own, other, program].map(async (reply) => {
        const { status } = await server.anybody.call('GET', SESSION, undefined, tokensOf(reply));
        return status;
      }),
    );
    expect(statuses).toEqual([200, 401, 200]);
    expect((await signIn(server, MARIA, GOOD)).status).toBe(422);
    // One begun in the same moment of the clock is good.
    const next = tokensOf(await signIn(server, MARIA, BETTER));
    expect((await server.anybody.call('GET', SESSION, undefined, next)).status).toBe(200);
  });

  test('by an invitation ends them all', async () => {
    const server = await openWithPassword();
    const tokens = tokensOf(await signIn(server, MARIA, GOOD));
    await accept(server, await invitationOf(server.admin), BETTER);
    expect((await server.anybody.call('GET', SESSION, undefined, tokens)).status).toBe(401);
  });

  test('leaves an entry in the audit', async () => {
    const server = await openWithPassword();
    await change(server, tokensOf(await signIn(server, MARIA, GOOD)), GOOD, BETTER);
    const { items } = (await server.admin.call('GET', '/appliance/api/audit?limit=1')).json;
    expect(items).toMatchObject([{ actor: MARIA, key: 'senha', before: {}, after: { senha: 'mudado' } }]);
  });
});

test('whoever forgot the password is answered alike, whether the address is known or not', async () => {
  const server = await openWithPassword();
  for (const email of [EMAIL, 'ninguem@exemplo.com.br']) {
    const reply = await server.anybody.call('POST', `${SESSION}/forgotten`, { email });
    expect([reply.status, reply.text]).toEqual([204, '']);
  }
  const refusal = await server.anybody.call('POST', `${SESSION}/forgotten`, { email: 'maria' });
  expect([refusal.status, refusal.json.detail[0].path]).toEqual([400, '/email']);
});
