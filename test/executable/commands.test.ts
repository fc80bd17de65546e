/** Commands next to a running server, with every flag that no other test of this folder uses. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { runHere } from '../support/command-line.ts';
import type { RunningCatp } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';
import { certificateFiles, trusting } from '../support/tls.ts';
import { refusalOf } from './outcome.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

const COMPANY = '12345678';
const DATA = ['--data', 'dados'] as const;

let sandbox: Sandbox;
let catp: RunningCatp;
beforeAll(async () => {
  sandbox = await openSandbox();
  catp = await sandbox.start('dev', '--port', '0', '--data', 'dados');
});
afterAll(() => sandbox.close());

/** Returns the output of a successful command without messages. */
function output(...args: readonly string[]): string {
  const { code, stdout, stderr } = sandbox.run(args);
  expect([args, code, code === 0 ? '' : stderr]).toEqual([args, 0, '']);
  return stdout;
}

const text = (name: string): string => readFileSync(join(sandbox.folder, name), 'utf8');

describe('the flags of a TLS listener', () => {
  const answers = async (server: RunningCatp): Promise<void> => {
    expect(server.url).toStartWith('https://127.0.0.1:');
    expect((await trusting(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  };

  test('work in dev and in serve', async () => {
    const { cert, key, ca } = await certificateFiles();
    const dev = await sandbox.start(
      ...['dev', '--port', '0', '--empty', '--data', 'tls-dev', '--tls-port', '0'],
      ...['--tls-cert', cert, '--tls-key', key, '--tls-client-ca', ca],
    );
    await answers(dev);
    const serve = await sandbox.start(
      ...['serve', '--port', '0', '--data', 'tls-serve', '--tls-port', '0'],
      ...['--tls-cert', cert, '--tls-key', key, '--tls-client-ca', ca],
    );
    await answers(serve);
  });
});

test('catp user add --no-administrador removes the right of an administrator, and changes nothing else', () => {
  const admins = (): readonly string[] =>
    (JSON.parse(output('user', 'list', '--json', ...DATA)) as { documento: string; administrador: boolean }[])
      .filter(({ administrador }) => administrador)
      .map(({ documento }) => documento);
  const add = (...words: readonly string[]) =>
    output('user', 'add', '52998224725', '--nome', 'José', ...words, ...DATA);
  add('--administrador');
  add('--nome', 'José Segundo');
  expect(admins()).toEqual(['00000000515', '52998224725']);
  add('--no-administrador');
  expect(admins()).toEqual(['00000000515']);
  const last = sandbox.run(['user', 'add', '00000000515', '--nome', 'X', '--no-administrador', ...DATA]);
  expect([last.code, last.stderr]).toEqual([1, expect.stringContaining('é o último administrador')]);
  expect(output('user', 'remove', '52998224725', ...DATA)).toBe('Usuário 52998224725 removido.\n');
});

describe('catp import and catp export', () => {
  const ITEM = { cpfCnpjRaiz: COMPANY, denominacao: 'Item', modalidade: 'IMPORTACAO', ncm: '39269090' };

  test('--simular stores nothing, --empresa excludes other companies, --erros writes the refused items', () => {
    const items = [
      { ...ITEM, seq: 1 },
      { ...ITEM, seq: 2, ncm: '1' },
      { ...ITEM, seq: 3, cpfCnpjRaiz: '87654321' },
    ];
    writeFileSync(join(sandbox.folder, 'itens.json'), JSON.stringify(items));
    const IMPORT = ['import', 'produto', 'itens.json', '--empresa', COMPANY, '--erros', 'erros.csv', ...DATA];
    const countOf = (): number =>
      countIn(output('export', 'produto', '--empresa', COMPANY, '--to', 'antes.zip', ...DATA), 'antes.zip');
    const before = countOf();
    const dryRun = sandbox.run([...IMPORT, '--simular']);
    expect([dryRun.code, countOf()]).toEqual([1, before]);
    const outcome = sandbox.run(IMPORT);
    expect([outcome.code, countOf()]).toEqual([1, before + 1]);
    expect(text('erros.csv')).toContain('ncm');
    expect(text('erros.csv').trim().split('\n')).toHaveLength(3);
    // The command line has no signed-in user, so a missing company is not reported as a missing right.
    writeFileSync(
      join(sandbox.folder, 'alheios.json'),
      JSON.stringify([{ ...ITEM, seq: 1, cpfCnpjRaiz: '99887766' }]),
    );
    const foreignImport = ['import', 'produto', 'alheios.json', '--simular', ...DATA];
    expect(sandbox.run(foreignImport).stderr).toContain(
      'A empresa "99887766" não está nesta pasta de dados. Inclua-a antes com catp company add.',
    );
  });

  test('--desativados adds the deactivated records, --to names the file', async () => {
    const tokens = (await tokensOf(catp.url, 'demo', 'demo')) as Record<string, string>;
    const deactivation = await trusting(`${catp.url}/catp/api/ext/produto/desativar/${COMPANY}/1`, {
      method: 'PUT',
      headers: tokens,
    });
    expect(deactivation.status).toBe(200);
    const active = countIn(
      output('export', 'produto', '--empresa', COMPANY, '--to', 'ativos.zip', ...DATA),
      'ativos.zip',
    );
    const all = countIn(
      output('export', 'produto', '--empresa', COMPANY, '--desativados', '--to', 'todos.zip', ...DATA),
      'todos.zip',
    );
    expect(all).toBeGreaterThan(active);
  });

  /** Returns the number of records in a written file. `_printed` makes the caller run the command first. */
  function countIn(_printed: string, name: string): number {
    const [json] = Object.values(unzipSync(readFileSync(join(sandbox.folder, name))));
    return (JSON.parse(new TextDecoder().decode(json)) as unknown[]).length;
  }
});

describe('catp ncm', () => {
  test('loads the nomenclature, with a server or without one, and prints its size', () => {
    expect(output('ncm', 'load', join(ROOT, 'src/demo/nomenclature.json'), '--data', 'dados')).toBe(
      'Nomenclatura carregada: 38 linhas, 10 NCMs. Nomenclatura inventada para demonstração: as descrições não são as oficiais.\n',
    );
  });
});

describe('catp attributes', () => {
  test('prints the changes of a table on a day, also as CSV, prints a product to fill in, and activates the table on a day', () => {
    output('attributes', 'load', join(ROOT, 'src/demo/attribute-table-2.json'), '--data', 'dados');
    const today = output('attributes', 'diff', '2', '--data', 'dados');
    const laterDiff = output('attributes', 'diff', '2', '--on', '2035-01-01', '--data', 'dados');
    expect(today).not.toBe('');
    expect(laterDiff).not.toBe('');
    const csv = output('attributes', 'diff', '2', '--csv', '--data', 'dados');
    expect(csv).toContain('cpfCnpjRaiz;');
    const product = output('attributes', 'new', '1', '09012100', '--modalidade', 'AMBOS', '--data', 'dados');
    expect(JSON.parse(product)).toMatchObject({ ncm: '09012100', modalidade: 'AMBOS' });
    output('attributes', 'activate', '2', '--on', '2035-01-01', '--data', 'dados');
    expect(output('attributes', 'list', '--data', 'dados')).toContain('2035');
    for (const words of [['--on', '2035-01-01'], []]) {
      output('attributes', 'cancel', '2', ...words, '--data', 'dados');
      expect(output('attributes', 'list', '--data', 'dados')).not.toContain('2035');
      const secondCancel = sandbox.run(['attributes', 'cancel', '2', ...words, '--data', 'dados']);
      expect([secondCancel.code, secondCancel.stderr]).toEqual([
        1,
        expect.stringContaining('não está agendada'),
      ]);
      output('attributes', 'activate', '2', '--on', '2035-01-01', '--data', 'dados');
    }
    const past = sandbox.run(['attributes', 'activate', '2', '--on', '2020-01-01', '--data', 'dados']);
    expect(past.code).toBe(1);
    const deadlines = output('attributes', 'deadlines', '--empresa', COMPANY, '--data', 'dados');
    expect(deadlines).toMatch(/01\/01\/2035 +Certo/);
    const soonDeadlines = output(
      'attributes',
      'deadlines',
      '--until',
      '2034-12-31',
      '--csv',
      '--data',
      'dados',
    );
    expect(soonDeadlines).toContain('A partir de;');
    expect(soonDeadlines).not.toContain('2035');
    const unconfirmedDeadlines = output('attributes', 'deadlines', '--unconfirmed', '--data', 'dados');
    expect(unconfirmedDeadlines).toBe('Nenhum registro.\n');
  });
});

describe('catp event', () => {
  test('publishes the body of a file, lists by event and up to a limit, and prints the sample of an event', () => {
    writeFileSync(join(sandbox.folder, 'corpo.json'), '{"a": 1.10}');
    for (const evento of ['teste-a', 'teste-a', 'teste-b'])
      output('event', 'publish', evento, '--para', `CNPJ:${COMPANY}`, '--arquivo', 'corpo.json', ...DATA);
    const linesOf = (listOutput: string): readonly string[] =>
      listOutput.split('\n').filter((line) => line.includes('teste-'));
    expect(linesOf(output('event', 'list', '--evento', 'teste-a', ...DATA))).toHaveLength(2);
    expect(linesOf(output('event', 'list', '--limite', '1', ...DATA))).toHaveLength(1);
    const sample = output('event', 'types', '--evento', 'duex-historico');
    expect(sample).toContain('"due"');
    expect(sample).not.toContain('dimp-');
  });
});

test('a command without a folder uses the folder of catp dev, when no other exists', async () => {
  const emptySandbox = await openSandbox();
  const list = (...words: string[]) => emptySandbox.run([...words, 'list', '--json']);
  expect(list('event').stderr).toContain('./catp-dados não é uma pasta de dados');
  const dev = await emptySandbox.start('dev', '--port', '0', '--empty');
  for (const words of [['event'], ['user'], ['job']]) expect(list(...words).code).toBe(0);
  expect(emptySandbox.run(['event', 'trigger', 'duex-historico']).stderr).toContain('Ninguém assina');
  emptySandbox.init();
  expect(JSON.parse(list('user').stdout)).toEqual([]);
  expect(emptySandbox.run(['event', 'trigger', 'duex-historico']).stderr).toContain('Ninguém assina');
  expect(await dev.stop()).toBe(0);
  await emptySandbox.close();
});

describe('a command next to an instance with a test clock', () => {
  const STAMPED = ['event', 'publish', 'teste', '--para', `CNPJ:${COMPANY}`, '--conteudo', '1'];
  const publishedAt = (data: string): string => {
    output(...STAMPED, '--data', data);
    const [lastEvent] = JSON.parse(output('event', 'list', '--json', '--data', data)) as {
      publishedAt: string;
    }[];
    return lastEvent?.publishedAt ?? '';
  };

  test('uses the test clock, also after it was moved, and the system clock without an instance', async () => {
    const start = () =>
      sandbox.start('dev', '--port', '0', '--empty', '--data', 'antigo', '--clock', '2020-01-31T12:00:00Z');
    const former = await start();
    expect(publishedAt('antigo')).toBe('2020-01-31T09:00:00.000-03:00');
    const clockAnswer = await trusting(`${former.url}/appliance/api/clock`, {
      method: 'POST',
      headers: (await tokensOf(former.url, 'admin', 'admin')) as Record<string, string>,
      body: JSON.stringify({ advance: 'P1D' }),
    });
    expect(clockAnswer.status).toBe(200);
    expect(publishedAt('antigo')).toBe('2020-02-01T09:00:00.000-03:00');
    await former.kill9();
    expect(publishedAt('antigo')).not.toStartWith('2020');
    const restarted = await start();
    expect(publishedAt('antigo')).toStartWith('2020-01-31');
    expect(await restarted.stop()).toBe(0);
    expect(publishedAt('antigo')).not.toStartWith('2020');
  });
});

describe('accounts', () => {
  const recordOf = (kind: string, key: string): unknown =>
    (JSON.parse(output(kind, 'list', '--json', ...DATA)) as readonly object[]).find((record) =>
      Object.values(record).includes(key),
    );

  test('a user or company that exists keeps the omitted members; a new one requires its name', () => {
    output('user', 'add', '39053344705', '--nome', 'Rui', '--publico', 'RECEITA', ...DATA);
    const agent = {
      documento: '39053344705',
      nome: 'Rui',
      email: null,
      tipo: 'PUBL',
      orgao: 'RECEITA',
      administrador: false,
    };
    output('user', 'add', '39053344705', ...DATA);
    expect(recordOf('user', '39053344705')).toEqual(agent);
    output('user', 'add', '39053344705', '--administrador', ...DATA);
    expect(recordOf('user', '39053344705')).toEqual({ ...agent, administrador: true });
    output('user', 'remove', '39053344705', ...DATA);
    output('company', 'add', '33444555', '--nome', 'Nova', ...DATA);
    output('company', 'add', '33444555', '--cnpj', '33444555000181', ...DATA);
    const company = { cpfCnpjRaiz: '33444555', nome: 'Nova', cnpj: '33444555000181' };
    output('company', 'add', '33444555', ...DATA);
    expect(recordOf('company', '33444555')).toEqual(company);
    output('company', 'remove', '33444555', ...DATA);
    expect(refusalOf(sandbox, ['user', 'add', '39053344705', ...DATA])).toContain(
      'nome: membro obrigatório ausente; ainda não existe o usuário 39053344705',
    );
    expect(refusalOf(sandbox, ['company', 'add', '33444555', ...DATA])).toContain(
      'ainda não existe a empresa 33444555',
    );
  });

  test('a key is valid until the end of a day; a past day and an invalid day are refused', () => {
    const add = (day: string) => ['key', 'add', '00000000191', ...DATA, '--expires', day];
    const [, id] = /Client-Id: (\S+)/.exec(output(...add('2036-12-31'))) ?? [];
    const keys = JSON.parse(output('key', 'list', '--json', ...DATA)) as { readonly clientId: string }[];
    expect(keys.find(({ clientId }) => clientId === id)).toMatchObject({
      expiresAt: '2036-12-31T23:59:59.999-03:00',
      lastUsedAt: null,
    });
    expect(refusalOf(sandbox, add('2026-01-15'))).toContain('2026-01-15T23:59:59.999-03:00, que já passou');
    expect(refusalOf(sandbox, add('31/12/2036'), 2)).toContain('--expires');
  });

  test('a public agent belongs to a public body, and the list of users shows it', async () => {
    output('user', 'add', '00000000604', '--nome', 'Ana', '--publico', 'RECEITA', ...DATA);
    expect(output('user', 'list', ...DATA)).toMatch(/00000000604.*RECEITA/);
    const answer = await ask(catp.url, '/appliance/api/users', await tokensOf(catp.url, 'admin', 'admin'));
    expect(await answer.text()).toContain('"documento":"00000000604"');
  });
});

test('licencas prints the licence texts of all parts; from sources it names the build', async () => {
  const texts = output('licencas');
  for (const part of [
    'All rights reserved',
    'JavaScriptCore: LGPL-2.0-or-later',
    'GNU LIBRARY GENERAL PUBLIC',
  ])
    expect([part, texts.includes(part)]).toEqual([part, true]);
  const { code, stderr } = await runHere(['licencas']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('./scripts/build')]);
});
