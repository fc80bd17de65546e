/** The settings `email.*`, the test of an address, and the reports of discarded messages. */
import { afterEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, MINUTE_MS } from '../../src/clock.ts';
import { emailConnection } from '../../src/email/connection.ts';
import { UsageError } from '../../src/errors.ts';
import { ConfigError, readSettings } from '../../src/settings/config.ts';
import type { SettingName } from '../../src/settings/settings.ts';
import { type OpenAppOptions, type TestApp, openApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { quickFolder } from '../support/quick-disk.ts';
import { emailSettings, openHostile, openSmtp, talking } from '../support/smtp.ts';

let server: TestApp | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});
const open = async (options: OpenAppOptions): Promise<TestApp> => (server = await openApp(options));

type SettingValues = Partial<Record<SettingName, string>>;
const read = (values: SettingValues) =>
  readSettings({ environment: {}, commandLine: Object.entries(values) });
const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError || error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
};

const WELL: SettingValues = {
  'email.servidor': 'smtps://smtp.empresa.exemplo',
  'email.remetente': 'catalogo@empresa.exemplo',
  'servidor.endereco': 'https://catalogo.empresa.exemplo/',
};

describe('settings', () => {
  test('name the server, its port and its TLS', () => {
    const of = (text: string) => read({ 'email.servidor': text })['email.servidor'];
    expect(of('smtps://smtp.exemplo')).toEqual({
      host: 'smtp.exemplo',
      port: 465,
      isTls: true,
      isLocal: false,
    });
    expect(of('smtp://smtp.exemplo:25/')).toEqual({
      host: 'smtp.exemplo',
      port: 25,
      isTls: false,
      isLocal: false,
    });
    expect(of('smtp://[::1]')).toMatchObject({ host: '::1', port: 587, isLocal: true });
    expect(of('smtp://localhost')).toMatchObject({ isLocal: true });
    expect(of('')).toBeUndefined();
  });

  test.each([
    'smtp.exemplo',
    'http://smtp.exemplo',
    'smtps://a:b@smtp.exemplo',
    'smtps://smtp.exemplo/x',
    'smtps://s%0d',
  ])('refuse the server %s', (text) => {
    const message = refusal(() => read({ 'email.servidor': text }));
    expect(message).toContain('aceita smtps://servidor:porta, ou smtp://servidor:porta para STARTTLS');
    expect(message).not.toContain('a:b@');
  });

  test('accept a sender with a name or without', () => {
    const of = (text: string) => read({ 'email.remetente': text })['email.remetente'];
    expect(of('a@b.exemplo')).toEqual({ name: '', address: 'a@b.exemplo' });
    expect(of('Catálogo da Empresa <a@b.exemplo>')).toEqual({
      name: 'Catálogo da Empresa',
      address: 'a@b.exemplo',
    });
    for (const wrong of ['a', 'a@b', 'Nome <a>', 'Nome\r\nBcc: x@y.exemplo <a@b.exemplo>', '<a@b.exemplo> x'])
      expect(refusal(() => read({ 'email.remetente': wrong }))).toContain('aceita nome@empresa.exemplo');
  });

  test('accept the address of the instance with server and port only', () => {
    expect(read(WELL)['servidor.endereco']).toBe('https://catalogo.empresa.exemplo');
    expect(read({ 'servidor.endereco': 'http://catalogo:8080' })['servidor.endereco']).toBe(
      'http://catalogo:8080',
    );
    for (const wrong of [
      'catalogo.exemplo',
      'ftp://x.exemplo',
      'https://x.exemplo/catalogo',
      'https://a@x.exemplo',
    ])
      expect(refusal(() => read({ 'servidor.endereco': wrong }))).toContain('só com servidor e porta');
  });

  test('require sender, address, and user with password, when a server is set', () => {
    const secret = join(quickFolder('catp-smtp-'), 'senha');
    const without = (name: SettingName): SettingValues => ({ ...WELL, [name]: '' });
    const connection = (values: SettingValues) => () => emailConnection(read(values));
    expect(connection({})()).toBeUndefined();
    expect(connection(WELL)()).toMatchObject({
      address: 'https://catalogo.empresa.exemplo',
      login: undefined,
    });
    expect(refusal(connection(without('email.remetente')))).toContain('pede email.remetente');
    expect(refusal(connection(without('servidor.endereco')))).toContain('pede servidor.endereco');
    expect(refusal(connection({ ...WELL, 'email.usuario': 'a' }))).toContain('pede email.segredo');
    expect(refusal(connection({ ...WELL, 'email.segredo': secret }))).toContain('pede email.usuario');
    const both = { ...WELL, 'email.usuario': 'a', 'email.segredo': secret };
    expect(refusal(connection(both))).toContain('não pode ser lido (não existe, ENOENT)');
    for (const wrong of ['', '\n', 'a\nb', 'x'.repeat(1001)]) {
      writeFileSync(secret, wrong);
      expect(refusal(connection(both))).toContain('não tem uma senha em uma linha');
    }
    writeFileSync(secret, `${'x'.repeat(1000)}\r\n`);
    expect(connection(both)()?.login?.pass).toHaveLength(1000);
    expect(refusal(connection({ ...WELL, 'email.ca': secret }))).toContain('email.ca: o arquivo');
  });

  test('that contradict each other prevent the start of the server', async () => {
    expect(await openApp({ settings: { 'email.servidor': 'smtps://x.exemplo' } }).catch(String)).toContain(
      'email.servidor pede email.remetente',
    );
  });
});

