/** An invitation by e-mail for a user who forgot the password (contract section 27). */
import { afterEach, expect, test } from 'bun:test';
import { HOUR_MS, REAL_TIME } from '../../src/clock.ts';
import { FORGOTTEN_AN_HOUR } from '../../src/session/passwords.ts';
import { type OpenAppOptions, type TestApp, openApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { emailSettings, openSmtp, partsOf } from '../support/smtp.ts';

const SESSION = '/appliance/api/session';
const DEMO = '00000000191';
const EMAIL = 'maria@empresa.exemplo';
const GOOD = 'quatro cavalos e um trem';

let server: TestApp | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function open(options: OpenAppOptions): Promise<TestApp> {
  server = await openApp(options);
  const admin = await server.as('admin');
  await admin.call('POST', '/appliance/api/users', { documento: DEMO, email: EMAIL });
  return server;
}

const forget = async ({ anybody }: TestApp, email = EMAIL): Promise<void> => {
  const { status, text } = await anybody.call('POST', `${SESSION}/forgotten`, { email });
  expect([status, text]).toEqual([204, '']);
};

const queued = ({ app }: TestApp): unknown => app.core.db.prepare('SELECT count(*) FROM email').pluck().get();
const audited = async ({ as }: TestApp) =>
  (await (await as('admin')).call('GET', '/appliance/api/audit?subject=usuario&limit=1')).json.items[0];

test('a user receives an address by e-mail, which sets a password; no other person receives one', async () => {
  await using smtp = await openSmtp();
  const opened = await open({ settings: await emailSettings(smtp.port) });
  await forget(opened, 'ninguem@empresa.exemplo');
  await forget(opened, 'Maria@Empresa.exemplo');
  await eventually(() => smtp.received.length).toBe(1);
  const [{ raw, to } = { raw: '', to: [] }] = smtp.received;
  expect(to).toEqual([EMAIL]);
  const { text, html } = partsOf({ raw });
  const [, token = ''] = /https:\/\/catalogo\.empresa\.exemplo\/convite#([\w-]{43})/.exec(text) ?? [];
  expect(html).toContain(`href="https://catalogo.empresa.exemplo/convite#${token}"`);
  expect(text).toContain('até 2026-01-18T09:00:00.000-03:00');
  expect(await audited(opened)).toMatchObject({ subject: `usuario ${DEMO}`, actor: 'sistema' });
  const accepted = await opened.anybody.call('POST', `/appliance/api/invitations/${token}`, { senha: GOOD });
  expect(accepted.status).toBe(204);
  const entered = await opened.anybody.call('POST', SESSION, { login: EMAIL, senha: GOOD });
  expect(entered.status).toBe(200);
  expect(queued(opened)).toBe(1);
});

test('a user receives five in an hour of real time, and the next one after it', async () => {
  await using smtp = await openSmtp();
  const time = { ms: 0 };
  const realTime = { ...REAL_TIME, now: () => time.ms };
  const opened = await open({ settings: await emailSettings(smtp.port), parts: { realTime } });
  for (let request = 1; request <= FORGOTTEN_AN_HOUR + 1; request += 1) await forget(opened);
  await eventually(() => queued(opened)).toBe(FORGOTTEN_AN_HOUR);
  time.ms += HOUR_MS - 1;
  await forget(opened);
  time.ms += 1;
  await forget(opened);
  await eventually(() => queued(opened)).toBe(FORGOTTEN_AN_HOUR + 1);
});

test('the answer is the same for a known and an unknown address, and differs for a malformed one', async () => {
  const opened = await open({});
  await forget(opened);
  await forget(opened, 'ninguem@empresa.exemplo');
  const refusal = await opened.anybody.call('POST', `${SESSION}/forgotten`, { email: 'maria' });
  expect([refusal.status, refusal.json.detail[0].path]).toEqual([400, '/email']);
});

test('no e-mail is sent without a server of e-mail, or without sign-in by password', async () => {
  const opened = await open({});
  const before = await audited(opened);
  await forget(opened);
  expect([queued(opened), await audited(opened)]).toEqual([0, before]);
  await opened.close();
  await using smtp = await openSmtp();
  const settings = { ...(await emailSettings(smtp.port)), 'senha.permitida': 'false' };
  const off = await open({ settings });
  await forget(off);
  await off.app.core.writer.write(() => undefined); // earlier queued writes are done
  expect(queued(off)).toBe(0);
});

test('a user and an administrator receive addresses of the instance that its setting names', async () => {
  const settings = { 'servidor.endereco': 'https://catalogo.empresa.exemplo' };
  const opened = await open({ settings });
  const admin = await opened.as('admin');
  const { url } = (await admin.call('POST', `/appliance/api/users/${DEMO}/invite`)).json;
  expect(url).toMatch(/^https:\/\/catalogo\.empresa\.exemplo\/convite#[\w-]{43}$/);
});
