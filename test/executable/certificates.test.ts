/** Certificates in the executable: curl signs in with one, files are reloaded, a mismatch ends the start. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toEnd } from '../../scripts/proof/to-end.ts';
import { eventually } from '../support/eventually.ts';
import { certificateFiles, issue } from '../support/tls.ts';
import { TestCa } from '../tls/authority.ts';
import { type Sandbox, openSandbox } from './support.ts';
import { OutputReader, blockAfter } from './terminal.ts';

const NAME = 'MARIA DEMONSTRACAO:00000000191';

let ca: TestCa;
beforeAll(async () => {
  ca = await TestCa.create('AC Teste');
});

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(sandbox.folder, name), content);
  return name;
};

/** Signs in by curl. Returns the status, or the error of curl. */
async function curl(url: string, ...flags: readonly string[]): Promise<string> {
  const { ca: trusted } = await certificateFiles();
  const { out, err } = await toEnd(
    [
      ...['curl', '--silent', '--show-error', '--cacert', trusted, '--header', 'Role-Type: IMPEXP'],
      ...['--request', 'POST', ...flags, `${url}/portal/api/autenticar`],
    ],
    { cwd: sandbox.folder },
  );
  return out + err;
}

async function startServing(...flags: readonly string[]): Promise<Awaited<ReturnType<Sandbox['start']>>> {
  const pair = await issue();
  file('cert.pem', pair.cert);
  file('key.pem', pair.key);
  file('ac.pem', ca.pem);
  const tls = [
    '--tls-port',
    '0',
    '--tls-cert',
    'cert.pem',
    '--tls-key',
    'key.pem',
    '--tls-client-ca',
    'ac.pem',
  ];
  return sandbox.start('dev', '--empty', '--port', '0', '--data', 'dados', ...tls, ...flags);
}