describe('POST email/test', () => {
  const PATH = '/appliance/api/email/test';

  test('requires an administrator', async () => {
    const { anybody, as } = await open({});
    expect((await anybody.call('POST', PATH, { to: 'a@b.exemplo' })).status).toBe(401);
    expect((await (await as('demo')).call('POST', PATH, { to: 'a@b.exemplo' })).status).toBe(403);
  });

  test('is 422 without a server, and 400 for an invalid address', async () => {
    const admin = await (await open({})).as('admin');
    const { status, json } = await admin.call('POST', PATH, { to: 'a@b.exemplo' });
    expect([status, json.detail[0].code]).toEqual([422, 'CATP-ER1601']);
    for (const to of ['', 'a', 'a@b.exemplo,c@d.exemplo', 'a@b.exemplo\nBcc: c@d.exemplo', 7])
      expect((await admin.call('POST', PATH, { to })).status).toBe(400);
  });

  test('returns the answer of the server', async () => {
    await using smtp = await openSmtp();
    const admin = await (await open({ settings: await emailSettings(smtp.port) })).as('admin');
    const test = async () => (await admin.call('POST', PATH, { to: 'a@b.exemplo' })).json;
    expect(await test()).toEqual({
      ok: true,
      message: `localhost:${smtp.port} aceitou a mensagem de catalogo@empresa.exemplo para a@b.exemplo. Veja se ela chegou.`,
    });
    expect(smtp.received).toHaveLength(1);
    smtp.refuses = () => 550;
    expect(await test()).toEqual({
      ok: false,
      message: `Pelo servidor localhost:${smtp.port} nada foi enviado: o servidor recusou o destinatário: 550 no such mailbox.`,
    });
  });

  test('returns the reason of a failure of the server', async () => {
    const failing = async (port: number): Promise<string> => {
      const admin = await (await open({ settings: await emailSettings(port, 'clear') })).as('admin');
      const { json } = await admin.call('POST', PATH, { to: 'a@b.exemplo' });
      await server?.close();
      server = undefined;
      expect(json.ok).toBe(false);
      return json.message;
    };
    await using away = await openHostile(() => undefined);
    await away[Symbol.asyncDispose]();
    expect(await failing(away.port)).toContain('a conexão foi recusada');
    await using busy = await openHostile(talking({ EHLO: '421 busy' }));
    expect(await failing(busy.port)).toContain('421 busy');
  });

  test('ends within 30 s when the server never answers', async () => {
    await using mute = await openHostile(() => undefined);
    const passed: number[] = [];
    const realTime = {
      now: () => performance.now(),
      after: (ms: number, work: () => void) => {
        passed.push(ms);
        const timer = setTimeout(work, ms === 25_000 ? 50 : ms);
        return { cancel: () => clearTimeout(timer) };
      },
    };
    const admin = await (
      await open({ settings: await emailSettings(mute.port, 'clear'), parts: { realTime } })
    ).as('admin');
    const { json } = await admin.call('POST', PATH, { to: 'a@b.exemplo' });
    expect(json).toMatchObject({ ok: false });
    expect(json.message).toContain('o servidor não terminou em 25 s');
    expect(passed).toContain(25_000);
  });
});

describe('a discarded message', () => {
  test('is reported by doctor and /metrics for 30 days', async () => {
    await using smtp = await openSmtp();
    smtp.refuses = () => 550;
    const { app, anybody, as, clock } = await open({ settings: await emailSettings(smtp.port) });
    // Days pass between two calls, so a session ends in between.
    const finding = async () =>
      (await (await as('admin')).call('GET', '/appliance/api/doctor')).json.find(
        ({ check }: { check: string }) => check === 'email',
      );
    const metric = async (name: string) =>
      new RegExp(`^${name} (.*)$`, 'm').exec((await anybody.call('GET', '/metrics')).text)?.[1];
    expect(await finding()).toMatchObject({ level: 'ok' });
    expect(await metric('catp_emails_given_up')).toBe('0');
    smtp.refuses = () => 451;
    const content = { subject: 'x', lead: [], groups: [] };
    await app.core.writer.write((tx) => app.core.email.emails.queue(tx, { to: 'a@b.exemplo', content }));
    await eventually(async () => (await finding()).message).toBe(
      '1 e-mail espera desde 2026-01-15T09:00:00.000-03:00: o servidor recusou o destinatário: 451 no such mailbox.',
    );
    expect(await metric('catp_emails_waiting')).toBe('1');
    smtp.refuses = () => 550;
    clock.moveTo(clock.now() + 5 * MINUTE_MS);
    await eventually(() => metric('catp_emails_given_up')).toBe('1');
    expect(await metric('catp_emails_waiting')).toBe('0');
    expect(await finding()).toEqual({
      check: 'email',
      level: 'warning',
      message:
        '1 e-mail não foi entregue nos últimos 7 dias, o último em 2026-01-15T09:05:00.000-03:00: o servidor recusou o destinatário: 550 no such mailbox.',
      remedy:
        'Envie uma mensagem de teste com catp call testEmail to=voce@empresa.exemplo, e corrija email.* em catp.toml ou o endereço da pessoa.',
    });
    const forget = app.core.jobs.find(({ name }) => name === 'emails-antigos');
    clock.moveTo(clock.now() + 30 * DAY_MS);
    await forget?.runOnce();
    expect(await metric('catp_emails_given_up')).toBe('1');
    expect(await finding()).toMatchObject({ level: 'ok' });
    clock.moveTo(clock.now() + 1);
    await forget?.runOnce();
    expect(await metric('catp_emails_given_up')).toBe('0');
  });

  test('does not exist without a server', async () => {
    const { anybody, as } = await open({});
    expect((await anybody.call('GET', '/metrics')).text).not.toMatch(/^catp_emails_/m);
    const findings = (await (await as('admin')).call('GET', '/appliance/api/doctor')).json;
    expect(findings.map(({ check }: { check: string }) => check)).not.toContain('email');
  });
});
