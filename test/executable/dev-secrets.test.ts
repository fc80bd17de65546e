/**
 * `catp dev` on an address that other machines reach: with its own secrets, or refused (contract section 13).
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { certificateFiles } from '../support/tls.ts';
import type { RunningCatp } from '../support/executable.ts';
import { refusalOf } from './outcome.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const DEV = ['dev', '--empty', '--port', '0', '--data', 'dados'];

const file = (content: unknown): string => {
  writeFileSync(
    join(sandbox.folder, 'segredos.json'),
    typeof content === 'string' ? content : JSON.stringify(content),
  );
  return 'segredos.json';
};

const enters = async ({ url }: RunningCatp, name: string, secret: string): Promise<boolean> =>
  typeof (await tokensOf(url.replace('0.0.0.0', '127.0.0.1'), name, secret)) !== 'number';

/** Sends a command as the administrator with this secret. Returns the status. */
async function command(catp: RunningCatp, path: string, secret: string): Promise<number> {
  const headers = await tokensOf(catp.url, 'admin', secret);
  if (typeof headers === 'number') throw new Error('not signed in');
  return (await fetch(`${catp.url}/appliance/api/${path}`, { method: 'POST', headers })).status;
}

test('only the secrets of the file are accepted, also after a reset, a restart and a restored snapshot with fixed secrets', async () => {
  const first = await sandbox.start(...DEV);
  expect(await command(first, 'snapshots/fixos', 'admin')).toBe(200);
  await first.stop();
  const flags = ['--host', '0.0.0.0', '--secrets', file({ demo: 'meu segredo', admin: 'outro' })];
  const expectSecrets = async (catp: RunningCatp): Promise<void> => {
    expect([await enters(catp, 'demo', 'meu segredo'), await enters(catp, 'admin', 'outro')]).toEqual([
      true,
      true,
    ]);
    for (const name of ['demo', 'demo2', 'estranho', 'admin'])
      expect([name, await enters(catp, name, name)]).toEqual([name, false]);
    expect(await enters(catp, 'demo2', 'meu segredo')).toBe(false);
  };
  const second = await sandbox.start(...DEV, ...flags);
  expect(second.url).toStartWith('http://0.0.0.0:');
  await expectSecrets(second);
  expect(await command(second, 'reset', 'outro')).toBeLessThan(300);
  await expectSecrets(second);
  expect(await command(second, 'snapshots/fixos/restore', 'outro')).toBeLessThan(300);
  await expectSecrets(second);
  const page = await (await fetch(`${second.url}/entrar`)).text();
  expect(page).toContain('name="catp:segredos" content="próprios"');
  await second.stop();
  expect(await second.allStderr()).not.toContain('meu segredo');
  await expectSecrets(await sandbox.start(...DEV, '--snapshot', 'fixos', ...flags));
});

test('the banner names the users with a key, and uses a server name of the certificate', async () => {
  const words = ['--host', '0.0.0.0', '--tls', '0', '--secrets', file({ demo: 'meu segredo' })];
  const catp = await sandbox.start(...DEV, ...words);
  await catp.stop();
  const stderr = await catp.allStderr();
  expect(stderr).toMatch(/^ {2}Sem chave, porque --secrets não as tem: demo2, estranho, admin$/m);
  expect(stderr).not.toMatch(/^ {2}admin/m);
  expect(stderr).toMatch(/curl -sSi -X POST https:\/\/localhost:\d+\/portal\/api\/autenticar /);
  const certificate = new X509Certificate(readFileSync(join(sandbox.folder, 'dados', 'tls', 'servidor.pem')));
  expect(certificate.subjectAltName).toContain(`DNS:${hostname()}`);
});

test('--secrets - generates all secrets and prints them once, different at each start', async () => {
  const printSecrets = async (): Promise<Record<string, string>> => {
    const catp = await sandbox.start(...DEV, '--host', '0.0.0.0', '--secrets', '-');
    for (let turn = 0; turn < 100 && !catp.stdout.includes('admin: '); turn += 1)
      await fetch(`${catp.url}/healthz`);
    const secrets = Object.fromEntries(
      [...catp.stdout.matchAll(/^catp: segredo de (\w+): (\S+)$/gm)].map(([, name, secret]) => [
        name,
        secret,
      ]),
    ) as Record<string, string>;
    expect(Object.keys(secrets)).toEqual(['demo', 'demo2', 'estranho', 'publico', 'admin']);
    expect(await enters(catp, 'demo', secrets['demo'] ?? '')).toBe(true);
    expect(await enters(catp, 'demo', 'demo')).toBe(false);
    await catp.stop();
    return secrets;
  };
  const [first, second] = [await printSecrets(), await printSecrets()];
  expect(Object.values(first).filter((secret) => Object.values(second).includes(secret))).toEqual([]);
});

test('without --secrets a public address is refused, by flag and by setting; a loopback address is accepted', async () => {
  for (const host of [
    ['--host', '0.0.0.0'],
    ['--set', 'host=192.168.0.9'],
    ['--host', '::'],
  ])
    expect(refusalOf(sandbox, [...DEV, ...host], 2)).toContain(
      'os segredos fixos de catp dev são só para esta',
    );
  const { url } = await sandbox.start(...DEV, '--host', '127.0.0.2');
  expect(url).toStartWith('http://127.0.0.2:');
});

test.each([
  [{ demo: 'x', maria: 'y' }, 'não há o usuário "maria"; aceita demo, demo2, estranho, publico, admin'],
  [{ demo: '' }, 'o segredo de demo tem de ser um texto'],
  [{ demo: 7 }, 'o segredo de demo tem de ser um texto'],
  [{ demo: 'admin' }, 'o segredo de demo é um dos fixos'],
  ['[]', 'não é um objeto JSON'],
  ['{"demo": "segredo-aberto"', 'não é um objeto JSON'],
])('a file of %j is refused', (content, message) => {
  const refusal = refusalOf(sandbox, [...DEV, '--host', '0.0.0.0', '--secrets', file(content)], 2);
  expect(refusal).toContain(message);
  expect(refusal).not.toContain('segredo-aberto');
});

test('a missing file is refused', () => {
  expect(refusalOf(sandbox, [...DEV, '--secrets', 'nada.json'], 2)).toContain('nada.json não pode ser lido');
});

test('--tls-port without --tls-client-ca reports that client certificates are not accepted', async () => {
  const { cert, key } = await certificateFiles();
  const catp = await sandbox.start(...DEV, '--tls-port', '0', '--tls-cert', cert, '--tls-key', key);
  await catp.stop();
  expect(await catp.allStderr()).toContain(
    'Nenhum certificado de cliente será pedido nem aceito: falta --tls-client-ca',
  );
});
