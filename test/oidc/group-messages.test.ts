/** Messages and events to people who have companies by groups of the provider only (contract section 27). */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/clock.ts';
import { type Client, START } from '../support/app.ts';
import { type ProviderApp, codeOf, openProviderApp } from '../support/provider-sign-in.ts';
import { type TestSmtp, emailSettings, openSmtp, partsOf } from '../support/smtp.ts';

const [NEWCOMER, COMPANY] = ['52998224725', '12345678'];
const ADDRESS = 'ana@empresa.exemplo';
/** Days without a sign-in after which the rights of groups end. */
const KEPT_DAYS = 30;

let smtp: TestSmtp;
let setup: ProviderApp;
beforeEach(async () => {
  smtp = await openSmtp();
  const settings = { ...(await emailSettings(smtp.port)), 'oidc.grupos': 'grupos', 'oidc.criar': 'true' };
  setup = await openProviderApp({ settings });
  const admin = await setup.app.as('admin');
  for (const papel of ['leitura', 'aprovacao'])
    await admin.call('POST', '/appliance/api/groups', { group: papel, companies: [COMPANY], papel });
});
afterEach(async () => {
  await setup[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

async function signIn(grupos: readonly string[]): Promise<Client> {
  setup.provider.person = { sub: 'ana', cpf: NEWCOMER, name: 'Ana', grupos };
  const { reply, cookie } = await setup.signIn();
  const { headers } = await setup.trade(codeOf(reply), cookie);
  const tokens = {
    authorization: headers.get('set-token') ?? '',
    'x-csrf-token': headers.get('x-csrf-token') ?? '',
  };
  return { call: (method, path, body) => setup.app.anybody.call(method, path, body, tokens) };
}

/** Proposes a product. Returns the number of deliveries of its event. */
async function propose(denominacao: string): Promise<number> {
  const content = { denominacao, modalidade: 'IMPORTACAO', ncm: '73181500' };
  const body = { cpfCnpjRaiz: COMPANY, kind: 'produto', operation: 'include', content };
  expect((await (await setup.app.as('demo')).call('POST', '/appliance/api/proposals', body)).status).toBe(
    202,
  );
  const admin = await setup.app.as('admin');
  const [event] = (await admin.call('GET', '/appliance/api/events?evento=catp-proposta')).json;
  return event.deliveries;
}

const run = async (name: string) =>
  (setup.app.app.core.jobs.find((job) => job.name === name) ?? { runOnce: async () => ({}) }).runOnce();

/** Sends the messages of that day. Returns their number. */
async function messagesOf(day: number): Promise<number> {
  const before = smtp.received.length;
  setup.app.clock.moveTo(START + day * DAY_MS);
  await run('emails-do-dia');
  for (const one of setup.app.app.core.email.dueWork ?? []) await one.runDue();
  return smtp.received.length - before;
}

async function prepare(grupos: readonly string[]): Promise<void> {
  const client = await signIn(grupos);
  expect((await client.call('PUT', '/appliance/api/me', { email: ADDRESS })).status).toBe(200);
  const subscription = { evento: 'catp-proposta', endpoint: 'https://nao-existe.invalid/' };
  expect((await client.call('POST', '/portal/api/ext/webhook', subscription)).status).toBe(200);
}

test('are sent while the provider confirmed the groups in the last 30 days', async () => {
  await prepare(['aprovacao', 'leitura']);
  expect(await propose('Parafuso')).toBe(1);
  expect(await messagesOf(1)).toBe(1);
  expect(partsOf(smtp.received[0] ?? { raw: '' }).text).toContain('1 proposta espera uma decisão.');

  // A sign-in with the same groups confirms them.
  setup.app.clock.moveTo(START + 20 * DAY_MS);
  await signIn(['aprovacao', 'leitura']);
  await propose('Porca');
  setup.app.clock.moveTo(START + (20 + KEPT_DAYS) * DAY_MS);
  expect(await run('grupos-vencidos')).toEqual({ taken: 0 });
  expect(await messagesOf(20 + KEPT_DAYS)).toBe(1);

  setup.app.clock.moveTo(START + (20 + KEPT_DAYS) * DAY_MS + 1);
  expect(await run('grupos-vencidos')).toEqual({ taken: 2 });
  expect(await propose('Arruela')).toBe(0);
  expect(await messagesOf(21 + KEPT_DAYS)).toBe(0);
});

test('follow the right that the groups give', async () => {
  await prepare(['leitura']);
  expect(await propose('Parafuso')).toBe(1);
  expect(await messagesOf(1)).toBe(0);
});

test('that are immediate are sent once to a person of two groups, and not for a company lost meanwhile', async () => {
  await prepare(['aprovacao', 'leitura']);
  const client = await signIn(['aprovacao', 'leitura']);
  await client.call('PUT', '/appliance/api/me', { email: ADDRESS, avisos: { propostas: 'imediato' } });
  const minuteLater = async (): Promise<number> => {
    const before = smtp.received.length;
    setup.app.clock.moveTo(setup.app.clock.now() + 60_000);
    for (const one of setup.app.app.core.email.dueWork ?? []) await one.runDue();
    return smtp.received.length - before;
  };
  await propose('Parafuso');
  expect(await minuteLater()).toBe(1);
  await propose('Porca');
  await signIn(['aprovacao', 'leitura']);
  const admin = await setup.app.as('admin');
  for (const { id } of (await admin.call('GET', '/appliance/api/groups')).json)
    await admin.call('DELETE', `/appliance/api/groups/${id}`);
  expect(await minuteLater()).toBe(0);
});
