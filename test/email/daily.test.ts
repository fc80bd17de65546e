/** The daily message: one for each person, its news, and its text (contract section 27). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { activate, load, product, tableFile } from '../catalogue/attribute/support.ts';
import { eventually } from '../support/eventually.ts';
import { type TestSmtp, emailSettings, openSmtp, partsOf } from '../support/smtp.ts';

const [FIRST, SECOND] = ['12345678', '87654321'];
const ADDRESS = 'maria@empresa.exemplo';

let smtp: TestSmtp;
let server: TestApp;
let demo: Client;
beforeEach(async () => {
  smtp = await openSmtp();
  server = await openApp({ settings: await emailSettings(smtp.port) });
  demo = await server.as('demo');
  await choose({ email: ADDRESS });
});
afterEach(async () => {
  await server.close();
  await smtp[Symbol.asyncDispose]();
});

async function choose(body: object): Promise<void> {
  const { status, text } = await (await server.as('demo')).call('PUT', '/appliance/api/me', body);
  expect([status, text]).toEqual([200, text]);
}

/** Moves the clock to that instant in January 2026, and sends the due messages. */
async function sendDueAt(day: number, hour = '07:00'): Promise<void> {
  const set = `2026-01-${day}T${hour}:00-03:00`;
  const { status, text } = await (await server.as('admin')).call('POST', '/appliance/api/clock', { set });
  expect([status, text]).toEqual([200, text]);
  for (const one of server.app.core.email.dueWork ?? []) await one.runDue();
}

let tables = 0;
/** Lets the system deactivate all products of these NCMs, and none of `others`. */
async function fall(ncms: readonly string[], others: readonly string[] = []): Promise<void> {
  const admin = await server.as('admin');
  const file = tableFile(
    `${(tables += 1)}`,
    Object.fromEntries(
      [...ncms, ...others].map((ncm) => [ncm, [{ codigo: 'ATT_1', obrigatorio: ncms.includes(ncm) }]]),
    ),
  );
  await activate(admin, await load(admin, file));
}

async function include(company: string, ncm: string): Promise<void> {
  const { status, text } = await demo.call('POST', `/catp/api/ext/produto/${company}`, product(ncm));
  expect([status, text]).toEqual([200, text]);
}

