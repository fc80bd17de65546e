/**
 * Settings have the same path for every command (contract section 16): a command stores nothing that the
 * server refuses.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const place = (...names: string[]): string => join(sandbox.folder, ...names);

/** One code point more than the profile of the portal accepts. */
const LONG_NAME = 'x'.repeat(121);
const PRODUCT = {
  seq: 1,
  cpfCnpjRaiz: '12345678',
  denominacao: LONG_NAME,
  modalidade: 'IMPORTACAO',
  ncm: '39269090',
};

/** Creates a folder with a company by a server, and a file with one product that the portal refuses. */
async function openFolder(): Promise<void> {
  const catp = await sandbox.start('serve', '--port', '0', '--data', 'dados');
  expect(await catp.stop()).toBe(0);
  expect(sandbox.run(['company', 'add', '12345678', '--nome', 'Exemplo', '--data', 'dados']).code).toBe(0);
  writeFileSync(place('produtos.json'), JSON.stringify([PRODUCT]));
}

const importing = (...flags: string[]): readonly string[] => [
  ...['import', 'produto', 'produtos.json', '--data', 'dados'],
  ...flags,
];

describe('an import by command line', () => {
  test('is refused by the catp.toml of the data folder, as the server refuses it', async () => {
    await openFolder();
    writeFileSync(place('dados', 'catp.toml'), 'perfil = "portal"\n');

    const { code, stderr } = sandbox.run(importing());
    expect([code, stderr]).toEqual([1, expect.stringContaining('1 com erro')]);

    for (const args of [
      ['user', 'add', '00000000515', '--nome', 'Ana'],
      ['representation', 'add', '00000000515', '12345678'],
    ])
      expect(sandbox.run([...args, '--data', 'dados']).code).toBe(0);
    const key = sandbox.run(['key', 'add', '00000000515', '--data', 'dados']).stdout;
    const [, clientId = '', secret = ''] = /Client-Id: (\S+)\nClient-Secret: (\S+)/.exec(key) ?? [];
    const server = await sandbox.start('serve', '--port', '0', '--data', 'dados');
    const headers = (await tokensOf(server.url, clientId, secret)) as Record<string, string>;
    const { seq: _seq, cpfCnpjRaiz, ...body } = PRODUCT;
    const refusal = await fetch(`${server.url}/catp/api/ext/produto/${cpfCnpjRaiz}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(refusal.status).toBe(400);
    // The command prints the message of the server.
    const { message } = (await refusal.json()) as { message: string };
    const problemLine = stderr.split('\n').find((line) => line.includes(', item 1: ')) ?? '';
    expect(problemLine).toContain(message.replace(/^denominacao: /, ''));
  });

  test('is accepted without that file: the refusal came from it', async () => {
    await openFolder();
    const { code, stderr } = sandbox.run(importing());
    expect([code, stderr]).toEqual([0, expect.stringContaining('1 incluído,')]);
  });

  test('obeys CATP_CONFIG before the folder, --config before both, --set before all, and the environment between', async () => {
    await openFolder();
    writeFileSync(place('portal.toml'), 'perfil = "portal"\n');
    writeFileSync(place('livre.toml'), 'perfil = "especificacao"\n');
    const exitCodeOf = (flags: string[], env: Record<string, string> = {}): number =>
      sandbox.run(importing('--simular', ...flags), env).code;
    expect(exitCodeOf([])).toBe(0);
    expect(exitCodeOf([], { CATP_CONFIG: 'portal.toml' })).toBe(1);
    writeFileSync(place('dados', 'catp.toml'), 'perfil = "portal"\n');
    expect(exitCodeOf([], { CATP_CONFIG: 'livre.toml' })).toBe(0);
    expect(exitCodeOf(['--config', 'portal.toml'], { CATP_CONFIG: 'livre.toml' })).toBe(1);
    expect(exitCodeOf(['--config', 'portal.toml'], { CATP_PERFIL: 'especificacao' })).toBe(0);
    expect(exitCodeOf(['--set', 'perfil=portal'], { CATP_PERFIL: 'especificacao' })).toBe(1);
    // An empty variable names no file.
    expect(exitCodeOf([], { CATP_CONFIG: '' })).toBe(1);
  });
});

describe('the server', () => {
  test('obeys the catp.toml of its folder, in serve and in dev, and ignores one of the current folder', async () => {
    mkdirSync(place('dados'));
    writeFileSync(place('dados', 'catp.toml'), 'ambiente = "producao"\n');
    writeFileSync(place('catp.toml'), 'ambiente = "homologacao"\n');
    for (const mode of ['serve', 'dev']) {
      const catp = await sandbox.start(mode, '--port', '0', '--data', mode === 'serve' ? 'dados' : 'outros');
      const { ambiente } = (await (await fetch(`${catp.url}/readyz`)).json()) as { ambiente: string };
      expect([mode, ambiente]).toEqual([mode, mode === 'serve' ? 'producao' : 'validacao']);
      expect(await catp.stop()).toBe(0);
    }
    writeFileSync(place('outros', 'catp.toml'), 'ambiente = "producao"\n');
    const dev = await sandbox.start('dev', '--port', '0', '--data', 'outros');
    expect(await (await fetch(`${dev.url}/readyz`)).json()).toMatchObject({ ambiente: 'producao' });
  });
});

describe('every command that opens a folder', () => {
  const OPENING = [
    ...['user list', 'user add 00000000191 --nome X', 'user remove 00000000191', 'company list'],
    ...['openapi', 'company set 12345678 --nome X', 'company remove 12345678'],
    ...['company add 12345678 --nome X', 'representation list', 'representation add 00000000191 12345678'],
    ...['representation remove 00000000191 12345678', 'key list', 'key add 00000000191', 'key revoke x'],
    ...['event list', 'event publish duex-historico --para CNPJ:12345678 --exemplo', 'job list', 'job run x'],
    ...['attributes list', 'attributes load x', 'ncm load x', 'attributes diff 1', 'attributes activate 1'],
    ...[
      'attributes cancel 1',
      'attributes deadlines',
      'attributes new 1 39269090',
      'export produto --empresa 12345678',
      'import produto x.json',
    ],
    ...[
      'remote list',
      'remote add x --empresa 12345678',
      'remote show x',
      'remote remove x',
      'remote test x',
    ],
    'remote compare x --empresa 12345678 --produtos p --operadores o --vinculos v',
    'remote files x --empresa 12345678 --to y',
    ...['remote send x --empresa 12345678', 'remote runs --empresa 12345678'],
    ...['serve --port 0', 'dev --port 0'],
  ].map((line) => line.split(' '));

  test('refuses the same invalid setting, from the file of the folder, --config and --set, with one line and 2', async () => {
    const server = await sandbox.start('serve', '--port', '0', '--data', 'dados');
    expect(await server.stop()).toBe(0);
    writeFileSync(place('ruim.toml'), '[entrega]\nsimultanea = 1\n');
    const HINT = "não existe a configuração 'entrega.simultanea'. Você quis dizer 'entrega.simultaneas'?";
    for (const words of OPENING) {
      for (const flags of [
        ['--config', 'ruim.toml'],
        ['--set', 'entrega.simultanea=1'],
      ]) {
        const { code, stderr } = sandbox.run([...words, '--data', 'dados', ...flags]);
        expect([words, flags, code, stderr.trim().split('\n').length]).toEqual([words, flags, 2, 1]);
        expect(stderr).toContain(HINT);
      }
    }
    writeFileSync(place('dados', 'catp.toml'), '[entrega]\nsimultanea = 1\n');
    for (const words of OPENING)
      expect([words, sandbox.run([...words, '--data', 'dados']).stderr]).toEqual([
        words,
        expect.stringContaining(HINT),
      ]);
  });
});

describe('an unusable configuration file is reported in one line with the next step, and nothing is created', () => {
  const refusal = (args: readonly string[], env: Record<string, string> = {}): string => {
    const { code, stdout, stderr } = sandbox.run(args, env);
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
    expect(existsSync(place('catp-dados'))).toBe(false);
    return stderr;
  };

  test('missing, a folder, malformed', () => {
    mkdirSync(place('pasta'));
    writeFileSync(place('torto.toml'), 'perfil = "portal"\nambiente = producao\n');
    expect(refusal(['serve', '--config', 'falta.toml'])).toContain(
      'o arquivo de configuração falta.toml não pode ser lido (não existe, ENOENT). Corrija-o, ou indique outro com --config ou CATP_CONFIG.',
    );
    expect(refusal(['serve'], { CATP_CONFIG: 'falta.toml' })).toContain('falta.toml não pode ser lido');
    expect(refusal(['serve', '--config', 'pasta'])).toContain('é uma pasta, não um arquivo');
    expect(refusal(['serve', '--config', 'torto.toml'])).toContain('torto.toml não é TOML: linha 2, coluna');
  });

  test('a value is reported with its source; a value of the command line is shown', () => {
    expect(refusal(['serve'], { CATP_PORTA: 'abc' })).toContain("porta: recebido 'abc' (CATP_PORTA); aceita");
    expect(refusal(['serve', '--port', 'abc'])).toContain("porta: recebido 'abc'; aceita");
    expect(refusal(['serve'], { CATP_FOO: '1' })).toContain(
      'variável de ambiente: não há configuração com o',
    );
  });

  test('invalid values: origins that no browser sends, invalid names, a list instead of a value', () => {
    const inFile = (line: string): string => {
      writeFileSync(place('ruim.toml'), `${line}\n`);
      return refusal(['serve', '--config', 'ruim.toml']);
    };
    for (const origin of [
      'erp.exemplo',
      'https://erp.exemplo/',
      'https://erp.exemplo/app',
      'https://ERP.exemplo',
    ])
      expect(inFile(`cors.origens = "${origin}"`)).toContain(
        `cors.origens: recebido '${origin}' (ruim.toml); aceita *, local, null ou origens`,
      );
    for (const name of ['a b', 'https://a.exemplo', 'a.exemplo:80'])
      expect(inFile(`servidor.nomes = "${name}"`)).toContain(
        `servidor.nomes: recebido '${name}' (ruim.toml); aceita`,
      );
    expect(inFile('porta = [1]')).toContain('porta: recebida uma lista (ruim.toml); aceita um só valor.');
    // These values are valid: only the port is refused.
    const validSettings =
      'cors.origens = ["*", "local", "null", "http://a.exemplo:81", "app://b"]\nentrega.redes = ["10.0.0.0/8"]';
    expect(inFile(`${validSettings}\nservidor.nomes = ["a.exemplo", "10.0.0.5"]\nporta = "x"`)).toContain(
      "Configuração inválida: porta: recebido 'x'",
    );
  });

  test('the same port for both protocols is refused', () => {
    expect(
      refusal(['dev', '--port', '8292', '--tls-port', '8292', '--tls-cert', 'x', '--tls-key', 'x']),
    ).toContain('porta e tls.porta são a mesma (8292); escolha outra');
  });

  test('an unknown variable is named with the nearest known one', () => {
    expect(refusal(['serve'], { CATP_PERFL: 'portal' })).toContain(
      "'CATP_PERFL'. Você quis dizer 'CATP_PERFIL'?",
    );
    expect(readdirSync(sandbox.folder)).toEqual([]);
  });
});
