/**
 * Automatic updates of tables in the executable: the settings `atributos.*` and `ncm.origem`, and both
 * commands.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toEnd } from '../../scripts/proof/to-end.ts';
import type { RunningCatp } from '../support/executable.ts';
import { type TestOrigin, openOrigin, openProxy } from '../support/origin.ts';
import { ROOT } from '../support/sources.ts';
import { certificateFiles } from '../support/tls.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

const TABLE = readFileSync(join(ROOT, 'src/demo/attribute-table-1.json'), 'utf8');
const REDUCED = JSON.stringify({
  ...JSON.parse(TABLE),
  versao: '9',
  listaNcm: JSON.parse(TABLE).listaNcm.slice(0, 3),
});
const DOWNLOAD = '/cadatributos/api/atributo-ncm/download/json';
const NOMENCLATURE = '/classif/api/publico/nomenclatura/download/json';

describe('updates from another catp with the profile portal', () => {
  let sandbox: Sandbox;
  let portal: RunningCatp;
  beforeAll(async () => {
    sandbox = await openSandbox();
    portal = await sandbox.start('dev', '--perfil', 'portal', '--port', '0', '--data', 'portal');
    sandbox.init('dados');
  });
  afterAll(() => sandbox.close());

  const sets = (settings: readonly string[]) => settings.flatMap((setting) => ['--set', setting]);
  const fetchTable = (command: 'attributes' | 'ncm', ...settings: string[]) =>
    command === 'ncm'
      ? sandbox.run(['ncm', 'fetch', '--data', 'dados', '--set', 'log.nivel=error', ...sets(settings)])
      : sandbox.run([
          'attributes',
          'fetch',
          '--data',
          'dados',
          '--set',
          'log.nivel=error',
          ...sets(settings),
        ]);

  test('the settings are accepted in a file', () => {
    writeFileSync(
      join(sandbox.folder, 'outro.toml'),
      `[atributos]\norigem = "${portal.url}${DOWNLOAD}"\n[ncm]\norigem = "${portal.url}${NOMENCLATURE}"\n`,
    );
    expect(sandbox.run(['attributes', 'fetch', '--config', 'outro.toml', '--data', 'dados']).code).toBe(0);
    expect(sandbox.run(['ncm', 'fetch', '--config', 'outro.toml', '--data', 'dados']).code).toBe(0);
  });

  test('`catp attributes fetch` fetches the table, and ends with 0 for a new one and for an unchanged one', () => {
    const from = `atributos.origem=${portal.url}${DOWNLOAD}`;
    const first = fetchTable('attributes', from);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toContain('A tabela 1 foi buscada e espera');
    expect(first.stdout).toContain('catp attributes activate 1');
    expect(fetchTable('attributes', from, 'atributos.ativar=sozinha')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('A tabela 1 foi buscada e está em vigor'),
    });
    expect(sandbox.run(['attributes', 'list', '--data', 'dados']).stdout).toContain('sim');
  });

  test('`catp ncm fetch` fetches the nomenclature, and ends with 0 for a new one and for an unchanged one', () => {
    const from = `ncm.origem=${portal.url}${NOMENCLATURE}`;
    expect(fetchTable('ncm', from)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('está em uso'),
    });
    expect(fetchTable('ncm', from)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('é a que está em uso'),
    });
  });

  test('a failed fetch and a missing origin end with 1 and the reason', () => {
    for (const [command, setting] of [
      ['attributes', 'atributos.origem'],
      ['ncm', 'ncm.origem'],
    ] as const) {
      expect(fetchTable(command)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${setting} está vazia`),
      });
      expect(fetchTable(command, `${setting}=http://127.0.0.1:1/x`)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('não pôde ser alcançada'),
      });
    }
  });

  test.each([
    ['atributos.origem=http://portal.exemplo/x', 'http só em loopback'],
    ['ncm.origem=https://ana:segredo@portal.exemplo/x', 'sem usuário e senha'],
    ['atributos.proxy=http://ana:segredo@proxy:3128', 'HTTPS_PROXY'],
    ['atributos.horario=meia-noite', 'hh:mm'],
    ['atributos.ativar=nunca', 'conferir, sozinha'],
    ['atributos.idade=0', 'de 1 a 3650'],
  ])('%s is refused', (setting, reason) => {
    const { code, stderr } = fetchTable('attributes', setting);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
    expect(stderr).not.toContain('segredo');
  });
});

describe('updates from a server of the test', () => {
  let sandbox: Sandbox;
  let origin: TestOrigin;
  beforeEach(async () => {
    sandbox = await openSandbox();
    origin = await openOrigin();
    origin.serves(TABLE);
    sandbox.init('dados');
  });
  afterEach(async () => {
    await sandbox.close();
    await origin[Symbol.asyncDispose]();
  });

  /** Runs the command asynchronously, so that the origin in this process can answer. */
  async function run(args: readonly string[], env: Record<string, string> = {}) {
    const command = [sandbox.executable, ...args, '--data', 'dados'];
    const { code, out, err } = await toEnd(command, { cwd: sandbox.folder, env });
    return { code, stdout: out, stderr: err };
  }
  const from = (url: string, ca: string): string[] => [
    ...['--set', `atributos.origem=${url}`, '--set', `atributos.ca=${ca}`],
  ];

  test('a table that lost many attributes is held with 2, and a person can activate it', async () => {
    const { ca } = await certificateFiles();
    const words = ['attributes', 'fetch', '--set', 'atributos.ativar=sozinha', ...from(origin.url, ca)];
    expect((await run(words)).code).toBe(0);
    origin.serves(REDUCED);
    const { code, stdout } = await run(words);
    expect([code, stdout]).toEqual([2, expect.stringContaining('foi buscada e retida: perdeu 5 de 8 NCMs')]);
    expect(stdout).toContain('NCMs retiradas (5)');
    expect(sandbox.run(['attributes', 'activate', '9', '--data', 'dados'])).toMatchObject({ code: 0 });
    expect((await run(words)).code).toBe(0);
  });

  test('the certificate of the origin must be issued by atributos.ca', async () => {
    const { ca } = await certificateFiles();
    const refusal = await run(['attributes', 'fetch', '--set', `atributos.origem=${origin.url}`]);
    expect(refusal).toMatchObject({ code: 1, stderr: expect.stringContaining('certificado da origem') });
    expect(await run(['attributes', 'fetch', ...from(origin.url, ca)])).toMatchObject({ code: 0 });
  });

  test('the proxy is atributos.proxy, else HTTPS_PROXY except for the hosts of NO_PROXY', async () => {
    const { ca } = await certificateFiles();
    await using proxy = await openProxy(origin.port);
    const words = ['attributes', 'fetch', ...from(origin.url, ca)];
    expect((await run([...words, '--set', `atributos.proxy=${proxy.url}`])).code).toBe(0);
    expect(proxy.requests).toHaveLength(1);
    const HTTPS_PROXY = proxy.url.replace('//', '//ana:segredo@');
    expect((await run(words, { HTTPS_PROXY })).code).toBe(0);
    expect(proxy.requests).toHaveLength(2);
    expect(proxy.requests[1]).toContain('Proxy-Authorization: Basic');
    expect((await run(words, { HTTPS_PROXY, NO_PROXY: 'localhost' })).code).toBe(0);
    expect((await run(words)).code).toBe(0);
    expect(proxy.requests).toHaveLength(2);
    expect((await run(words, { HTTPS_PROXY: 'http://ana:segredo@127.0.0.1:1' })).stderr).not.toContain(
      'segredo',
    );
  });

  test('a server fetches on schedule, reports the age after atributos.idade, and lists both as jobs', async () => {
    await using plain = await openOrigin('http');
    plain.serves(TABLE);
    const words = [
      ...['--set', `atributos.origem=${plain.url}`, '--set', 'atributos.horario=13:00'],
      ...['--set', 'atributos.ativar=sozinha', '--set', 'atributos.idade=2'],
    ];
    const catp = await sandbox.start(
      ...['dev', '--port', '0', '--empty', '--data', 'dev', '--clock', '2026-01-15T12:00:00-03:00', ...words],
    );
    const ready = async () => (await (await fetch(`${catp.url}/readyz`)).json()) as Ready;
    // The origin is recorded only after the table is in force.
    while (((await ready()).attributeTable?.origin ?? null) === null) await Bun.sleep(50);
    expect((await ready()).attributeTable).toMatchObject({ versao: '1', origin: { ok: true } });
    const pass = async (advance: string): Promise<void> => {
      const tokens = (await tokensOf(catp.url, 'admin', 'admin')) as Record<string, string>;
      const reply = await fetch(`${catp.url}/appliance/api/clock`, {
        method: 'POST',
        headers: { ...tokens, 'content-type': 'application/json' },
        body: JSON.stringify({ advance }),
      });
      expect(reply.status).toBe(200);
    };
    const requestsBefore = plain.requests.length;
    await pass('PT1H');
    expect(plain.requests.length).toBe(requestsBefore + 1);
    plain.answer = (_, response) => void response.writeHead(500).end();
    await pass('P3D');
    const tokens = await tokensOf(catp.url, 'admin', 'admin');
    const doctor = (await (await ask(catp.url, '/appliance/api/doctor', tokens)).json()) as Finding[];
    expect(doctor.find(({ check }) => check === 'attribute-table')).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('a origem respondeu 500'),
    });
    const { stdout } = sandbox.run(['job', 'list', '--data', 'dev', ...words]);
    expect(stdout).toContain('atributos-da-origem');
    expect(stdout).toContain('nomenclatura-da-origem');
    expect(stdout).toContain('tabelas-antigas');
  });
});

interface Ready {
  readonly attributeTable: { readonly origin: object | null } | null;
}
interface Finding {
  readonly check: string;
}
