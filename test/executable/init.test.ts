/**
 * The first start of an instance (contract section 16): `catp init`, and the refusal of `serve` without it.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openForWriting } from '../../src/db/open.ts';
import { readSettings } from '../../src/settings/config.ts';
import { SETTINGS } from '../../src/settings/settings.ts';
import { refusalOf, outputOf } from './outcome.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

const PERSON = '00000000191';
const COMPANY = '12345678';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const place = (...names: string[]): string => join(sandbox.folder, ...names);

const refusal = (args: readonly string[], exitCode?: number): string => refusalOf(sandbox, args, exitCode);

const keyIn = (text: string): readonly [string, string] => {
  const [, id = '', secret = ''] = /Client-Id: (\S+)\nClient-Secret: (\S+)/.exec(text) ?? [];
  return [id, secret];
};

/** Returns the mode of the folder and of everything in it. */
function modesOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true }) as string[];
  return ['.', ...names.toSorted()].map((name) => {
    const stats = statSync(join(folder, name));
    return `${stats.isDirectory() ? 'folder' : 'file'} ${(stats.mode & 0o777).toString(8)}`;
  });
}

describe('serve on a folder without an instance', () => {
  test('is refused with 1, names the command that creates an instance, and creates nothing', () => {
    const message = refusal(['serve', '--port', '0', '--data', 'dados']);
    expect(message).toContain('dados não é uma pasta de dados do catp.');
    expect(message).toContain('catp init --data dados');
    expect(readdirSync(sandbox.folder)).toEqual([]);
    mkdirSync(place('vazia'));
    refusal(['serve', '--port', '0', '--data', 'vazia']);
    expect(readdirSync(place('vazia'))).toEqual([]);
  });
});

