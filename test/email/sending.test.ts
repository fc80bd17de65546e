/** Queued messages over real and hostile SMTP servers (contract section 27). */
import { afterEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS, MINUTE_MS } from '../../src/clock.ts';
import type { NewEmail } from '../../src/email/model.ts';
import { type OpenAppOptions, type TestApp, START, openApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { quickFolder } from '../support/quick-disk.ts';
import { emailSettings, openHostile, openSmtp, partsOf, talking } from '../support/smtp.ts';

const TO = 'maria@empresa.exemplo';
const CONTENT: NewEmail['content'] = {
  subject: 'Produtos desativados',
  lead: ['Olá.'],
  groups: [
    { heading: 'Exemplo', items: [{ text: '12 produtos', link: { href: '/corrigir', label: 'Corrigir' } }] },
  ],
};
const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

async function open(options: OpenAppOptions): Promise<TestApp> {
  const server = await openApp(options);
  endings.push(() => server.close());
  return server;
}

const queue = ({ app }: TestApp, email: Partial<NewEmail> = {}): Promise<void> =>
  app.core.writer.write((tx) => app.core.email.emails.queue(tx, { to: TO, content: CONTENT, ...email }));

interface Row {
  readonly state: string;
  readonly attempts: number;
  readonly reason: string | null;
  readonly due_at: number;
  readonly content: Uint8Array | null;
}
const rows = ({ app }: TestApp): Row[] =>
  app.core.db.prepare<[], Row>('SELECT * FROM email ORDER BY id').all();
const states = (server: TestApp) => rows(server).map(({ state, attempts }) => [state, attempts]);

/** Moves the clock and runs the due work, as a development instance does. */
async function passTime(server: TestApp, ms: number): Promise<void> {
  const admin = await server.as('admin');
  const instant = new Date(server.clock.now() + ms).toISOString();
  const { status, text } = await admin.call('POST', '/appliance/api/clock', { set: instant });
  expect([status, text]).toEqual([200, text]);
}

describe('a message', () => {
  test('is sent once by TLS with its text, its HTML and no secret', async () => {
    await using smtp = await openSmtp({ login: { user: 'catp', pass: 'senha com espaço' } });
    const secret = join(quickFolder('catp-smtp-'), 'senha');
    writeFileSync(secret, 'senha com espaço\n');
    const settings = {
      ...(await emailSettings(smtp.port)),
      'email.usuario': 'catp',
      'email.segredo': secret,
    };
    const server = await open({ settings });
    await queue(server);
    await eventually(() => smtp.received.length).toBe(1);
    const [{ raw, ...envelope } = { raw: '' }] = smtp.received;
    expect(envelope).toEqual({ from: 'catalogo@empresa.exemplo', to: [TO], isSecure: true, user: 'catp' });
    expect(raw).toContain('To: maria@empresa.exemplo');
    expect(raw).toContain('Subject: Produtos desativados');
    expect(raw).toMatch(/^Message-ID: <[0-9a-f-]{36}@empresa\.exemplo>\r$/m);
    expect(raw).toContain('Date: Thu, 15 Jan 2026 12:00:00 +0000');
    const { text, html } = partsOf({ raw });
    expect(text).toBe(`Olá.

Exemplo

- 12 produtos
  https://catalogo.empresa.exemplo/corrigir

-- 
Você escolhe em sua conta o que recebe por e-mail:
https://catalogo.empresa.exemplo/conta

`);
    expect(html).toContain(
      '<li>12 produtos<br><a href="https://catalogo.empresa.exemplo/corrigir">Corrigir</a></li>',
    );
    await eventually(() => states(server)).toEqual([['sent', 1]]);
    expect(rows(server)[0]?.content).toBeNull();
    await server.app.core.email.dueWork?.[0]?.runDue();
    expect(smtp.received).toHaveLength(1);
  });

  test('is sent by STARTTLS when the server offers it', async () => {
    await using smtp = await openSmtp({ way: 'starttls', login: { user: 'a', pass: 'b' } });
    const secret = join(quickFolder('catp-smtp-'), 'senha');
    writeFileSync(secret, 'b');
    const settings = {
      ...(await emailSettings(smtp.port, 'starttls')),
      'email.usuario': 'a',
      'email.segredo': secret,
    };
    const server = await open({ settings });
    await queue(server);
    await eventually(() => states(server)).toEqual([['sent', 1]]);
    expect(smtp.received[0]?.isSecure).toBe(true);
  });

  test('is sent without encryption on this machine without a password, and never with one', async () => {
    await using smtp = await openSmtp({ way: 'clear' });
    const settings = await emailSettings(smtp.port, 'clear');
    const server = await open({ settings });
    await queue(server);
    await eventually(() => states(server)).toEqual([['sent', 1]]);
    expect(smtp.received[0]?.isSecure).toBe(false);

    await using other = await openSmtp({ way: 'clear', login: { user: 'a', pass: 'segredo-que-fica' } });
    const secret = join(quickFolder('catp-smtp-'), 'senha');
    writeFileSync(secret, 'segredo-que-fica');
    const careful = await open({
      settings: {
        ...(await emailSettings(other.port, 'clear')),
        'email.usuario': 'a',
        'email.segredo': secret,
      },
    });
    await queue(careful);
    await eventually(() => states(careful)).toEqual([['pending', 1]]);
    expect(rows(careful)[0]?.reason).toStartWith('a conexão não pôde ser cifrada com STARTTLS');
    expect(other.received).toEqual([]);
  });

  test('is sent to another machine only by STARTTLS, also without a password', async () => {
    // This is no loopback address, but a connection to it reaches the servers of this test.
    const settingsForOther = async (port: number) => ({
      ...(await emailSettings(port, 'clear')),
      'email.servidor': `smtp://0.0.0.0:${port}`,
    });
    await using silent = await openSmtp({ way: 'clear' });
    await using refusing = await openHostile(
      talking({ EHLO: '250 test', STARTTLS: '454 not now', MAIL: '250 ok', RCPT: '250 ok', QUIT: '221 bye' }),
    );
    // Its certificate names localhost only.
    await using wrong = await openSmtp({ way: 'starttls' });
    for (const [{ port }, reason] of [
      [silent, 'a conexão não pôde ser cifrada com STARTTLS'],
      [refusing, 'a conexão não pôde ser cifrada com STARTTLS'],
      [wrong, 'a conexão foi interrompida (ERR_TLS_CERT_ALTNAME_INVALID)'],
    ] as const) {
      const server = await open({ settings: await settingsForOther(port) });
      await queue(server);
      await eventually(() => states(server)).toEqual([['pending', 1]]);
      expect(rows(server)[0]?.reason).toStartWith(reason);
    }
    expect([...silent.received, ...wrong.received]).toEqual([]);
  });

  test('is encrypted while it waits', async () => {
    const server = await open({ settings: await emailSettings(1) });
    await queue(server, { content: { ...CONTENT, lead: ['convite-secreto'] } });
    const stored = server.app.core.db.prepare<[], Uint8Array>('SELECT content FROM email').pluck().get();
    expect(Buffer.from(stored ?? []).includes('convite-secreto')).toBe(false);
  });

  test('is not queued without a server', async () => {
    const server = await open({});
    await queue(server);
    expect(rows(server)).toEqual([]);
  });

  test('has one subject, with any texts', async () => {
    await using smtp = await openSmtp();
    const server = await open({ settings: await emailSettings(smtp.port) });
    const evil = 'Oi\r\nBcc: outro@mal.exemplo\r\n\r\n<script>alert(1)</script>\u202e"\'&';
    await queue(server, {
      content: { subject: evil, lead: [evil], groups: [{ heading: evil, items: [{ text: evil }] }] },
    });
    await eventually(() => smtp.received.length).toBe(1);
    const [{ raw, to } = { raw: '', to: [] }] = smtp.received;
    expect(to).toEqual([TO]);
    const { head, html } = partsOf({ raw });
    expect(head).not.toMatch(/^Bcc:/m);
    expect(html).not.toContain('<script>');
    expect(html).toContain(
      '<li>Oi Bcc: outro@mal.exemplo &lt;script&gt;alert(1)&lt;/script&gt; &quot;&#39;&amp;</li>',
    );
  });
});

describe('a server that refuses a message', () => {
  test('with 5xx for one recipient loses that one at once, and no other', async () => {
    await using smtp = await openSmtp();
    smtp.refuses = (recipient) => (recipient === TO ? 550 : undefined);
    const server = await open({ settings: await emailSettings(smtp.port) });
    await queue(server);
    await queue(server, { to: 'outra@empresa.exemplo' });
    await eventually(() => states(server)).toEqual([
      ['failed', 1],
      ['sent', 1],
    ]);
    expect(rows(server)[0]).toMatchObject({
      content: null,
      reason: 'o servidor recusou o destinatário: 550 no such mailbox',
    });
  });

  test('with 4xx gets it again after 5 min, doubling to 1 h, for 24 h', async () => {
    await using smtp = await openSmtp();
    smtp.refuses = () => 451;
    const server = await open({ settings: await emailSettings(smtp.port) });
    await queue(server);
    await eventually(() => states(server)).toEqual([['pending', 1]]);
    const delays: number[] = [];
    for (let attempts = 1; attempts <= 6; attempts += 1) {
      const delay = (rows(server)[0]?.due_at ?? 0) - server.clock.now();
      delays.push(delay / MINUTE_MS);
      await passTime(server, delay);
      expect(states(server)).toEqual([['pending', attempts + 1]]);
    }
    expect(delays).toEqual([5, 10, 20, 40, 60, 60]);
    await passTime(server, START + 24 * HOUR_MS - MINUTE_MS - server.clock.now());
    expect(states(server)[0]?.[0]).toBe('pending');
    await passTime(server, HOUR_MS);
    expect(states(server)[0]?.[0]).toBe('failed');
  });

  test('with 4xx for one recipient still gets it for the others', async () => {
    await using smtp = await openSmtp();
    smtp.refuses = (recipient) => (recipient === TO ? 450 : undefined);
    const server = await open({ settings: await emailSettings(smtp.port) });
    await queue(server);
    await queue(server, { to: 'outra@empresa.exemplo' });
    await eventually(() => states(server)).toEqual([
      ['pending', 1],
      ['sent', 1],
    ]);
  });

  test('because it is offline gets one attempt for all waiting messages', async () => {
    await using hostile = await openHostile((socket) => socket.destroy());
    const server = await open({ settings: await emailSettings(hostile.port) });
    await server.app.core.writer.write((tx) => {
      for (let count = 0; count < 5; count += 1)
        server.app.core.email.emails.queue(tx, { to: TO, content: CONTENT });
    });
    await eventually(() => states(server)).toEqual(Array.from({ length: 5 }, () => ['pending', 1]));
    expect(hostile.connections()).toBe(1);
  });

  test('because its certificate is untrusted gets nothing', async () => {
    await using smtp = await openSmtp();
    const { 'email.ca': _ca, ...settings } = await emailSettings(smtp.port);
    const server = await open({ settings });
    await queue(server);
    await eventually(() => states(server)).toEqual([['pending', 1]]);
    expect(rows(server)[0]?.reason).toMatch(/^a conexão foi interrompida \([A-Z_]+\)/);
    expect(smtp.received).toEqual([]);
  });

  test('because it closes the connection after the message gets it again, and the others continue', async () => {
    const well = { EHLO: '250 test', MAIL: '250 ok', RCPT: '250 ok', DATA: '354 go' };
    await using hostile = await openHostile(talking(well));
    const server = await open({ settings: await emailSettings(hostile.port, 'clear') });
    await queue(server);
    await queue(server);
    await eventually(() => states(server)).toEqual([
      ['pending', 1],
      ['pending', 1],
    ]);
    expect(hostile.connections()).toBe(2);
  });

  test('because it refuses the content with 5xx gets it once only', async () => {
    const well = { EHLO: '250 test', MAIL: '250 ok', RCPT: '250 ok', DATA: '354 go', '.': '554 spam\u0007' };
    await using hostile = await openHostile(talking(well));
    const server = await open({ settings: await emailSettings(hostile.port, 'clear') });
    await queue(server);
    await eventually(() => states(server)).toEqual([['failed', 1]]);
    expect(rows(server)[0]?.reason).toBe('o servidor recusou a mensagem: 554 spam');
  });

  test('because it refuses the sender gets it again: a person can correct the sender', async () => {
    await using hostile = await openHostile(talking({ EHLO: '250 test', MAIL: '550 who' }));
    const server = await open({ settings: await emailSettings(hostile.port, 'clear') });
    await queue(server);
    await eventually(() => states(server)).toEqual([['pending', 1]]);
    expect(rows(server)[0]?.reason).toBe('o servidor recusou o remetente: 550 who');
  });

  test('because the password is wrong gets it again, and no text of the answer is stored', async () => {
    await using smtp = await openSmtp({ login: { user: 'a', pass: 'certa' } });
    const secret = join(quickFolder('catp-smtp-'), 'senha');
    writeFileSync(secret, 'senha-errada');
    const settings = { ...(await emailSettings(smtp.port)), 'email.usuario': 'a', 'email.segredo': secret };
    const server = await open({ settings });
    await queue(server);
    await eventually(() => states(server)).toEqual([['pending', 1]]);
    expect(rows(server)[0]?.reason).toBe('o servidor recusou usuário e senha (535)');
  });
});

describe('a waiting message', () => {
  test('is sent by the next start, and not again after its success was recorded', async () => {
    await using smtp = await openSmtp();
    smtp.refuses = () => 451;
    const settings = await emailSettings(smtp.port);
    const server = await openApp({ settings });
    await queue(server);
    await eventually(() => states(server)).toEqual([['pending', 1]]);
    await server.close({ keepFolder: true });
    smtp.refuses = () => undefined;
    const { folder, clock } = server;
    clock.moveTo(START + HOUR_MS);
    const next = await openApp({ settings, folder, clock });
    await eventually(() => states(next)).toEqual([['sent', 2]]);
    await next.close({ keepFolder: true });
    const last = await open({ settings, folder, clock });
    await last.app.core.email.dueWork?.[0]?.runDue();
    expect(smtp.received).toHaveLength(1);
  });

  test('is due at once when the clock is put back', async () => {
    await using smtp = await openSmtp();
    smtp.refuses = () => 451;
    const server = await open({ settings: await emailSettings(smtp.port) });
    await queue(server);
    await eventually(() => states(server)).toEqual([['pending', 1]]);
    smtp.refuses = () => undefined;
    await passTime(server, -30 * 24 * HOUR_MS);
    await eventually(() => states(server)).toEqual([['sent', 2]]);
  });

  test('is discarded when its person loses the company, or has another address', async () => {
    await using smtp = await openSmtp();
    smtp.refuses = () => 451;
    const server = await open({ settings: await emailSettings(smtp.port) });
    const admin = await server.as('admin');
    const putAddress = (email: string) =>
      admin.call('POST', '/appliance/api/users', { documento: '00000000191', email });
    expect((await putAddress(TO)).status).toBe(200);
    await queue(server, { documento: '00000000191', companies: ['12345678'] });
    await queue(server, { documento: '00000000191' });
    await eventually(() => states(server)).toEqual([
      ['pending', 1],
      ['pending', 1],
    ]);
    smtp.refuses = () => undefined;
    await admin.call('DELETE', '/appliance/api/representations', {
      documento: '00000000191',
      cpfCnpjRaiz: '12345678',
      perfil: 'IMPEXP',
    });
    await passTime(server, HOUR_MS);
    await eventually(() => states(server)).toEqual([
      ['dropped', 1],
      ['sent', 2],
    ]);
    await queue(server, { documento: '00000000191', to: 'antigo@empresa.exemplo' });
    await eventually(() => states(server).at(-1)).toEqual(['dropped', 0]);
    expect(smtp.received).toHaveLength(1);
  });
});
