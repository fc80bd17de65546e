/** `catp dev --tls`: creates everything that HTTPS needs, and programs of other languages sign in with it. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { copyFileSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toEnd } from '../../scripts/proof/to-end.ts';
import { fences } from '../support/documents.ts';
import type { RunningCatp } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';
import { eventually } from '../support/eventually.ts';
import { refusalOf } from './outcome.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';
import { blockAfter } from './terminal.ts';

setDefaultTimeout(240_000); // Go compiles its library in the first run

const EXAMPLES = join(ROOT, 'scripts/examples/certificado');
const FOLDER = 'catp-dev/tls';
const SIGNED_IN = '200 true';

let sandbox: Sandbox;
let catp: RunningCatp;
beforeAll(async () => {
  sandbox = await openSandbox();
  catp = await start();
});
afterAll(() => sandbox.close());

const start = (...flags: readonly string[]): Promise<RunningCatp> =>
  sandbox.start('dev', '--empty', '--port', '0', '--data', 'catp-dev', '--tls', '0', ...flags);

const readText = (name: string): string => readFileSync(join(sandbox.folder, FOLDER, name), 'latin1');

/** Runs a program asynchronously, so that the server of this process can answer. */
async function run(...words: readonly string[]): Promise<string> {
  const env = { ...Bun.env, CATALOGO_URL: catp.url.replace('127.0.0.1', 'localhost') };
  const { code, out, err } = await toEnd(words, { cwd: sandbox.folder, env });
  return code === 0 ? out.trim() : `${out}${err}`;
}

const curl = (...flags: readonly string[]): Promise<string> =>
  run(
    ...['curl', '--silent', '--show-error', '--cacert', `${FOLDER}/catp-ca.pem`, '--request', 'POST'],
    ...['--header', 'Role-Type: IMPEXP', ...flags],
  );

test('curl signs in by PFX and by PEM, with every name of the server', async () => {
  const { port } = new URL(catp.url);
  const credentials = [
    ['--cert-type', 'P12', '--cert', `${FOLDER}/demo.pfx:catp`],
    ['--cert', `${FOLDER}/demo.pem`, '--key', `${FOLDER}/demo.key`],
  ];
  for (const credential of credentials)
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'val.portalunico.siscomex.gov.br']) {
      const target = ['--connect-to', `::127.0.0.1:${port}`];
      const answer = await curl(...credential, ...target, `https://${host}:${port}/portal/api/autenticar`);
      expect([host, answer]).toEqual([host, expect.stringContaining('"token"')]);
    }
  expect(await curl(`${catp.url}/portal/api/autenticar`)).toContain('PLAT-ER2001');
});

test('a failed connection logs a line in the terminal, and plain HTTP is answered with 400', async () => {
  const plain = catp.url.replace('https:', 'http:');
  expect(await run('curl', '--silent', `${plain}/catp/api/ext/produto`)).toContain('"code":"APPL-ER0400"');
  expect(await run('curl', '--silent', '--show-error', catp.url)).toContain('certificate');
  const oldProtocol = ['--tls-max', '1.1', '--tlsv1.0', '--ciphers', 'ALL:@SECLEVEL=0'];
  await run('curl', '--silent', '--cacert', `${FOLDER}/catp-ca.pem`, ...oldProtocol, catp.url);
  const reasons = [
    'veio HTTP sem TLS',
    'o programa não confia no certificado',
    'o programa não oferece TLS 1.2',
  ];
  for (const reason of reasons)
    await eventually(() => catp.stderr).toContain(`A conexão TLS de 127.0.0.1 não se completou: ${reason}`);
});

test('the company signs in with the profile DEPOSIT', async () => {
  const company = ['--cert-type', 'P12', '--cert', `${FOLDER}/empresa.pfx:catp`];
  const address = `${catp.url}/portal/api/autenticar`;
  const deposit = [...company, '--header', 'Role-Type: DEPOSIT'];
  expect(await curl(...company, address)).toContain('PLAT-ER2008');
  expect(
    await run('curl', '-sS', '--cacert', `${FOLDER}/catp-ca.pem`, '-X', 'POST', ...deposit, address),
  ).toContain('"token"');
});

