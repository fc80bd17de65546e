/**
 * E-mails of the executable: their settings, and the messages that `kill -9` interrupts (contract section
 * 27).
 */
import { afterEach, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { openHostile, openSmtp, partsOf } from '../support/smtp.ts';
import { certificateFiles } from '../support/tls.ts';
import { type Sandbox, openSandbox } from './support.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

test('the server of email.servidor receives the message of catp call testEmail', async () => {
  sandbox = await openSandbox();
  await using smtp = await openSmtp({ way: 'starttls', login: { user: 'catalogo', pass: 'segredo' } });
  const { ca } = await certificateFiles();
  sandbox.init('dados');
  mkdirSync(join(sandbox.folder, 'segredos'));
  writeFileSync(join(sandbox.folder, 'segredos', 'email'), 'segredo\n');
  const file = `
    [servidor]
    endereco = "https://catalogo.empresa.exemplo"
    [email]
    servidor = "smtp://localhost:${smtp.port}"
    remetente = "Catálogo <catalogo@empresa.exemplo>"
    usuario = "catalogo"
    segredo = "../segredos/email"
    ca = "${ca}"
    horario = "06:30"
  `;
  writeFileSync(join(sandbox.folder, 'dados', 'catp.toml'), file);
  const test = ['call', 'testEmail', 'to=maria@empresa.exemplo', '--data', 'dados', '--json'];
  const { executable, folder } = sandbox;
  // The command runs asynchronously, so that the server of this process can answer.
  const child = Bun.spawn([executable, ...test], { cwd: folder, env: {}, stdin: 'ignore', stdout: 'pipe' });
  expect(JSON.parse(await new Response(child.stdout).text())).toMatchObject({ ok: true });
  expect(await child.exited).toBe(0);
  const [message = { raw: '', to: [] as string[], isSecure: false }] = smtp.received;
  expect(message).toMatchObject({ to: ['maria@empresa.exemplo'], isSecure: true, user: 'catalogo' });
  expect(partsOf(message).text).toContain('https://catalogo.empresa.exemplo/conta');
});

test('a message that kill -9 interrupts is sent once at the next start', async () => {
  sandbox = await openSandbox();
  const mute = await openHostile(() => undefined);
  sandbox.init('dados');
  const file = `
    [servidor]
    endereco = "https://catalogo.empresa.exemplo"
    [email]
    servidor = "smtp://localhost:${mute.port}"
    remetente = "catalogo@empresa.exemplo"
  `;
  writeFileSync(join(sandbox.folder, 'dados', 'catp.toml'), file);
  const maria = ['user', 'add', '00000000191', '--nome', 'Maria', '--email', 'maria@empresa.exemplo'];
  expect(sandbox.run([...maria, '--data', 'dados'])).toMatchObject({ code: 0 });
  const serve = () => sandbox.start('serve', '--data', 'dados', '--port', '0');
  const killed = await serve();
  const forgotten = await fetch(`${killed.url}/appliance/api/session/forgotten`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'maria@empresa.exemplo' }),
  });
  expect(forgotten.status).toBe(204);
  // The message is committed and in delivery; the mail server never answers.
  await eventually(() => mute.connections()).toBe(1);
  await killed.kill9();
  await mute[Symbol.asyncDispose]();

  await using smtp = await openSmtp({ way: 'clear', port: mute.port });
  const waitingCount = async (url: string): Promise<string | undefined> =>
    /^catp_emails_waiting (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];
  for (let starts = 0; starts < 2; starts += 1) {
    const catp = await serve();
    await eventually(() => waitingCount(catp.url)).toBe('0');
    await catp.stop();
  }
  expect(smtp.received.map(({ to }) => to)).toEqual([['maria@empresa.exemplo']]);
});
