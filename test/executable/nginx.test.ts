/** The executable behind Debian's nginx, configured by the handbook (contract section 16). */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningNginx, nginxPath, startNginx } from '../support/nginx.ts';
import { certificateFiles } from '../support/tls.ts';
import { TestCa } from '../tls/authority.ts';
import { type Sandbox, openSandbox } from './support.ts';

if (nginxPath === undefined)
  console.warn(
    'SKIPPED: no nginx on this machine (scripts/test --all brings it); nothing is tried behind it',
  );

const NAME = 'MARIA DEMONSTRACAO:00000000191';
/** Differs from the address of the proxy, which is trusted. */
const CLIENT = '127.0.0.2';

describe.skipIf(nginxPath === undefined)('Behind nginx', () => {
  let ca: TestCa;
  beforeAll(async () => {
    ca = await TestCa.create('AC Teste');
  });

  let sandbox: Sandbox;
  let nginx: RunningNginx | undefined;
  beforeEach(async () => {
    sandbox = await openSandbox();
  });
  afterEach(async () => {
    await nginx?.stop();
    nginx = undefined;
    await sandbox.close();
  });

  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(sandbox.folder, name), content);
    return join(sandbox.folder, name);
  };

  const certificateFlags = async (...request: Parameters<TestCa['issue']>): Promise<readonly string[]> => {
    const { cert, key } = await ca.issue(...request);
    return ['--cert', file('cliente.pem', cert), '--key', file('cliente-chave.pem', key)];
  };

  async function startBehind(trustedAddress: string, ...flags: readonly string[]) {
    const catp = await sandbox.start(
      ...[
        'dev',
        '--empty',
        '--port',
        '0',
        '--log',
        'json',
        '--data',
        'dados',
        '--set',
        `proxy.confiavel=${trustedAddress}`,
        ...['--set', 'proxy.certificado=X-Client-Cert', '--set', `tls.clientes=${file('ac.pem', ca.pem)}`],
      ],
      ...flags,
    );
    const { cert, key, ca: authority } = await certificateFiles();
    const folder = join(sandbox.folder, 'nginx');
    mkdirSync(folder);
    const authorities = file('ac.pem', ca.pem);
    nginx = await startNginx({ folder, cert, key, authorities, port: Number(new URL(catp.url).port) });
    const { url } = nginx;
    const curl = async (path: string, ...options: readonly string[]): Promise<string> => {
      const child = Bun.spawn(
        [
          ...['curl', '--silent', '--show-error', '--cacert', authority, '--interface', CLIENT],
          ...['--header', 'Role-Type: IMPEXP', '--request', 'POST', ...options, `${url}${path}`],
        ],
        { stdout: 'pipe', stderr: 'pipe' },
      );
      return new Response(child.stdout).text();
    };
    return {
      catp,
      curl,
      signIn: (...options: readonly string[]) => curl('/portal/api/autenticar', ...options),
    };
  }

  const codeOf = (text: string): unknown => {
    const { code, token } = JSON.parse(text) as { code?: string; token?: string };
    return token === undefined ? code : 'signed in';
  };

  test('a client with a certificate signs in; a client without one, or with a forged header, does not', async () => {
    const { signIn } = await startBehind('127.0.0.1');
    expect(codeOf(await signIn(...(await certificateFlags(NAME))))).toBe('signed in');
    expect(codeOf(await signIn())).toBe('PLAT-ER2001');
    const { cert } = await ca.issue(NAME);
    const forged = ['--header', `X-Client-Cert: ${encodeURIComponent(cert)}`];
    expect(codeOf(await signIn(...forged))).toBe('PLAT-ER2001');
    // nginx rejects an expired certificate before catp receives it.
    expect(await signIn(...(await certificateFlags(NAME, { from: -3, to: -1 })))).toContain(
      'SSL certificate error',
    );
  });

  test('a revoked certificate is refused by the lists of catp', async () => {
    const { cert, key, serial } = await ca.issue(NAME);
    file('lcr.der', new Uint8Array((await ca.revocations([serial])).rawData));
    const { signIn } = await startBehind('127.0.0.1', '--set', 'tls.revogados=lcr.der');
    const options = ['--cert', file('maria.pem', cert), '--key', file('maria-chave.pem', key)];
    expect(codeOf(await signIn(...options))).toBe('PLAT-ER2001');
    expect(codeOf(await signIn(...(await certificateFlags(NAME))))).toBe('signed in');
  });

  test('the log has the address that nginx received, also when the client sends another one', async () => {
    const { catp, signIn } = await startBehind('127.0.0.1');
    await signIn('--header', 'X-Forwarded-For: 203.0.113.9', '--header', 'X-Forwarded-Proto: http');
    expect(catp.stderr).toContain(`"address":"${CLIENT}","scheme":"https"`);
    expect(catp.stderr).not.toContain('203.0.113.9');
  });

  test('an untrusted nginx is an ordinary client: neither certificate nor address is accepted', async () => {
    const { catp, signIn } = await startBehind('10.0.0.0/8');
    expect(codeOf(await signIn(...(await certificateFlags(NAME))))).toBe('PLAT-ER2001');
    expect(catp.stderr).toContain('"address":"127.0.0.1","scheme":"http"');
    expect(catp.stderr).not.toContain(CLIENT);
  });
});