/** The programs of the page leve-seu-programa: file, required program, and command line. */
const PROGRAMS: readonly (readonly [string, string, ...string[]])[] = [
  ['entrar.py', 'python3', 'entrar.py'],
  ['entrar.mjs', 'node', 'entrar.mjs'],
  ['entrar.go', 'go', 'run', 'entrar.go'],
  ['entrar.php', 'php', 'entrar.php'],
];

/** Prints a warning when the program is not installed. */
function hasProgram(program: string): boolean {
  const isInstalled = Bun.which(program) !== null;
  if (!isInstalled)
    console.warn(`ATENÇÃO: sem ${program}; o certificado de catp dev --tls NÃO foi posto à prova nele.`);
  return isInstalled;
}

for (const [file, program, ...words] of PROGRAMS)
  test.if(hasProgram(program))(`${file} signs in`, async () => {
    copyFileSync(join(EXAMPLES, file), join(sandbox.folder, file));
    expect((await run(program, ...words)).toLowerCase()).toBe(SIGNED_IN);
  });

test('the page shows the programs unchanged', async () => {
  const printedExamples = (await fences()).map(({ code }) => code.trim());
  for (const file of [...PROGRAMS.map(([name]) => name), 'Entrar.java', 'Entrar.cs'])
    expect(printedExamples).toContain(readFileSync(join(EXAMPLES, file), 'utf8').trim());
});

/** Blocks of the page, each with its required program and its last line of output. */
const BLOCKS = [
  ['trust-node', 'node', '200'],
  ['trust-python', 'python3', '200'],
  ['trust-go', 'go', '200'],
  ['trust-php', 'php', '200'],
  ['certificate-curl', 'curl', '200'],
  ['certificate-java', 'keytool', SIGNED_IN],
] as const;

for (const [name, program, last] of BLOCKS)
  test.if(hasProgram(program))(`the commands of ${name} work unchanged`, async () => {
    copyFileSync(join(EXAMPLES, 'Entrar.java'), join(sandbox.folder, 'Entrar.java'));
    const block = (await blockAfter(name)).replace('localhost:8443', new URL(catp.url).host);
    expect((await run('bash', '-euc', block)).split('\n').at(-1)).toBe(last);
  });

test('an own key and another profile sign in: with a long secret, and with the certificate as DEPOSIT', async () => {
  mkdirSync(join(sandbox.folder, 'dist'));
  symlinkSync(sandbox.executable, join(sandbox.folder, 'dist/catp'));
  const output = await run('bash', '-euc', await blockAfter('own-key'));
  const [, clientId = ''] = /Client-Id: (\S+)/.exec(output) ?? [];
  const [, clientSecret = ''] = /Client-Secret: (\S+)/.exec(output) ?? [];
  expect(clientSecret.length).toBeGreaterThan(40);
  const http = /pronto em (\S+)/.exec(catp.stdout)?.[1] ?? '';
  expect(await tokensOf(http, clientId, clientSecret)).toBeObject();
  const maria = ['--cert', `${FOLDER}/demo.pem`, '--key', `${FOLDER}/demo.key`];
  const deposit = ['-X', 'POST', '-H', 'Role-Type: DEPOSIT', '--cacert', `${FOLDER}/catp-ca.pem`, ...maria];
  expect(await run('curl', '-sS', ...deposit, `${catp.url}/portal/api/autenticar`)).toContain('"token"');
});

test.if(hasProgram('mono') && hasProgram('mcs'))('Entrar.cs signs in', async () => {
  copyFileSync(join(EXAMPLES, 'Entrar.cs'), join(sandbox.folder, 'Entrar.cs'));
  expect(await run('mcs', 'Entrar.cs')).toBe('');
  expect((await run('mono', 'Entrar.exe')).toLowerCase()).toBe(SIGNED_IN);
});

