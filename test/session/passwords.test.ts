/** Sign-in by password and changes of a password (contract section 27). */
import { describe, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/clock.ts';
import { type Opener, PERSONAL_OPENERS, jtiOf } from '../../src/session/registry.ts';
import { instanceNameOf } from '../../src/session/secrets.ts';
import type { Claims } from '../../src/session/tokens.ts';
import { START, type TestApp, openApp } from '../support/app.ts';
import {
  BETTER,
  EMAIL,
  GOOD,
  MARIA,
  SESSION,
  accept,
  invitationOf,
  inviteOf,
  open,
  openWithPassword,
  refusalOf,
  signIn,
  tokensOf,
} from './password-app.ts';

const CHANGE = '/appliance/api/me/password';

describe('a sign-in', () => {
  test.each([MARIA, '529.982.247-25', EMAIL, 'MARIA@exemplo.com.br', ` ${EMAIL} `])(
    'accepts %s',
    async (login) => {
      await using server = await openWithPassword();
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

  test('accepts the same letters in any Unicode normalisation', async () => {
    await using server = await open();
    await accept(server, await invitationOf(server.admin), 'três cavalos à frente'.normalize('NFD'));
    expect((await signIn(server, MARIA, 'três cavalos à frente'.normalize('NFC'))).status).toBe(200);
  });

  test('that is wrong has the same answer as a wrong key, for any reason', async () => {
    await using server = await openWithPassword();
    const key = await server.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, {
      'client-id': 'demo',
      'client-secret': 'errado',
      'role-type': 'IMPEXP',
    });
    const expected = { ...key.json, tag: expect.stringMatching(/^\[APPL-/) };
    for (const [login, senha] of [
      [MARIA, BETTER],
      [EMAIL, BETTER],
      ['00000000191', GOOD], // this user has no password
      ['11144477735', GOOD],
      ['ninguem@exemplo.com.br', GOOD],
      ['o meu nome', GOOD],
    ] as const) {
      const { status, json } = await signIn(server, login, senha);
      expect([login, status, json]).toEqual([login, 422, expected]);
    }
  });

  test('of a person without a representation is PLAT-ER2013, except for an administrator', async () => {
    await using server = await open();
    const other = { documento: '11144477735', nome: 'Rui Costa', tipo: 'PRIV' };
    await server.admin.call('POST', '/appliance/api/users', other);
    for (const documento of [other.documento, '00000000515'])
      await accept(server, await invitationOf(server.admin, documento), GOOD);
    expect((await signIn(server, other.documento, GOOD)).json.code).toBe('PLAT-ER2013');
    const reply = await signIn(server, '00000000515', GOOD);
    const { json } = await server.anybody.call('GET', SESSION, undefined, tokensOf(reply));
    expect(json).toMatchObject({ administrador: true, perfil: 'IMPEXP', companies: [] });
  });

  test('of a user whom the environment refuses is 403', async () => {
    await using server = await openWithPassword({ settings: { ambiente: 'homologacao' } });
    expect((await signIn(server, MARIA, GOOD)).status).toBe(403);
  });

  test('has no PLAT-ER2033, which a key still has', async () => {
    await using server = await openWithPassword({ settings: { 'autenticacao.intervalo': '60s' } });
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
    await using server = await openWithPassword();
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

  test('on a page follows real time, with any test clock', async () => {
    await using server = await openWithPassword();
    const tokens = tokensOf(await signIn(server, MARIA, GOOD, { 'x-sessao': 'pagina' }));
    server.clock.moveTo(START + 100 * HOUR_MS);
    expect((await server.anybody.call('GET', SESSION, undefined, tokens)).status).toBe(200);
  });

  test('is recorded with the key “senha”', async () => {
    await using server = await openWithPassword();
    const tokens = tokensOf(await signIn(server, MARIA, GOOD));
    const operator = { nome: 'Acme', logradouro: 'Rua 1', nomeCidade: 'Bonn' };
    const path = '/catp/api/ext/operador-estrangeiro/12345678/DE';
    expect((await server.anybody.call('POST', path, operator, tokens)).status).toBe(200);
    const { items } = (await server.admin.call('GET', `/appliance/api/audit?actor=${MARIA}&limit=1`)).json;
    expect(items).toMatchObject([{ actor: MARIA, action: 'INCLUSAO', key: 'senha' }]);
  });

  test('is refused when the setting disables passwords, and so are invitations and changes', async () => {
    const server = await openWithPassword();
    const tokens = tokensOf(await signIn(server, MARIA, GOOD));
    const token = await invitationOf(server.admin);
    await server.close({ keepFolder: true });
    const { folder, clock } = server;
    const off = await openApp({ folder, clock, settings: { 'senha.permitida': 'false' } });
    try {
      const admin = await off.as('admin');
      expect((await signIn(off, MARIA, GOOD)).json.code).toBe('PLAT-ER8008');
      for (const reply of [
        await admin.call('POST', inviteOf(MARIA)),
        await accept(off, token, BETTER),
        await off.anybody.call('PUT', CHANGE, { atual: GOOD, nova: BETTER }, tokens),
      ])
        expect([reply.status, reply.json.code]).toEqual([422, 'CATP-ER1214']);
    } finally {
      await off.close();
    }
  });
});

describe('a change of the own password', () => {
  const change = ({ anybody }: TestApp, tokens: Record<string, string>, atual: string, nova: string) =>
    anybody.call('PUT', CHANGE, { atual, nova }, tokens);

  test('requires a session and the current password', async () => {
    await using server = await openWithPassword();
    expect((await change(server, {}, GOOD, BETTER)).status).toBe(401);
    const tokens = tokensOf(await signIn(server, MARIA, GOOD));
    const refusal = await change(server, tokens, BETTER, BETTER);
    expect(refusalOf(refusal)).toEqual([422, 'CATP-ER1217', '/atual']);
    expect(refusal.text).not.toContain(BETTER);
    expect((await signIn(server, MARIA, GOOD)).status).toBe(200);
  });

  test('of a user without one explains how to get one', async () => {
    await using server = await open();
    const demo = await server.as('demo');
    const refusal = await demo.call('PUT', CHANGE, { atual: GOOD, nova: BETTER });
    expect(refusalOf(refusal)).toEqual([422, 'CATP-ER1217', '/atual']);
    expect(refusal.json.message).toContain('convite');
  });

  test('validates the new one like an invitation', async () => {
    await using server = await openWithPassword();
    const tokens = tokensOf(await signIn(server, MARIA, GOOD));
    for (const nova of ['x'.repeat(11), 'x'.repeat(201)])
      expect(refusalOf(await change(server, tokens, GOOD, nova)).slice(0, 1)).toEqual([400]);
    const refusal = await change(server, tokens, GOOD, 'a maria do trem azul');
    expect(refusalOf(refusal)).toEqual([422, 'CATP-ER1216', '/nova']);
    expect((await change(server, tokens, GOOD, 'x'.repeat(12))).status).toBe(204);
    expect((await change(server, tokens, 'x'.repeat(12), 'x'.repeat(200))).status).toBe(204);
  });

  test('ends the other sessions opened by password, and no session of a program', async () => {
    await using server = await openWithPassword();
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
    // A session that began at the same time of the clock is valid.
    const next = tokensOf(await signIn(server, MARIA, BETTER));
    expect((await server.anybody.call('GET', SESSION, undefined, next)).status).toBe(200);
  });

  test('also ends sessions of a provider, and no session of a certificate', async () => {
    await using server = await openWithPassword();
    const { registry } = server.app.core.session;
    const sessionBy = (opener: Opener): Claims => ({
      documento: MARIA,
      nome: '',
      perfil: 'IMPEXP',
      tipo: 'PRIV',
      ambiente: 'validacao',
      expiresAt: START + HOUR_MS,
      jti: jtiOf(opener, instanceNameOf(server.app.core.folder.keys.secrets), 'x', START + 1),
    });
    const provider = sessionBy(PERSONAL_OPENERS.provider);
    const certificate = sessionBy({ kind: 'certificate', name: '0A1B' });
    expect([provider, certificate].map((one) => registry.find(one)?.documento)).toEqual([MARIA, MARIA]);
    await change(server, tokensOf(await signIn(server, MARIA, GOOD)), GOOD, BETTER);
    expect([provider, certificate].map((one) => registry.find(one)?.documento)).toEqual([undefined, MARIA]);
  });

  test('by an invitation ends all of them', async () => {
    await using server = await openWithPassword();
    const tokens = tokensOf(await signIn(server, MARIA, GOOD));
    await accept(server, await invitationOf(server.admin), BETTER);
    expect((await server.anybody.call('GET', SESSION, undefined, tokens)).status).toBe(401);
  });

  test('leaves an entry in the audit', async () => {
    await using server = await openWithPassword();
    await change(server, tokensOf(await signIn(server, MARIA, GOOD)), GOOD, BETTER);
    const { items } = (await server.admin.call('GET', '/appliance/api/audit?limit=1')).json;
    expect(items).toMatchObject([{ actor: MARIA, key: 'senha', before: {}, after: { senha: 'mudado' } }]);
  });
});
