/** Remotes by the command line (contract section 18), next to a running server and without one. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificateFiles } from '../support/tls.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

const COMPANY = '12345678';
const DATA = ['--data', 'dados'] as const;
const OF_COMPANY = ['--empresa', COMPANY, '--data', 'dados'] as const;
const EXPORTS = ['--produtos', 'p.zip', '--operadores', 'o.zip', '--vinculos', 'v.zip'] as const;

let sandbox: Sandbox;
let url: string;
beforeAll(async () => {
  sandbox = await openSandbox();
  ({ url } = await sandbox.start('dev', '--port', '0', '--data', 'dados'));
  for (const [kind, file] of [
    ['produto', 'p.zip'],
    ['operador', 'o.zip'],
  ] as const)
    sandbox.run(['export', kind, ...OF_COMPANY, '--desativados', '--to', file]);
  sandbox.run(['export', 'vinculo', ...OF_COMPANY, '--to', 'v.zip']);
});
afterAll(() => sandbox.close());

describe('catp remote', () => {
  test('adds a remote, lists, shows and removes it', () => {
    const result = sandbox.run(['remote', 'add', 'outro', '--rules', 'especificacao', ...OF_COMPANY]);
    expect([result.code, result.stdout]).toEqual([0, 'Remoto outro gravado.\n']);
    expect(result.stderr).toContain('catp remote compare outro');
    expect(sandbox.run(['remote', 'add', 'outro', ...OF_COMPANY]).stderr).toContain(
      'já existe um remoto "outro"',
    );
    expect(sandbox.run(['remote', 'add', 'X', ...OF_COMPANY]).code).toBe(2);
    for (const command of [
      ['add', 'x'],
      ['change', 'outro'],
    ]) {
      const unknown = sandbox.run(['remote', ...command, '--empresa', '99888777', ...DATA]);
      expect([unknown.code, unknown.stderr]).toEqual([
        1,
        expect.stringContaining('--empresa: não existe empresa 99888777; inclua-a antes'),
      ]);
    }
    const otherRemote = { name: 'outro', rules: 'especificacao', companies: [COMPANY] };
    expect(JSON.parse(sandbox.run(['remote', 'show', 'outro', ...DATA]).stdout)).toEqual(otherRemote);
    expect(JSON.parse(sandbox.run(['remote', 'list', '--json', ...DATA]).stdout)).toEqual([otherRemote]);
    expect(sandbox.run(['remote', 'list', ...DATA]).stdout).toMatch(/^outro .* por arquivos/m);
    const withoutCompany = sandbox.run(['remote', 'add', 'x', ...DATA]);
    expect([withoutCompany.code, withoutCompany.stderr]).toEqual([
      2,
      expect.stringContaining('--empresa: falta'),
    ]);
    expect(sandbox.run(['remote', 'remove', 'outro', ...DATA]).code).toBe(0);
    expect(sandbox.run(['remote', 'show', 'outro', ...DATA]).code).toBe(1);
  });

  test('compares: ends with 0 without a difference, 2 with one, 1 after an error', () => {
    sandbox.run(['remote', 'add', 'portal', ...OF_COMPANY]);
    const equal = sandbox.run(['remote', 'compare', 'portal', ...EXPORTS, ...OF_COMPANY]);
    expect([equal.code, equal.stderr]).toEqual([0, '']);
    expect(equal.stdout).toContain('Igual');
    writeFileSync(join(sandbox.folder, 'nada.json'), '[]');
    const emptyFiles = ['--produtos', 'nada.json', '--operadores', 'o.zip', '--vinculos', 'nada.json'];
    const refusal = sandbox.run(['remote', 'compare', 'portal', ...emptyFiles, ...OF_COMPANY]);
    expect(refusal.code).toBe(1);
    expect(refusal.stderr).toContain('mais da metade');
    const differs = sandbox.run([
      'remote',
      'compare',
      'portal',
      ...emptyFiles,
      '--force',
      '--json',
      '--csv',
      'tudo.csv',
      ...OF_COMPANY,
    ]);
    expect(differs.code).toBe(2);
    const { records, counts } = JSON.parse(differs.stdout);
    expect(records[0]).toMatchObject({ kind: 'produto', state: 'desativadoLa', reason: 'não consta' });
    expect(counts.operador.igual).toBeGreaterThan(0);
    expect(readFileSync(join(sandbox.folder, 'tudo.csv'), 'utf8')).toContain('Desativado lá');
    const missingFiles = ['--produtos', 'falta.zip', '--operadores', 'o.zip', '--vinculos', 'v.zip'];
    const missingResult = sandbox.run(['remote', 'compare', 'portal', ...missingFiles, ...OF_COMPANY]);
    expect([missingResult.code, missingResult.stderr]).toEqual([
      1,
      expect.stringContaining('--produtos: O arquivo falta.zip não pode ser lido (não existe, ENOENT)'),
    ]);
  });

  test('writes the files to send into a new folder', () => {
    sandbox.run(['remote', 'add', 'vazio', ...OF_COMPANY]);
    const emptyFiles = ['--produtos', 'nada.json', '--operadores', 'nada.json', '--vinculos', 'nada.json'];
    expect(sandbox.run(['remote', 'files', 'vazio', '--to', 'cedo', ...OF_COMPANY]).code).toBe(1);
    sandbox.run(['remote', 'compare', 'vazio', ...emptyFiles, ...OF_COMPANY]);
    const written = sandbox.run(['remote', 'files', 'vazio', '--to', 'a-enviar', ...OF_COMPANY]);
    expect([written.code, written.stderr]).toEqual([0, '']);
    const files = readdirSync(join(sandbox.folder, 'a-enviar')).toSorted();
    expect(files).toContain('LEIA-ME.txt');
    expect(files[0]).toBe('0001-operadores.json');
    const repeated = sandbox.run(['remote', 'files', 'vazio', '--to', 'a-enviar', ...OF_COMPANY]);
    expect(repeated.stderr).toContain('não está vazia');
  });

  test('prints the records to send, and lists runs', () => {
    const dryRun = sandbox.run(['remote', 'send', 'vazio', '--simular', ...OF_COMPANY]);
    expect([dryRun.code, dryRun.stderr]).toEqual([0, '']);
    expect(dryRun.stdout).toContain('Operador  include  a enviar');
    expect(dryRun.stdout).toContain('Nunca são enviados: rascunhos');
    const FEW = ['--only', 'operador,produto', '--states', 'soAqui', '--max-deactivations', '0'] as const;
    const some = sandbox.run(['remote', 'send', 'vazio', '--simular', ...FEW, ...OF_COMPANY]);
    expect([some.code, some.stdout.includes('Vínculo')]).toEqual([0, false]);
    const really = sandbox.run(['remote', 'send', 'vazio', '--yes', ...OF_COMPANY]);
    expect([really.code, really.stderr]).toEqual([1, expect.stringContaining('--simular')]);
    const invalid = sandbox.run(['remote', 'send', 'vazio', '--simular', '--only', 'tudo', ...OF_COMPANY]);
    expect([invalid.code, invalid.stderr]).toEqual([2, expect.stringContaining('--only: recebido "tudo"')]);
    const runs = sandbox.run(['remote', 'runs', '--json', ...OF_COMPANY]);
    expect(JSON.parse(runs.stdout)).toMatchObject([
      { id: 2, remote: 'vazio', simulated: true, state: 'done' },
      { id: 1, uncertain: 0, refused: 0, done: 0 },
    ]);
    expect(sandbox.run(['remote', 'runs', ...OF_COMPANY]).stdout).toContain('done (simulado)');
  });
});

describe('a remote with an address', () => {
  let server: Sandbox;
  let address: string;
  beforeAll(async () => {
    server = await openSandbox();
    ({ url: address } = await server.start('dev', '--port', '0', '--data', 'dados'));
    const written = { segredo: 'demo\n', senha: 'aberta', errado: 'x' };
    for (const [name, text] of Object.entries(written)) writeFileSync(join(sandbox.folder, name), text);
  });
  afterAll(() => server.close());

  function openssl(...words: string[]): void {
    const { exitCode, stderr } = Bun.spawnSync(['openssl', ...words], { cwd: sandbox.folder });
    if (exitCode !== 0) throw new Error(stderr.toString());
  }

  const keyFlags = ['--client-id', 'demo', '--secret-file', 'segredo'] as const;

  test('signs in, and is compared over the network', () => {
    const result = sandbox.run([
      'remote',
      'add',
      'la',
      '--url',
      address,
      '--client-id',
      'demo',
      '--secret-file',
      'segredo',
      '--per-hour',
      '100',
      '--downtime',
      '04:00-04:01',
      '--other-environment',
      ...OF_COMPANY,
    ]);
    expect(result.code).toBe(0);
    expect(JSON.parse(sandbox.run(['remote', 'show', 'la', ...DATA]).stdout)).toMatchObject({
      url: address,
      clientId: 'demo',
      perHour: 100,
      downtime: '04:00-04:01',
      otherEnvironment: true,
    });
    const firstTest = sandbox.run(['remote', 'test', 'la', ...DATA]);
    expect([firstTest.code, firstTest.stderr]).toEqual([0, '']);
    expect(JSON.parse(firstTest.stdout)).toMatchObject({ ok: true, ambiente: 'validacao' });
    writeFileSync(join(sandbox.folder, 'catp.toml'), '');
    const settings = ['--config', 'catp.toml', '--set', 'importacao.maximo=1000000'] as const;
    const secondTest = sandbox.run(['remote', 'test', 'la', ...settings, ...DATA]);
    expect([secondTest.code, secondTest.stderr]).toEqual([1, expect.stringContaining('60 segundos')]);
    expect(sandbox.run(['remote', 'add', 'ca', '--url', address, ...keyFlags, ...OF_COMPANY]).code).toBe(0);
    const comparison = sandbox.run(['remote', 'compare', 'ca', ...OF_COMPANY]);
    expect([comparison.code, comparison.stderr, comparison.stdout]).toEqual([
      0,
      '',
      expect.stringContaining('Igual'),
    ]);
    const partialExport = sandbox.run(['remote', 'compare', 'ca', '--produtos', 'p.zip', ...OF_COMPANY]);
    expect([partialExport.code, partialExport.stderr]).toEqual([
      2,
      expect.stringContaining('ou nenhum deles'),
    ]);
  });

  test('accepts a secret with the line ending of an editor, and refuses an invalid one with a message of the command line', () => {
    writeFileSync(join(sandbox.folder, 'de-editor'), '\uFEFFdemo\r\n\r\n');
    writeFileSync(join(sandbox.folder, 'duas-linhas'), 'demo\ndemo\n');
    writeFileSync(join(sandbox.folder, 'lixo.pem'), 'lixo');
    const addRemote = (name: string, ...words: string[]) =>
      sandbox.run(['remote', 'add', name, '--url', address, ...words, ...OF_COMPANY]);
    expect(addRemote('editor', '--client-id', 'demo', '--secret-file', 'de-editor').code).toBe(0);
    expect(addRemote('x', '--client-id', 'demo', '--secret-file', 'duas-linhas')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--secret-file:'),
    });
    expect(addRemote('x', ...keyFlags, '--ca', 'lixo.pem')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--ca: não há nele um certificado'),
    });
    expect(addRemote('x', '--client-id', 'demo').stderr).toContain(
      '--secret-file: falta; envie a chave de acesso inteira, ou um certificado.',
    );
    expect(addRemote('editor', ...keyFlags).stderr).toContain(
      '<nome>: já existe um remoto "editor"; altere esse',
    );
  });

  test('is changed: omitted members are kept', () => {
    const change = (...words: string[]) => sandbox.run(['remote', 'change', 'editor', ...words, ...DATA]);
    const showRemote = () => JSON.parse(sandbox.run(['remote', 'show', 'editor', ...DATA]).stdout);
    const before = showRemote();
    const changeResult = change('--per-hour', '50', '--downtime', '01:00-03:00', '--rules', 'especificacao');
    expect([changeResult.code, changeResult.stdout]).toEqual([0, 'Remoto editor alterado.\n']);
    const after = { ...before, perHour: 50, downtime: '01:00-03:00', rules: 'especificacao' };
    expect(showRemote()).toEqual(after);
    expect(change('--downtime', 'nenhuma', '--secret-file', 'segredo').code).toBe(0);
    expect(showRemote()).toEqual({ ...after, downtime: null });
    const elsewhere = ['--url', 'https://outro.exemplo'];
    expect(change(...elsewhere)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--secret-file: falta; com outro endereço'),
    });
    expect(change(...elsewhere, ...keyFlags).stdout).toContain('foram esquecidos');
    expect(change('--downtime', '01:00-01:00').stderr).toContain('--downtime: começa e termina');
    expect(change()).toMatchObject({ code: 2, stderr: expect.stringContaining('nada a alterar') });
  });

  test('takes its certificate from a file, and no secret from the command line', async () => {
    const files = await certificateFiles();
    const requestFlags = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=A:12345678000195'];
    openssl(...requestFlags, '-keyout', 'a1.key', '-out', 'a1.crt');
    openssl(
      'pkcs12',
      '-export',
      '-in',
      'a1.crt',
      '-inkey',
      'a1.key',
      '-passout',
      'pass:aberta',
      '-out',
      'a1.pfx',
    );
    const [cert, key] = ['a1.crt', 'a1.key'].map((name) => readFileSync(join(sandbox.folder, name), 'utf8'));
    writeFileSync(join(sandbox.folder, 'a1.pem'), `${cert}${key}`);
    const at = ['--url', 'https://portal.exemplo'] as const;
    const result = sandbox.run([
      'remote',
      'add',
      'pfx',
      ...at,
      '--pfx',
      'a1.pfx',
      '--password-file',
      'senha',
      '--ca',
      files.ca,
      ...OF_COMPANY,
    ]);
    expect([result.code, result.stdout]).toEqual([0, 'Remoto pfx gravado.\n']);
    expect(sandbox.run(['remote', 'add', 'pem', ...at, '--pem', 'a1.pem', ...OF_COMPANY]).code).toBe(0);
    for (const name of ['pfx', 'pem']) {
      const { stdout } = sandbox.run(['remote', 'show', name, ...DATA]);
      expect(JSON.parse(stdout).certificate).toMatchObject({ notAfter: expect.any(String) });
      expect(stdout).not.toContain('PRIVATE KEY');
    }
    writeFileSync(join(sandbox.folder, 'catp.toml'), '');
    const renewal = sandbox.run([
      ...['remote', 'change', 'pfx', '--url', 'https://portal.exemplo', '--pfx', 'a1.pfx'],
      ...['--password-file', 'senha', '--ca', files.ca, '--rules', 'portal', '--per-hour', '10'],
      ...['--downtime', '01:00-02:00', '--other-environment', '--config', 'catp.toml'],
      ...['--set', 'importacao.maximo=1000000', ...OF_COMPANY],
    ]);
    expect([renewal.code, renewal.stdout]).toEqual([0, 'Remoto pfx alterado.\n']);
    expect(sandbox.run(['remote', 'change', 'pem', '--pem', 'a1.pem', ...DATA]).code).toBe(0);
    const changeToKey = [
      'remote',
      'change',
      'pem',
      '--client-id',
      'demo',
      '--secret-file',
      'segredo',
      ...DATA,
    ];
    expect(sandbox.run(changeToKey).code).toBe(0);
    const addRemote = (...words: string[]) =>
      sandbox.run(['remote', 'add', 'x', ...at, ...words, ...OF_COMPANY]);
    const closed = addRemote('--pfx', 'a1.pfx', '--password-file', 'errado');
    expect([closed.code, closed.stderr]).toEqual([
      1,
      expect.stringContaining('--pem: não é PEM, nem um PFX'),
    ]);
    expect(addRemote('--pfx', 'a1.pfx', '--pem', 'a1.pem').code).toBe(2);
    const broken = '-----BEGIN CERTIFICATE-----\nbmFkYQ==\n-----END CERTIFICATE-----';
    writeFileSync(join(sandbox.folder, 'quebrado.pem'), `${broken}\n${key}`);
    const unreadablePem = addRemote('--pem', 'quebrado.pem');
    expect([unreadablePem.code, unreadablePem.stderr]).toEqual([
      1,
      expect.stringContaining('--pem: o 1º certificado não pôde ser lido; exporte-o de novo, em PEM.'),
    ]);
    expect(addRemote('--pem', 'falta.pem').stderr).toContain('--pem: falta.pem não pode ser lido');
    for (const flag of ['--client-secret', '--secret', '--password']) {
      const secretOnCommandLine = addRemote(flag, 'segredo');
      expect([secretOnCommandLine.code, secretOnCommandLine.stderr]).toEqual([
        2,
        expect.stringContaining('--secret-file'),
      ]);
      expect(secretOnCommandLine.stderr).not.toMatch(/segredo'|--set\?/);
    }
    expect(addRemote('--secret=segredo').stderr).not.toContain('=segredo');
  });
});

test('the running server takes a comparison in the same way', async () => {
  const form = new FormData();
  form.append('cpfCnpjRaiz', COMPANY);
  for (const [name, file] of [
    ['produtos', 'p.zip'],
    ['operadores', 'o.zip'],
    ['vinculos', 'v.zip'],
  ] as const)
    form.append(name, new File([readFileSync(join(sandbox.folder, file))], file));
  const tokens = await tokensOf(url, 'demo', 'demo');
  if (typeof tokens === 'number') throw new Error(`not signed in: ${tokens}`);
  const path = `${url}/appliance/api/remotes/portal/comparisons`;
  const response = await fetch(path, { method: 'POST', headers: tokens, body: form });
  expect(response.status).toBe(202);
  const { id } = (await response.json()) as { id: number };
  const state = async () =>
    ((await (await ask(url, `/appliance/api/comparisons/${id}`, tokens)).json()) as { state: string }).state;
  while (['queued', 'running'].includes(await state())) await Bun.sleep(20);
  expect(await state()).toBe('done');
});