test.if(hasProgram('openssl'))(
  'the PFX uses the legacy format, and a strict reader accepts the certificates',
  async () => {
    const output = await run(
      'openssl',
      'pkcs12',
      '-info',
      '-nokeys',
      '-in',
      `${FOLDER}/demo.pfx`,
      '-passin',
      'pass:catp',
    );
    expect(output).toContain('friendlyName: demo');
    const child = Bun.spawnSync(
      ['openssl', 'pkcs12', '-info', '-noout', '-in', `${FOLDER}/demo.pfx`, '-passin', 'pass:catp'],
      { cwd: sandbox.folder },
    );
    expect(child.stderr.toString()).toMatch(/MAC: sha1,[^]*pbeWithSHA1And3-KeyTripleDES-CBC/);
    const files = ['servidor', 'demo', 'empresa'].map((name) => `${FOLDER}/${name}.pem`);
    expect(await run('openssl', 'verify', '-x509_strict', '-CAfile', `${FOLDER}/catp-ca.pem`, ...files)).toBe(
      files.map((file) => `${file}: OK`).join('\n'),
    );
  },
);

test('keys are readable only by their owner, and the banner names the files', () => {
  for (const name of ['catp-ca.key', 'servidor.key', 'demo.key', 'demo.pfx', 'empresa.key', 'empresa.pfx'])
    expect([name, statSync(join(sandbox.folder, FOLDER, name)).mode & 0o777]).toEqual([name, 0o600]);
  for (const word of ['catp-ca.pem', 'demo.pfx', 'demo.pem', 'demo.key', 'empresa.pfx', 'senha catp'])
    expect(catp.stderr).toContain(word);
});

describe('a second start', () => {
  test('keeps all files; another name recreates only the certificate of the server', async () => {
    const all = ['catp-ca.pem', 'servidor.pem', 'demo.pfx', 'demo.pem', 'empresa.pfx'];
    const look = (): string[] => all.map(readText);
    const first = look();
    expect(await curl(`${catp.url}/portal/api/autenticar`)).toContain('PLAT-ER2001');
    await catp.stop();
    expect(await catp.allStderr()).toContain(
      'Entrada por certificado de 127.0.0.1 recusada (PLAT-ER2001): não veio certificado na conexão. Indique',
    );
    catp = await start();
    expect(look()).toEqual(first);
    await catp.stop();
    catp = await start('--set', 'servidor.nomes=catalogo.exemplo');
    const named = look();
    expect(named.map((content, index) => content === first[index])).toEqual([true, false, true, true, true]);
    const { port } = new URL(catp.url);
    const target = ['--connect-to', `::127.0.0.1:${port}`];
    for (const host of ['catalogo.exemplo', 'portalunico.siscomex.gov.br'])
      expect(await curl(...target, `https://${host}:${port}/portal/api/autenticar`)).toContain('PLAT-ER2001');
  });

  test('recreates broken or missing files; without the key of the authority it names the next step', async () => {
    const first = readText('demo.pfx');
    await catp.stop();
    writeFileSync(join(sandbox.folder, FOLDER, 'demo.key'), 'no key');
    catp = await start();
    expect(readText('demo.pfx')).not.toBe(first);
    await catp.stop();
    const key = readText('catp-ca.key');
    await Bun.file(join(sandbox.folder, FOLDER, 'catp-ca.key')).delete();
    expect(refusalOf(sandbox, ['dev', '--port', '0', '--data', 'catp-dev', '--tls', '0'])).toBe(
      'catp: Falta catp-ca.key em catp-dev/tls. Apague a pasta e execute catp dev --tls.\n',
    );
    writeFileSync(join(sandbox.folder, FOLDER, 'catp-ca.key'), key);
    catp = await start();
  });
});

test.each([
  [['--tls', '--tls-port', '0'], "a opção '--tls [porta]' não combina com '--tls-port <n>'"],
  [['--tls', '--tls-cert', 'x.pem'], "a opção '--tls [porta]' não combina com '--tls-cert <arquivo>'"],
  [['--tls', '--set', 'tls.clientes=x.pem'], '--tls faz e indica tls.clientes: retire --set tls.clientes'],
])('is refused with %p', (flags, message) => {
  expect(refusalOf(sandbox, ['dev', '--port', '0', '--data', 'outra', ...flags], 2)).toContain(message);
});

test('an invalid port is refused', () => {
  expect(refusalOf(sandbox, ['dev', '--port', '0', '--data', 'outra', '--tls', '70000'], 2)).toContain(
    "tls.porta: recebido '70000'; aceita um inteiro de 0 a 65535",
  );
});
