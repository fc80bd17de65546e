/** Invitations to set a password (contract section 27). */
import { describe, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/clock.ts';
import { START } from '../support/app.ts';
import {
  BETTER,
  GOOD,
  MARIA,
  accept,
  invitationOf,
  inviteOf,
  open,
  refusalOf,
  signIn,
} from './password-app.ts';

describe('an invitation', () => {
  test('is created by an administrator for a person who is a user', async () => {
    await using server = await open();
    const demo = await server.as('demo');
    expect((await server.anybody.call('POST', inviteOf(MARIA))).status).toBe(401);
    expect((await demo.call('POST', inviteOf(MARIA))).status).toBe(403);
    expect((await server.admin.call('POST', inviteOf('11144477735'))).status).toBe(404);
    expect((await server.admin.call('POST', inviteOf('123'))).status).toBe(400);
    const { status, headers, json } = await server.admin.call('POST', inviteOf(MARIA), undefined, {
      host: 'localhost:8080',
    });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(json.url).toMatch(/^http:\/\/localhost:8080\/convite#[\w-]{43}$/);
    expect(json.until).toBe('2026-01-18T09:00:00.000-03:00');
  });

  test('is refused for the certificate of a company', async () => {
    await using server = await open();
    const { admin } = server;
    const company = { documento: '12345678000195', nome: 'Exemplo', tipo: 'PRIV' };
    await admin.call('POST', '/appliance/api/users', company);
    const refusal = await admin.call('POST', inviteOf(company.documento));
    expect(refusalOf(refusal)).toEqual([422, 'CATP-ER1218', 'documento']);
  });

  test('sets a password of 12 to 200 characters, and no other', async () => {
    await using server = await open();
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
      await using server = await open();
      const token = await invitationOf(server.admin);
      const refusal = await accept(server, token, senha);
      expect(refusalOf(refusal)).toEqual([422, 'CATP-ER1216', '/senha']);
      expect(refusal.text).not.toContain(senha);
      expect((await accept(server, token, GOOD)).status).toBe(204);
    },
  );

  test('accepts words of the name with fewer than 4 letters, and a part of the document', async () => {
    await using server = await open();
    const token = await invitationOf(server.admin);
    expect((await accept(server, token, 'da Sá e 5299822472')).status).toBe(204);
  });

  test('is valid once', async () => {
    await using server = await open();
    const token = await invitationOf(server.admin);
    expect((await accept(server, token, GOOD)).status).toBe(204);
    const refusal = await accept(server, token, BETTER);
    expect([refusal.status, refusal.json.code]).toEqual([422, 'CATP-ER1215']);
    expect(refusal.json.message).toContain('já foi usado');
    expect((await signIn(server, MARIA, GOOD)).status).toBe(200);
  });

  test('is valid once also for two concurrent uses', async () => {
    await using server = await open();
    const token = await invitationOf(server.admin);
    const both = await Promise.all([accept(server, token, GOOD), accept(server, token, BETTER)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 422]);
  });

  test('ends when a newer one is created', async () => {
    await using server = await open();
    const [older, newer] = [await invitationOf(server.admin), await invitationOf(server.admin)];
    expect((await accept(server, older, GOOD)).json.code).toBe('CATP-ER1215');
    expect((await accept(server, newer, GOOD)).status).toBe(204);
  });

  test('is valid for 72 hours by the clock', async () => {
    await using server = await open();
    const token = await invitationOf(server.admin);
    server.clock.moveTo(START + 72 * HOUR_MS);
    const refusal = await accept(server, token, GOOD);
    expect([refusal.status, refusal.json.code]).toEqual([422, 'CATP-ER1215']);
    expect(refusal.json.message).toContain('venceu em 2026-01-18T09:00:00.000-03:00');
    server.clock.moveTo(START + 72 * HOUR_MS - 1);
    expect((await accept(server, token, GOOD)).status).toBe(204);
  });

  test('is refused in the same way when it is unknown and when its user was removed', async () => {
    await using server = await open();
    const token = await invitationOf(server.admin);
    await server.admin.call('DELETE', `/appliance/api/users/${MARIA}`);
    const [expired, invented] = [await accept(server, token, GOOD), await accept(server, 'inventado', GOOD)];
    expect([expired.json.message, expired.status]).toEqual([invented.json.message, 422]);
  });

  test('is stored as a hash only, like the password', async () => {
    await using server = await open();
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

  test('is in the audit with its user and result, without a secret', async () => {
    await using server = await open();
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
