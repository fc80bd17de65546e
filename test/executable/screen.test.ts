/**
 * The terminal output of `catp dev`: a banner with working commands, a line for each request and each
 * delivery.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eventually } from '../support/eventually.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const ESCAPE = '\u001B';

const until = (output: () => string, pattern: RegExp): Promise<string> => eventually(output).toMatch(pattern);

const DEV = ['dev', '--port', '0'] as const;
const LAST_TRY = /3\. Incluir um produto:\n(?: {5}.*\n)+\n/;

/** Returns the commands of the banner as a user copies them. */
const triesOf = (banner: string): string[] =>
  banner
    .slice(banner.indexOf('  1. '))
    .split(/^ {2}\d\. .*\n/m)
    .slice(1)
    .map((block) => block.replaceAll(/^ {5}/gm, ''));

describe('the banner', () => {
  test('names addresses and users, and each of its commands works when it is pasted', async () => {
    const catp = await sandbox.start(...DEV, '--log', 'texto');
    const banner = await until(() => catp.stderr, LAST_TRY);
    expect(banner).toContain(catp.url);
    // The first line is printed before the new folder is complete.
    expect(banner).toMatch(/^ {2}preparando \S/);
    for (const name of ['demo ', 'demo2 ', 'estranho ', 'admin ', '12345678, 87654321', 'sem efeito legal'])
      expect(banner).toContain(name);
    expect(banner).not.toContain('publico');
    expect(banner).not.toContain(ESCAPE);
    const commands = triesOf(banner);
    expect(commands).toHaveLength(3);
    const { exitCode, stdout, stderr } = Bun.spawnSync(['bash', '-eu', '-c', commands.join('\n')], {
      env: { PATH: process.env['PATH'] ?? '' },
      cwd: sandbox.folder,
    });
    expect([exitCode, String(stderr)]).toEqual([0, '']);
    expect(String(stdout)).toContain('"denominacao":"Café torrado em grãos, 1 kg"');
    expect(String(stdout)).toContain('"denominacao":"Caixa plástica"');
    const lines = await until(() => catp.stderr, /POST \/catp\/.* → 200 \d/);
    expect(lines).toMatch(/^\d\d:\d\d:\d\d POST \/portal\/api\/autenticar\/chave-acesso → 200 [\d,]+ ms$/m);
    expect(lines).toMatch(/^\d\d:\d\d:\d\d GET \/catp\/api\/ext\/produto → 200 [\d,]+ ms$/m);
  });

  test('names public agents in homologacao', async () => {
    const catp = await sandbox.start(...DEV, '--empty', '--ambiente', 'homologacao');
    const banner = await until(() => catp.stderr, /3\. Ver quem entrou:\n {5}.*\n/);
    expect(banner).toContain('publico');
    expect(banner).not.toContain('estranho');
    const { exitCode, stdout } = Bun.spawnSync(['bash', '-eu', '-c', triesOf(banner).join('\n')], {
      env: { PATH: process.env['PATH'] ?? '' },
    });
    expect([exitCode, String(stdout)]).toEqual([0, expect.stringContaining('00000000434')]);
  });
});