describe('With certificates', () => {
  test('curl --cert signs in by TLS 1.2 and 1.3, gets PLAT-ER2001 without a certificate, and TLS 1.1 is refused', async () => {
    const certificate = await ca.issue(NAME);
    file('maria.pem', certificate.cert);
    file('maria-key.pem', certificate.key);
    const { url } = await startServing();
    const maria = ['--cert', 'maria.pem', '--key', 'maria-key.pem'];
    for (const version of ['1.2', '1.3']) {
      const range = [`--tlsv${version}`, '--tls-max', version];
      expect(JSON.parse(await curl(url, ...maria, ...range))).toEqual({ token: expect.any(String) });
    }
    expect(JSON.parse(await curl(url)).code).toBe('PLAT-ER2001');
    const oldProtocol = await curl(url, '--tlsv1.0', '--tls-max', '1.1', '--ciphers', 'DEFAULT:@SECLEVEL=0');
    expect(oldProtocol).toStartWith('curl: (35)');
  });

  test('the command of the guide signs in', async () => {
    const certificate = await ca.issue(NAME);
    file('maria.pem', certificate.cert);
    file('maria-chave.pem', certificate.key);
    const { url } = await startServing();
    file('ca.pem', await Bun.file((await certificateFiles()).ca).text());
    const command = (await blockAfter('client-certificate')).replace('https://127.0.0.1:8443', url);
    const { stdout, stderr, exitCode } = Bun.spawnSync(['bash', '-euc', command], { cwd: sandbox.folder });
    expect({ code: exitCode, output: stdout.toString() }).toEqual({
      code: 0,
      output: expect.stringMatching(/^set-token: \S+[^]*\{"token":"[^"]+"\}$/im),
    });
    expect(stderr.toString()).not.toContain('curl:');
  });

  test('SIGHUP reloads the lists and the pair at once', async () => {
    const certificate = await ca.issue(NAME);
    file('maria.pem', certificate.cert);
    file('maria-key.pem', certificate.key);
    file('lcr.pem', (await ca.revocations([])).toString('pem'));
    const catp = await startServing('--set', 'tls.revogados=lcr.pem');
    const maria = ['--cert', 'maria.pem', '--key', 'maria-key.pem'];
    expect(JSON.parse(await curl(catp.url, ...maria))).toHaveProperty('token');
    file('lcr.pem', new Uint8Array((await ca.revocations([certificate.serial])).rawData));
    catp.process.kill('SIGHUP');
    await eventually(() => catp.stderr).toContain('foram lidos outra vez');
    expect(JSON.parse(await curl(catp.url, ...maria)).code).toBe('PLAT-ER2001');
    file('key.pem', (await issue()).key);
    catp.process.kill('SIGHUP');
    await eventually(() => catp.stderr).toContain('não é a chave de tls.certificado');
    expect(JSON.parse(await curl(catp.url)).code).toBe('PLAT-ER2001');
    expect(await catp.stop()).toBe(0);
  });

  test('a reader that closes the pipe after the first line does not end the server', async () => {
    const pair = await issue();
    const flags = [
      '--tls-port',
      '0',
      '--tls-cert',
      file('cert.pem', pair.cert),
      '--tls-key',
      file('key.pem', pair.key),
    ];
    for (let time = 0; time < 5; time += 1) {
      const child = Bun.spawn(
        [sandbox.executable, 'dev', '--empty', '--port', '0', '--data', 'dados', ...flags],
        { cwd: sandbox.folder, env: {}, stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' },
      );
      const READY = /pronto em (\S+)/;
      const [, url = ''] = READY.exec(await new OutputReader(child.stdout).until(READY)) ?? [];
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      child.kill('SIGTERM');
      expect(await child.exited).toBe(0);
    }
  });

  test('a server without TLS continues after a reload', async () => {
    const catp = await sandbox.start('serve', '--port', '0', '--data', 'servidor');
    catp.process.kill('SIGHUP');
    await eventually(() => catp.stderr).toContain('Não há arquivos de tls.* para ler outra vez.');
    expect((await fetch(`${catp.url}/healthz`)).status).toBe(200);
    expect(await catp.stop()).toBe(0);
  });

  test('accepts a certificate in the configured header of a trusted proxy, and ignores it from another address', async () => {
    const { cert } = await ca.issue(NAME);
    file('segredo', 'b5d1c0ffee\n');
    file('ac.pem', ca.pem);
    const header = [
      '--header',
      `X-Cert: ${encodeURIComponent(cert)}`,
      '--header',
      'X-Proxy-Secret: b5d1c0ffee',
    ];
    const signInThrough = async (proxy: string, data: string): Promise<unknown> => {
      const trusting = [
        ...['--set', `proxy.confiavel=${proxy}`, '--set', 'proxy.certificado=X-Cert'],
        ...['--set', 'proxy.segredo=segredo', '--set', 'proxy.administradores=false'],
      ];
      const authorities = ['--set', 'tls.clientes=ac.pem'];
      const catp = await sandbox.start(
        'dev',
        '--empty',
        '--port',
        '0',
        '--data',
        data,
        ...trusting,
        ...authorities,
      );
      return JSON.parse(await curl(catp.url, ...header));
    };
    expect(await signInThrough('10.0.0.0/8,127.0.0.1', 'um')).toEqual({ token: expect.any(String) });
    expect(await signInThrough('10.0.0.0/8', 'dois')).toMatchObject({ code: 'PLAT-ER2001' });
  });

  test('an invalid list of revoked certificates ends the start with 1 and its name', () => {
    file('lcr.pem', 'nada');
    const flags = ['serve', '--port', '0', '--data', 'servidor', '--set', 'tls.revogados=lcr.pem'];
    const { code, stdout, stderr } = sandbox.run(flags);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      "catp: tls.revogados ('lcr.pem') não é uma lista de certificados revogados, em PEM ou DER. Corrija o arquivo ou retire-o da configuração.\n",
    );
  });
});
