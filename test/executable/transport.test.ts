/**
 * Checks before any operation, in the executable and from source: addresses, header limits, refusals to
 * listen.
 */
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
  readdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsOf } from '../contract/error-body.ts';
import { type RunningCatp, startCatp } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';
import { SCHEMES, certificateFiles, issue, trusting } from '../support/tls.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

const HEADERS_MAX_BYTES = 64 * 1024;
const FILTER = encodeURIComponent('é'.repeat(3700));
const LIST = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';

const STARTS = [
  ['the executable', {}],
  ['from source', { executable: process.execPath, before: [join(ROOT, 'src/main.ts')] }],
] as const;

describe.each(SCHEMES)('over %s', (scheme) => {
  describe.each(STARTS)(
    '%s',
    (_way, { executable, before = [] }: { executable?: string; before?: readonly string[] }) => {
      let catp: RunningCatp;
      let folder: string;
      let headers: Record<string, string>;
      beforeAll(async () => {
        folder = mkdtempSync(join(tmpdir(), 'catp-transport-'));
        const args = [...before, 'dev', '--empty', '--port', '0'];
        catp = await startCatp(args, { cwd: folder, over: scheme, ...(executable && { executable }) });
        headers = (await tokensOf(catp.url, 'demo', 'demo')) as Record<string, string>;
      });
      afterAll(async () => {
        await catp.stop();
        rmSync(folder, { recursive: true, force: true });
      });

      const get = (path: string, extraHeaders: Record<string, string> = {}): Promise<Response> =>
        trusting(`${catp.url}${path}`, { headers: { ...headers, ...extraHeaders } });

      test('finds the operations, also with repeated slashes', async () => {
        expect((await get(LIST)).status).toBe(204);
        expect((await get(`//catp//api/ext///produto?cpfCnpjRaiz=12345678`)).status).toBe(204);
        const included = await trusting(`${catp.url}/catp/api/ext/produto/12345678`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ denominacao: 'a', modalidade: 'EXPORTACAO', ncm: '39269090' }),
        });
        expect(await included.json()).toMatchObject({ codigo: 1, versao: '1' });
        expect((await trusting(`${catp.url}/catp/api/ext/produto`, { method: 'PUT' })).status).toBe(405);
      });

      test('sends the security headers of browsers with each answer', async () => {
        for (const path of ['/', '/nada', LIST]) {
          const { headers: responseHeaders } = await get(path);
          expect([
            responseHeaders.get('x-content-type-options'),
            responseHeaders.get('strict-transport-security'),
          ]).toEqual(['nosniff', scheme === 'https' ? 'max-age=0' : null]);
        }
      });

      test('accepts both text filters at their maximum size', async () => {
        expect((await get(`${LIST}&descricao=${FILTER}&denominacao=${FILTER}`)).status).toBe(204);
      });

      test('answers headers over 64 KiB with 431 and the body of catp', async () => {
        expect((await get('/healthz', { x: 'x'.repeat(HEADERS_MAX_BYTES - 4096) })).status).toBe(200);
        for (const bytes of [HEADERS_MAX_BYTES, 8 * HEADERS_MAX_BYTES]) {
          const refusal = await get(LIST, { x: 'x'.repeat(bytes) });
          const text = await refusal.text();
          const reply = {
            status: refusal.status,
            headers: refusal.headers,
            text,
            bytes: Buffer.from(text),
            json: JSON.parse(text) as unknown,
          };
          expect(faultsOf(reply, { status: 431, mnemonico: 'CATP' })).toEqual([]);
        }
      });
    },
  );
});