describe('the output of each event', () => {
  test('prints the result of each request, and its reason', async () => {
    const catp = await sandbox.start(...DEV, '--empty');
    const demo = await tokensOf(catp.url, 'demo', 'demo');
    if (typeof demo === 'number') throw new Error('not signed in');
    const refusal = await fetch(`${catp.url}/catp/api/ext/produto/12345678`, {
      method: 'POST',
      headers: demo,
      body: JSON.stringify({ denominacao: 'x', ncm: '\u009B2J\u202Ex', modalidade: '1' }),
    });
    const { tag, detail } = (await refusal.json()) as { tag: string; detail: { message: string }[] };
    expect(detail.length).toBe(2);
    const stderr = await until(() => catp.stderr, /produto\/12345678 →.*\n/);
    const line = stderr.split('\n').find((candidate) => candidate.includes('/produto/12345678 →')) ?? '';
    expect(line).toMatch(/^\d\d:\d\d:\d\d POST \/catp\/api\/ext\/produto\/12345678 → 400 2 problemas: \//);
    expect(line).toEndWith(` ${tag}`);
    expect(stderr).not.toMatch(/[\u009B\u202E]/);
    expect(stderr).toContain('\\u009b2J\\u202ex');
    await ask(catp.url, '/catp/api/ext/produto/11222333/1/1', demo);
    await until(
      () => catp.stderr,
      /produto\/11222333\/1\/1 → 403 O usuário logado não é .* \[CATP-\w{10}\]\n/,
    );
    await fetch(`${catp.url}/catp/api/ext/produto/1/1/1`, { headers: { 'X-Simular-Falha': 'nada' } });
    await until(() => catp.stderr, /→ 400 1 problema: X-Simular-Falha: recebido "nada"/);
    expect(await catp.stop()).toBe(0);
    expect(await catp.allStderr()).not.toContain('demo"');
  });

  test('prints the result of each delivery, and the reason of a failure', async () => {
    let status = 200;
    await using receiver = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => new Response(null, { status }),
    });
    const catp = await sandbox.start(...DEV, '--empty', '--local-receivers', '--retry', 'none');
    const [demo, admin] = await Promise.all(
      ['demo', 'admin'].map((key) => tokensOf(catp.url, key, key) as Promise<Record<string, string>>),
    );
    const post = async (path: string, headers = {}, body: object = {}): Promise<number> =>
      (await fetch(catp.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    const endpoint = `http://127.0.0.1:${receiver.port}/n`;
    const subscription = { evento: 'duex-historico', endpoint: `${endpoint}?token=canario` };
    expect(await post('/portal/api/ext/webhook', demo, subscription)).toBe(200);
    const event = {
      evento: 'duex-historico',
      destinatarioTipo: 'CNPJ',
      destinatarioId: '12345678',
      conteudo: { a: 1 },
    };
    expect(await post('/appliance/api/events', admin, event)).toBe(200);
    const start = String.raw`^\d\d:\d\d:\d\d entrega \d+ duex-historico → ${endpoint} `;
    await until(() => catp.stderr, new RegExp(`${start}200 [\\d,]+ m?s$`, 'm'));
    status = 500;
    expect(await post('/appliance/api/events', admin, event)).toBe(200);
    const stderr = await until(() => catp.stderr, new RegExp(`${start}falhou: .*500.*$`, 'm'));
    expect(stderr).not.toContain('canario');
  });

  test('has only JSON lines with --log json', async () => {
    const catp = await sandbox.start(...DEV, '--empty', '--log', 'json');
    expect((await fetch(`${catp.url}/nada`)).status).toBe(404);
    expect(await catp.stop()).toBe(0);
    const lines = (await catp.allStderr()).trimEnd().split('\n');
    const paths = lines.map(
      (line) => (JSON.parse(line) as { properties: { path?: string } }).properties.path,
    );
    expect(paths).toContain('/nada');
  });

  test('has one line of JSON for each request, faulted or not, and for each delivery', async () => {
    await using receiver = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(null) });
    const catp = await sandbox.start(...DEV, '--empty', '--local-receivers', '--log', 'json');
    const [demo, admin] = await Promise.all(
      ['demo', 'admin'].map((key) => tokensOf(catp.url, key, key) as Promise<Record<string, string>>),
    );
    const post = async (path: string, headers = {}, body: object = {}): Promise<number> =>
      (await fetch(catp.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    const endpoint = `http://127.0.0.1:${receiver.port}/n`;
    const subscription = { evento: 'duex-historico', endpoint: `${endpoint}?token=canario` };
    expect(await post('/portal/api/ext/webhook', demo, subscription)).toBe(200);
    expect(await post('/portal/api/ext/webhook', { ...demo, 'X-Simular-Falha': 'status=503' })).toBe(503);
    expect(await post('/catp/api/ext/produto/11222333', demo)).toBe(403);
    const event = { evento: 'duex-historico', destinatarioTipo: 'CNPJ', destinatarioId: '12345678' };
    expect(await post('/appliance/api/events', admin, { ...event, conteudo: { a: 1 } })).toBe(200);
    await until(() => catp.stderr, /"delivery":/);
    expect(await catp.stop()).toBe(0);
    const stderr = await catp.allStderr();
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { properties: Record<string, unknown> }).properties);
    const requests = lines.filter(({ path }) => path !== undefined);
    expect(requests.map(({ path, status, fault = null }) => [path, status, fault])).toEqual([
      ['/portal/api/autenticar/chave-acesso', 200, null],
      ['/portal/api/autenticar/chave-acesso', 200, null],
      ['/portal/api/ext/webhook', 200, null],
      ['/portal/api/ext/webhook', 503, 'status'],
      ['/catp/api/ext/produto/11222333', 403, null],
      ['/appliance/api/events', 200, null],
    ]);
    expect(lines.filter(({ delivery }) => delivery !== undefined)).toEqual([
      expect.objectContaining({ delivery: 1, evento: 'duex-historico', endpoint, status: 200 }),
    ]);
    expect(stderr).not.toMatch(/canario|00000000191/);
  });

  test('is independent of the log file', async () => {
    const catp = await sandbox.start(...DEV, '--empty', '--set', 'log.arquivo=catp.log');
    await fetch(`${catp.url}/nada`);
    await until(() => catp.stderr, /GET \/nada → 404 /);
    expect(await catp.stop()).toBe(0);
    const logFile = await Bun.file(`${sandbox.folder}/catp.log`).text();
    expect(
      logFile
        .trimEnd()
        .split('\n')
        .every((line) => line.startsWith('{')),
    ).toBe(true);
    expect(logFile).toContain('"/nada"');
  });
});