describe('catp init', () => {
  test('creates the folder, readable only by its owner, with keys, settings, company and an administrator who can sign in', async () => {
    const result = sandbox.run([
      ...[
        'init',
        '--data',
        'dados',
        '--empresa',
        COMPANY,
        '--nome',
        'Exemplo S.A.',
        '--cnpj',
        '12345678000195',
      ],
      ...['--admin', PERSON, '--admin-nome', 'Ana', '--set', 'ambiente=producao', '--set', 'porta=0'],
    ]);
    const output = outputOf(result);
    expect(new Set(modesOf(place('dados')))).toEqual(new Set(['folder 700', 'file 600']));
    expect(readdirSync(place('dados')).toSorted()).toEqual([
      ...['catp.key', 'catp.lock', 'catp.seal', 'catp.sqlite', 'catp.toml', 'catp.writer', 'imports'],
    ]);
    expect(result.stderr).toContain('Próximos passos:');
    expect(result.stderr).toContain('catp serve --data dados');
    expect(result.stderr).toContain('127.0.0.1');

    const catp = await sandbox.start('serve', '--data', 'dados');
    const tokens = await tokensOf(catp.url, ...keyIn(output));
    const companies = await ask(catp.url, '/appliance/api/companies', tokens);
    expect(await companies.json()).toEqual([
      { cpfCnpjRaiz: COMPANY, nome: 'Exemplo S.A.', cnpj: '12345678000195' },
    ]);
    expect(await (await fetch(`${catp.url}/readyz`)).json()).toMatchObject({ ambiente: 'producao' });
    expect(await catp.stop()).toBe(0);
    // The files of the server are readable only by their owner too.
    expect(new Set(modesOf(place('dados')))).toEqual(new Set(['folder 700', 'file 600']));
    // The secret was printed once and is stored nowhere.
    const [, secret] = keyIn(output);
    for (const name of ['catp.sqlite', 'catp.toml', 'catp.key'])
      expect(readFileSync(place('dados', name)).includes(secret)).toBe(false);
  });

  test('without an administrator reports that nobody can sign in, and so does serve until a key exists', async () => {
    const outcome = sandbox.run(['init', '--data', 'dados']);
    expect(outputOf(outcome)).not.toContain('Client-Secret');
    expect(outcome.stderr).toContain('Ninguém pode entrar ainda.');
    expect(outputOf(sandbox.run(['user', 'list', '--data', 'dados']))).toBe('Nenhum registro.\n');
    const serveLog = async (): Promise<string> => {
      const server = await sandbox.start('serve', '--port', '0', '--data', 'dados');
      expect(await server.stop()).toBe(0);
      return server.stderr;
    };
    expect(await serveLog()).toContain('Ninguém pode entrar ainda');
    outputOf(sandbox.run(['user', 'add', PERSON, '--nome', 'Ana', '--administrador', '--data', 'dados']));
    expect(await serveLog()).toContain('catp key add <CPF> --data dados');
    outputOf(sandbox.run(['key', 'add', PERSON, '--data', 'dados']));
    expect(await serveLog()).not.toContain('Ninguém pode entrar');
  });

  test('refuses a folder with an instance, and does not change it', () => {
    outputOf(sandbox.run(['init', '--data', 'dados']));
    const before = readFileSync(place('dados', 'catp.key'), 'utf8');
    expect(refusal(['init', '--data', 'dados', '--admin', PERSON, '--admin-nome', 'Ana'])).toContain(
      'dados já tem uma instância do catp.',
    );
    expect(readFileSync(place('dados', 'catp.key'), 'utf8')).toBe(before);
    expect(outputOf(sandbox.run(['user', 'list', '--data', 'dados']))).toBe('Nenhum registro.\n');
  });

  test('quotes a path as a shell requires', () => {
    outputOf(sandbox.run(['init', '--data', "dados d'ouro"]));
    expect(refusal(['init', '--data', "dados d'ouro"])).toContain("catp serve --data 'dados d'\\''ouro', ou");
  });

  test('refuses a folder with foreign files, and does not change its mode', () => {
    mkdirSync(place('casa'));
    chmodSync(place('casa'), 0o755);
    writeFileSync(place('casa', 'fotos'), '');
    expect(refusal(['init', '--data', 'casa'])).toContain('casa não está vazia (tem fotos)');
    expect([readdirSync(place('casa')), statSync(place('casa')).mode & 0o777]).toEqual([['fotos'], 0o755]);
  });

  test('accepts a folder that has only settings and keys, and keeps them', async () => {
    sandbox.init('outra');
    mkdirSync(place('dados'));
    chmodSync(place('dados'), 0o755);
    writeFileSync(place('dados', 'catp.toml'), 'ambiente = "producao"\n');
    copyFileSync(place('outra', 'catp.key'), place('dados', 'catp.key'));
    outputOf(sandbox.run(['init', '--data', 'dados']));
    expect(readFileSync(place('dados', 'catp.toml'), 'utf8')).toBe('ambiente = "producao"\n');
    expect(readFileSync(place('dados', 'catp.key'))).toEqual(readFileSync(place('outra', 'catp.key')));
    expect(statSync(place('dados')).mode & 0o777).toBe(0o700);
  });

  test('creates nothing when an argument is refused', () => {
    const words = ['init', '--data', 'dados'];
    expect(refusal([...words, '--admin', '123', '--admin-nome', 'Ana'], 2)).toContain('documento');
    expect(refusal([...words, '--empresa', '1', '--nome', 'X'], 2)).toContain('cpfCnpjRaiz');
    expect(refusal([...words, '--empresa', COMPANY, '--nome', 'X', '--cnpj', '1'], 2)).toContain('cnpj');
    expect(refusal([...words, '--set', 'ambiente=lua'], 2)).toContain('ambiente');
    expect(refusal([...words, '--admin', PERSON], 2)).toContain('--admin-nome');
    expect(refusal([...words, '--admin-nome', 'Ana'], 2)).toContain('--admin');
    expect(refusal([...words, '--empresa', COMPANY], 2)).toContain('--nome');
    expect(refusal([...words, '--nome', 'X'], 2)).toContain('--empresa');
    expect(refusal([...words, '--config', 'nenhuma/catp.toml'])).toContain(
      'nenhuma/catp.toml não pode ser gravado',
    );
    expect(readdirSync(sandbox.folder)).toEqual([]);
  });

  test('starts again after an interrupted init', () => {
    mkdirSync(place('dados', '.init'), { recursive: true });
    writeFileSync(place('dados', '.init', 'catp.sqlite'), 'meio banco');
    expect(refusal(['serve', '--port', '0', '--data', 'dados'])).toContain('catp init');
    outputOf(sandbox.run(['init', '--data', 'dados']));
    expect(existsSync(place('dados', '.init'))).toBe(false);
    expect(outputOf(sandbox.run(['user', 'list', '--data', 'dados']))).toBe('Nenhum registro.\n');
  });

  test('writes the file that --config names, and obeys an existing one', async () => {
    outputOf(sandbox.run(['init', '--data', 'um', '--config', 'catp.toml', '--set', 'porta=0']));
    expect(existsSync(place('um', 'catp.toml'))).toBe(false);
    expect(readFileSync(place('catp.toml'), 'utf8')).toContain('\nporta = 0\n');
    writeFileSync(place('catp.toml'), 'porta = 0\nperfil = "portal"\n');
    outputOf(sandbox.run(['init', '--data', 'dois', '--config', 'catp.toml']));
    expect(readFileSync(place('catp.toml'), 'utf8')).toBe('porta = 0\nperfil = "portal"\n');
    const catp = await sandbox.start('serve', '--data', 'dois', '--config', 'catp.toml');
    expect(await (await fetch(`${catp.url}/readyz`)).json()).toMatchObject({ perfil: 'portal' });
  });

  test('writes the file that CATP_CONFIG names, and prints its path for review', () => {
    const { stderr } = sandbox.run(['init', '--data', 'um'], { CATP_CONFIG: 'outro.toml' });
    expect(stderr).toContain('Confira outro.toml;');
    expect([existsSync(place('outro.toml')), existsSync(place('um', 'catp.toml'))]).toEqual([true, false]);
    expect(sandbox.run(['init', '--data', 'dois']).stderr).toContain('Confira dois/catp.toml;');
  });

  test('writes a catp.toml with every setting; each line without its comment sign has the default value', () => {
    sandbox.init('dados');
    const text = readFileSync(place('dados', 'catp.toml'), 'utf8');
    const names = [...text.matchAll(/^(?:# )?([\w.]+) = /gm)].map(([, name]) => name);
    expect(names).toEqual(Object.keys(SETTINGS));
    for (const { about } of Object.values(SETTINGS)) expect(text).toContain(`# ${about}`);
    writeFileSync(place('tudo.toml'), text.replaceAll(/^# ([\w.]+ = )/gm, '$1'));
    const sources = { environment: {}, commandLine: [] };
    expect(readSettings({ ...sources, file: place('tudo.toml') })).toEqual(readSettings(sources));
  });
});

describe('a folder without its keys', () => {
  test('is refused: both next steps are named, and no keys are created', () => {
    sandbox.init('dados');
    rmSync(place('dados', 'catp.key'));
    const message = refusal(['serve', '--port', '0', '--data', 'dados']);
    expect(message).toContain('Falta o arquivo de chaves dados/catp.key. Restaure-o da cópia de segurança');
    expect(message).toContain('catp init --new-keys --data dados');
    expect(existsSync(place('dados', 'catp.key'))).toBe(false);
  });

  test('is served again with its own restored keys, sessions and secrets', async () => {
    const { tokens, secrets } = await withSubscription();
    const keyFile = readFileSync(place('dados', 'catp.key'));
    rmSync(place('dados', 'catp.key'));
    refusal(['serve', '--port', '0', '--data', 'dados']);
    writeFileSync(place('dados', 'catp.key'), keyFile);
    const catp = await sandbox.start('serve', '--port', '0', '--data', 'dados');
    expect(await (await ask(catp.url, HOOKS, tokens)).json()).toMatchObject([{ chaveSecreta: secrets }]);
  });

  test('with new keys: sessions end, secrets are emptied and listed, other data is kept', async () => {
    const { tokens, key } = await withSubscription();
    writeFileSync(place('segredo'), 'aberto');
    const connection = ['--url', 'https://la.exemplo', '--client-id', 'a', '--secret-file', 'segredo'];
    outputOf(sandbox.run(['remote', 'add', 'la', ...connection, '--empresa', COMPANY, '--data', 'dados']));
    rmSync(place('dados', 'catp.key'));
    const output = outputOf(sandbox.run(['init', '--new-keys', '--data', 'dados']));
    expect(output).toMatch(/Estes remotos perderam .*\nremoto\nla\n/);
    expect(output).toMatch(/1 +00000000191 +catp-prod-alterado +https:\/\/erp\.exemplo\/aviso/);
    expect(statSync(place('dados', 'catp.key')).mode & 0o777).toBe(0o600);
    const catp = await sandbox.start('serve', '--port', '0', '--data', 'dados');
    expect((await ask(catp.url, HOOKS, tokens)).status).toBe(401);
    const newTokens = await tokensOf(catp.url, ...key);
    expect(await (await ask(catp.url, HOOKS, newTokens)).json()).toMatchObject([
      { id: 1, evento: 'catp-prod-alterado', chaveSecreta: null, chaveAutenticacao: null },
    ]);
  });

  test('lists the emptied secrets again, when the first attempt ended before the new keys were stored', async () => {
    await withSubscription();
    rmSync(place('dados', 'catp.key'));
    const db = openForWriting(place('dados', 'catp.sqlite'));
    db.exec('UPDATE subscription SET chave_secreta = NULL, chave_autenticacao = NULL');
    db.prepare("INSERT INTO folder_mark (name, value) VALUES ('emptied-secrets', ?)").run(
      JSON.stringify([{ id: 1, documento: PERSON, evento: 'x', endpoint: 'https://erp.exemplo/aviso' }]),
    );
    db.prepare("INSERT INTO folder_mark (name, value) VALUES ('emptied-remotes', ?)").run('["portal"]');
    db.close();
    const output = outputOf(sandbox.run(['init', '--new-keys', '--data', 'dados']));
    expect(output).toContain('https://erp.exemplo/aviso');
    expect(output).toContain('\nportal\n');
  });

  test('new keys are refused when the old ones exist, next to a server, and without an instance', async () => {
    sandbox.init('dados');
    expect(refusal(['init', '--new-keys', '--data', 'dados'])).toContain('dados tem as suas chaves');
    const catp = await sandbox.start('serve', '--port', '0', '--data', 'dados');
    rmSync(place('dados', 'catp.key'));
    const before = readdirSync(place('dados'));
    expect(refusal(['init', '--new-keys', '--data', 'dados'])).toContain('está em uso por outro catp');
    expect(readdirSync(place('dados'))).toEqual(before);
    expect(await catp.stop()).toBe(0);
    expect(refusal(['init', '--new-keys', '--data', 'nada'])).toContain('não é uma pasta de dados');
  });

  test('with keys of another instance is refused by serve and by every command, and nothing is written', async () => {
    sandbox.init('dados');
    sandbox.init('outra');
    const formerKeys = readFileSync(place('dados', 'catp.key'));
    copyFileSync(place('outra', 'catp.key'), place('dados', 'catp.key'));
    const before = readFileSync(place('dados', 'catp.sqlite'));
    for (const command of [
      ['serve', '--port', '0'],
      ['user', 'list'],
      ['company', 'add', COMPANY, '--nome', 'X'],
    ]) {
      const message = refusal([...command, '--data', 'dados']);
      expect(message).toContain('O arquivo de chaves dados/catp.key é de outra instância.');
      expect(message).toContain('catp init --new-keys --data dados');
    }
    expect(readFileSync(place('dados', 'catp.sqlite')).equals(before)).toBe(true);
    writeFileSync(place('dados', 'catp.key'), formerKeys);
    outputOf(sandbox.run(['user', 'list', '--data', 'dados']));
    rmSync(place('dados', 'catp.key'));
    outputOf(sandbox.run(['init', '--new-keys', '--data', 'dados']));
    outputOf(sandbox.run(['user', 'list', '--data', 'dados']));
  });

  test('a broken key file is renamed and kept', () => {
    sandbox.init('dados');
    writeFileSync(place('dados', 'catp.key'), 'curto\n');
    outputOf(sandbox.run(['init', '--new-keys', '--data', 'dados']));
    expect(readFileSync(place('dados', 'catp.key.danificado'), 'utf8')).toBe('curto\n');
  });

  const HOOKS = '/portal/api/ext/webhook';

  /** Creates a user with a key and a subscription with a secret. Stops the server. */
  async function withSubscription() {
    sandbox.init('dados');
    outputOf(sandbox.run(['company', 'add', COMPANY, '--nome', 'X', '--data', 'dados']));
    outputOf(sandbox.run(['user', 'add', PERSON, '--nome', 'Maria', '--data', 'dados']));
    outputOf(sandbox.run(['representation', 'add', PERSON, COMPANY, '--data', 'dados']));
    const key = keyIn(outputOf(sandbox.run(['key', 'add', PERSON, '--data', 'dados'])));
    const catp = await sandbox.start('serve', '--port', '0', '--data', 'dados');
    const tokens = await tokensOf(catp.url, ...key);
    const secrets = 'segredo-bem-guardado';
    const response = await fetch(`${catp.url}${HOOKS}`, {
      method: 'POST',
      headers: tokens as Record<string, string>,
      body: JSON.stringify({
        evento: 'catp-prod-alterado',
        endpoint: 'https://erp.exemplo/aviso',
        chaveSecreta: secrets,
      }),
    });
    expect(response.status).toBe(200);
    expect(await catp.stop()).toBe(0);
    return { tokens, key, secrets };
  }
});