describe('a listener that cannot be opened is reported in one line with the next step', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await openSandbox();
  });
  afterEach(() => sandbox.close());

  const file = (name: string, text: string): string => {
    writeFileSync(join(sandbox.folder, name), text);
    return name;
  };

  const refusal = (...args: readonly string[]): string => failWith(1, args);

  function failWith(exitCode: number, args: readonly string[]): string {
    const { code, stdout, stderr } = sandbox.run(args);
    expect([args, code, stdout, stderr.split('\n').length]).toEqual([args, exitCode, '', 2]);
    expect(stderr).toStartWith('catp: ');
    expect(stderr).not.toMatch(/\bat |Error|error:|node:|\.ts\b/);
    return stderr;
  }

  test('a port in use, of HTTP and of HTTPS', async () => {
    const { cert, key } = await certificateFiles();
    const first = await sandbox.start('serve', '--port', '0', '--data', 'um');
    const { port } = new URL(first.url);
    sandbox.init('dois');
    const before = readdirSync(join(sandbox.folder, 'dois'));
    const portInUse = `A porta ${port} de 127.0.0.1 já está em uso por outro programa. Pare-o, ou escolha outra porta com`;
    expect(refusal('serve', '--port', port, '--data', 'dois')).toContain(`${portInUse} --port`);
    const tls = ['--tls-port', port, '--tls-cert', cert, '--tls-key', key];
    expect(refusal('serve', '--port', '0', '--data', 'dois', ...tls)).toContain(`${portInUse} --tls-port`);
    // The refusal precedes every write, also in a folder that no server has used.
    expect(readdirSync(join(sandbox.folder, 'dois'))).toEqual(before);
    rmSync(join(sandbox.folder, 'dois', 'catp.lock'));
    expect(refusal('serve', '--port', port, '--data', 'dois')).toContain(`${portInUse} --port`);
    expect(readdirSync(join(sandbox.folder, 'dois'))).toEqual(before.filter((name) => name !== 'catp.lock'));
    expect(refusal('dev', '--port', port, '--data', 'novo', '--tls', '0')).toContain(`${portInUse} --port`);
    expect(refusal('dev', '--port', port, '--data', 'novo')).toContain(`${portInUse} --port`);
    mkdirSync(join(sandbox.folder, 'vazio'));
    expect(refusal('dev', '--port', '0', '--data', 'vazio', ...tls)).toContain(`${portInUse} --tls-port`);
    const receiverArgs = ['receiver', '--port', '0', '--http-port', port];
    expect(refusal('receiver', '--port', port)).toContain(`${portInUse} --port`);
    expect(refusal(...receiverArgs)).toContain(`${portInUse} --http-port`);
    expect(readdirSync(sandbox.folder).toSorted()).toEqual(['dois', 'um', 'vazio']);
    expect(readdirSync(join(sandbox.folder, 'vazio'))).toEqual([]);
  });

  test('a host of another machine', () => {
    sandbox.init();
    for (const host of ['192.0.2.1', 'nome-que-nao-existe.invalid'])
      for (const command of [
        ['serve', '--port', '0'],
        ['receiver', '--port', '0', '--dir', 'ca'],
      ])
        expect(failWith(1, [...command, '--host', host])).toContain(
          `O endereço '${host}' não é desta máquina. Indique com --host`,
        );
  });

  test('a certificate and key that are missing, unreadable, swapped, unrelated, or no PEM; no folder is created', async () => {
    const { cert, key, ca } = await certificateFiles();
    const unrelated = await issue();
    const otherKey = file('outra.pem', unrelated.key);
    const emptyPem = file('nada.pem', 'nada');
    const encryptedKey = file('selada.pem', unrelated.key.replaceAll('PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'));
    const torn = file('rasgado.pem', readFileSync(cert, 'utf8').replace(/^(.{80}).*?$/ms, '$1'));
    mkdirSync(join(sandbox.folder, 'pasta'));
    const serveRefusal = (...flags: string[]): string =>
      refusal('serve', '--port', '0', '--tls-port', '0', ...flags);
    const misused = (...flags: string[]): string =>
      failWith(2, ['serve', '--port', '0', '--tls-port', '0', ...flags]);

    expect(misused()).toContain('tls.certificado: falta o arquivo. HTTPS (tls.porta) precisa de');
    expect(misused('--tls-cert', cert)).toContain('tls.chave: falta o arquivo.');
    expect(misused('--tls-cert', 'nao.pem', '--tls-key', key)).toContain(
      "tls.certificado ('nao.pem') não pôde ser lido (não existe, ENOENT). Indique outro arquivo PEM com --tls-cert.",
    );
    expect(misused('--tls-cert', cert, '--tls-key', 'pasta')).toContain('é uma pasta');
    expect(serveRefusal('--tls-cert', key, '--tls-key', cert)).toContain(
      'estão trocados. Troque --tls-cert por --tls-key.',
    );
    expect(serveRefusal('--tls-cert', cert, '--tls-key', otherKey)).toContain(
      'não é a chave de tls.certificado',
    );
    expect(serveRefusal('--tls-cert', emptyPem, '--tls-key', key)).toContain('não tem um certificado em PEM');
    expect(serveRefusal('--tls-cert', cert, '--tls-key', emptyPem)).toContain(
      'não tem uma chave privada em PEM',
    );
    expect(serveRefusal('--tls-cert', cert, '--tls-key', encryptedKey)).toContain('está protegida por senha');
    expect(serveRefusal('--tls-cert', torn, '--tls-key', key)).toContain('não pode ser interpretado');
    for (const wrong of [emptyPem, key, 'nao.pem'])
      expect(serveRefusal('--tls-cert', cert, '--tls-key', key, '--tls-client-ca', wrong)).toContain(
        `tls.clientes ('${wrong}')`,
      );
    expect(existsSync(join(sandbox.folder, 'catp-dados'))).toBe(false);
    expect(ca).not.toBe(cert);
  });
});