test('an instance with unread output still answers, and ends', async () => {
  const line = `exec '${sandbox.executable}' dev --empty --port 0 2> >(exec sleep 60)`;
  const child = Bun.spawn(['bash', '-c', line], { cwd: sandbox.folder, stdout: 'pipe', stderr: 'ignore' });
  let output = '';
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  while (!output.includes('\n')) output += (await reader.read()).value ?? '';
  const url = output.trim().split(' ').at(-1) ?? '';
  // The output is far larger than the buffer of a pipe.
  const path = `/nada/${'x'.repeat(1000)}`;
  for (let index = 0; index < 300; index += 1) expect((await fetch(url + path)).status).toBe(404);
  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
});

describe.skipIf(process.platform === 'win32')('the output on a terminal', () => {
  function startOnTerminal(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    let output = '';
    const decoder = new TextDecoder();
    const child = Bun.spawn([sandbox.executable, ...args], {
      cwd: sandbox.folder,
      env: { TERM: 'xterm', ...env },
      terminal: {
        cols: 200,
        rows: 50,
        data: (_, bytes) => void (output += decoder.decode(bytes, { stream: true })),
      },
    });
    return { child, output: () => output };
  }

  async function onTerminal(env: Readonly<Record<string, string>>): Promise<string> {
    const { child, output } = startOnTerminal([...DEV, '--empty'], env);
    const ready = await until(output, /catp: pronto em (http:\/\/127\.0\.0\.1:\d+)\r\n/);
    const [, url = ''] = /pronto em (\S+)/.exec(ready) ?? [];
    await fetch(`${url}/nada`);
    await until(output, /nada .*→.*404.*\[.*\]/);
    child.kill('SIGTERM');
    expect(await child.exited).toBe(0);
    return output();
  }

  test('is never JSON, for a command and for serve', async () => {
    sandbox.init('dados');
    const command = startOnTerminal(['company', 'add', '12345678', '--nome', 'X', '--data', 'dados']);
    expect(await command.child.exited).toBe(0);
    expect(await until(command.output, /representation add/)).not.toContain('{');
    const serve = startOnTerminal(['serve', '--port', '0', '--data', 'dados']);
    const warning = await until(
      serve.output,
      /^\d\d:\d\d:\d\d aviso: Ninguém pode entrar ainda: .*--data dados\.\r$/m,
    );
    expect(warning).not.toContain('{');
    serve.child.kill('SIGTERM');
    expect(await serve.child.exited).toBe(0);
  });

  test('has colours', async () => {
    const output = await onTerminal({});
    expect(output).toContain(`${ESCAPE}[33m404${ESCAPE}[39m`);
    expect(output).toContain(`${ESCAPE}[1mcatp`);
  });

  test('has no colours when they are disabled', async () => {
    expect(await onTerminal({ NO_COLOR: '1' })).not.toContain(ESCAPE);
    expect(await onTerminal({ TERM: 'dumb' })).not.toContain(ESCAPE);
    expect(await onTerminal({ NO_COLOR: '' })).toContain(ESCAPE);
  });
});