describe('the daily message', () => {
  test('lists the open problems, the most urgent first, each with a link', async () => {
    await include(FIRST, '73181500');
    await include(SECOND, '73181500');
    await include(SECOND, '73181500');
    await fall(['7318.15.00']);
    await sendDueAt(16, '06:59');
    expect(smtp.received).toEqual([]);
    await sendDueAt(16);
    expect(smtp.received.map(({ to }) => to)).toEqual([[ADDRESS]]);
    const { head, text, html } = partsOf(smtp.received[0] ?? { raw: '' });
    expect(head).toContain('Subject: =?UTF-8?Q?2_itens_pedem_aten=C3=A7=C3=A3o=3A_2_emp?=');
    expect(html).toContain('<title>2 itens pedem atenção: 2 empresas</title>');
    expect(text).toBe(`O que pede atenção no catálogo de produtos, o mais urgente primeiro.

Exemplo Importadora S.A.

- 1 produto desativado pelo sistema, porque os atributos da NCM mudaram. Grave uma nova versão de cada um com o que falta.
  https://catalogo.empresa.exemplo/corrigir?cpfCnpjRaiz=12345678

Modelo Comércio Exterior Ltda.

- 2 produtos desativados pelo sistema, porque os atributos da NCM mudaram. Grave uma nova versão de cada um com o que falta.
  https://catalogo.empresa.exemplo/corrigir?cpfCnpjRaiz=87654321

-- 
Você escolhe em sua conta o que recebe por e-mail:
https://catalogo.empresa.exemplo/conta

`);
    // The HTML has the same texts, in the same order.
    const words = html
      .replace(/<style>[^]*<\/style>/, '')
      .replace(/<title>.*<\/title>/, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ');
    for (const line of text.split('\n').filter((one) => /^[-\p{L}]/u.test(one) && !/^(--|http)/.test(one)))
      expect(words).toContain(line.replace(/^- /, ''));
    expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      'https://catalogo.empresa.exemplo/corrigir?cpfCnpjRaiz=12345678',
      'https://catalogo.empresa.exemplo/corrigir?cpfCnpjRaiz=87654321',
      'https://catalogo.empresa.exemplo/conta',
    ]);
  });

  test('is sent only when something is new since the last one', async () => {
    await include(FIRST, '73181500');
    await include(FIRST, '73181600');
    await fall(['7318.15.00'], ['7318.16.00']);
    await sendDueAt(16);
    await sendDueAt(17);
    expect(smtp.received).toHaveLength(1);
    await fall(['7318.15.00', '7318.16.00']);
    await sendDueAt(18);
    expect(smtp.received).toHaveLength(2);
    expect(partsOf(smtp.received[1] ?? { raw: '' }).text).toContain('2 produtos desativados pelo sistema');
    await sendDueAt(19);
    expect(smtp.received).toHaveLength(2);
  });

  test('lists a problem again after a day without it', async () => {
    await include(FIRST, '73181500');
    await include(FIRST, '73181600');
    await fall(['7318.15.00'], ['7318.16.00']);
    await sendDueAt(16);
    const dismiss = { cpfCnpjRaiz: FIRST, kind: 'paraCorrigir' };
    demo = await server.as('demo');
    expect((await demo.call('POST', '/appliance/api/attention/dismissals', dismiss)).status).toBe(204);
    await sendDueAt(17);
    expect(smtp.received).toHaveLength(1);
    await fall(['7318.15.00', '7318.16.00']);
    await sendDueAt(18);
    expect(smtp.received).toHaveLength(2);
  });

  test('omits the notices that the person disabled, and drafts', async () => {
    await include(FIRST, '73181500');
    await fall(['7318.15.00']);
    await demo.call('POST', '/appliance/api/products/drafts', { cpfCnpjRaiz: FIRST, denominacao: 'x' });
    for (const time of ['imediato', 'nunca']) await choose({ avisos: { desativados: time } });
    await sendDueAt(16);
    expect(smtp.received).toEqual([]);
    await choose({ avisos: { desativados: 'diario' } });
    await sendDueAt(17);
    expect(smtp.received).toHaveLength(1);
    expect(partsOf(smtp.received[0] ?? { raw: '' }).text).not.toContain('rascunho');
  });

  test('is not sent to a user without an address or a company, and names no other company', async () => {
    const stranger = await server.as('estranho');
    await stranger.call('PUT', '/appliance/api/me', { email: 'outra@empresa.exemplo' });
    await (await server.as('admin')).call('PUT', '/appliance/api/me', { email: 'adm@empresa.exemplo' });
    await include(FIRST, '73181500');
    await fall(['7318.15.00']);
    await choose({ email: '' });
    await sendDueAt(16);
    expect(smtp.received).toEqual([]);
  });

  test('is discarded for a company that the person has lost since', async () => {
    smtp.refuses = () => 451;
    await include(FIRST, '73181500');
    await fall(['7318.15.00']);
    await sendDueAt(16);
    const representation = { documento: '00000000191', cpfCnpjRaiz: FIRST, perfil: 'IMPEXP' };
    await (await server.as('admin')).call('DELETE', '/appliance/api/representations', representation);
    smtp.refuses = () => undefined;
    await sendDueAt(16, '09:00');
    expect(smtp.received).toEqual([]);
  });

  test('is sent once a day, also when the server restarts or the clock is put back', async () => {
    await include(FIRST, '73181500');
    await fall(['7318.15.00']);
    await sendDueAt(16);
    await sendDueAt(16, '06:00');
    await sendDueAt(16, '08:00');
    expect(smtp.received).toHaveLength(1);
    await server.close({ keepFolder: true });
    server = await openApp({
      settings: await emailSettings(smtp.port),
      folder: server.folder,
      clock: server.clock,
    });
    await server.app.core.jobs.find(({ name }) => name === 'emails-do-dia')?.runOnce();
    expect(smtp.received).toHaveLength(1);
  });

  test('is sent at the start after a night without the server', async () => {
    await include(FIRST, '73181500');
    await fall(['7318.15.00']);
    await server.close({ keepFolder: true });
    server.clock.moveTo(Date.parse('2026-01-16T08:00:00-03:00'));
    const { folder, clock } = server;
    server = await openApp({ settings: await emailSettings(smtp.port), folder, clock });
    await eventually(() => smtp.received.length).toBe(1);
  });

  test('is never sent when email.horario disables it', async () => {
    await server.close({ keepFolder: true });
    const { folder, clock } = server;
    const settings = { ...(await emailSettings(smtp.port)), 'email.horario': 'nunca' };
    server = await openApp({ settings, folder, clock });
    demo = await server.as('demo');
    await include(FIRST, '73181500');
    await fall(['7318.15.00']);
    await sendDueAt(17);
    expect(smtp.received).toEqual([]);
  });
});
