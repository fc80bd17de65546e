/**
 * Commands have one style: correct exit codes, lists as tables and as JSON, next steps, hints for typing
 * errors.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { type Offer, readOffer } from './inventory.ts';
import { type Outcome, runHere } from '../support/command-line.ts';
import { refusalIn, refusalOf, outputOf } from './outcome.ts';
import { type Sandbox, type Finished, ask, openSandbox, tokensOf } from './support.ts';

const DATA = ['--data', 'dados'] as const;
const PERSON = '00000000191';
const COMPANY = '12345678';

let sandbox: Sandbox;
let offer: Offer;
beforeAll(async () => {
  sandbox = await openSandbox();
  offer = await readOffer();
  sandbox.init('dados');
});
afterAll(() => sandbox.close());

const run = (line: string): Finished => sandbox.run(line.split(' '));

/** Commands that start a server, which would change this process. */
const SERVERS: readonly string[] = ['dev', 'serve', 'receiver'];

/** Runs a command in this process. */
const inProcess = (words: readonly string[]): Promise<Outcome> => runHere(words, sandbox.folder);
const refusedHere = async (words: readonly string[], exitCode = 1): Promise<string> =>
  refusalIn(words, await inProcess(words), exitCode);
const refusalText = (words: readonly string[], exitCode = 1): Promise<string> | string =>
  SERVERS.includes(words[0] ?? '') ? refusalOf(sandbox, words, exitCode) : refusedHere(words, exitCode);

describe('exit codes', () => {
  test('are listed in the help of every command, which has lines of at most 80 characters', async () => {
    for (const command of ['', ...offer.commands]) {
      const words = command.split(' ').filter((word) => word !== '');
      const { code, stdout } = await inProcess([...words, '--help']);
      expect([command, code]).toEqual([command, 0]);
      expect([command, stdout]).toEqual([command, expect.stringContaining('\nCódigo de saída: 0 ')]);
      expect([command, stdout.split('\n').filter((line) => line.length > 80)]).toEqual([command, []]);
    }
  });

  test('2 for every misused command, in one line that names the help', async () => {
    const before = readdirSync(sandbox.folder);
    for (const command of offer.commands) {
      const help = (await inProcess([...command.split(' '), '--help'])).stdout;
      const [usage = ''] = help.split('\n');
      const [, flag = ''] = /^ {2}(--[a-z-]+) </m.exec(help) ?? [];
      const misuses = [
        ['--nao-existe'],
        ...(/<|--\S+ </.test(usage) || /exige|obrigat/.test(usage) ? [[]] : []),
        ...(flag === '' ? [] : [[flag], [flag, '--nao-existe'], [flag, '']]),
      ];
      for (const words of misuses) {
        const line = [...command.split(' '), ...words];
        expect([line, await refusedHere(line, 2)]).toEqual([
          line,
          expect.stringMatching(
            words.length === 0 || words[0] === '--nao-existe'
              ? /^catp: (não existe|falta) .* Veja catp [a-z ]+ --help\.\n$/
              : /^catp: falta o valor da opção '.*'\. Veja catp [a-z ]+ --help\.\n$/,
          ),
        ]);
      }
    }
    expect(readdirSync(sandbox.folder)).toEqual(before);
  });

  test('the executable ends with the code and the output of the same command line in this process', async () => {
    for (const command of offer.commands.filter((candidate) => !candidate.includes(' ')))
      for (const words of [
        [command, '--help'],
        [command, '--nao-existe'],
      ])
        expect([words, sandbox.run(words)]).toEqual([words, await inProcess(words)]);
  });

  test('2 for an unusable argument or file; 1 for an unknown record', async () => {
    writeFileSync(join(sandbox.folder, 'torto.toml'), 'isto não é TOML');
    for (const [line, code, reason] of [
      ['user list --data dados --set porta=x', 2, "porta: recebido 'x'"],
      ['user list --data dados --set nada=1', 2, "não existe a configuração 'nada'. Todas estão em /ajuda"],
      ['user list --data dados --config torto.toml', 2, 'não é TOML'],
      ['user list --data dados --config falta.toml', 2, 'não existe, ENOENT'],
      ['serve --data dados --host 999.1.1.1', 2, "host: recebido '999.1.1.1'; aceita um endereço"],
      ['serve --data dados --host ::zz', 2, "host: recebido '::zz'"],
      ['serve --data dados --port 99999', 2, 'porta: '],
      ['serve --data dados --tls-port 0 --tls-cert falta.pem --tls-key falta.pem', 2, 'tls.certificado'],
      ['serve --data dados --tls-port 0', 2, 'tls.certificado: falta o arquivo'],
      ['serve --data dados --tls-client-ca falta.pem', 1, 'tls.clientes'],
      ['serve --data dados --set tls.revogados=falta.crl', 2, 'tls.revogados'],
      ['serve --data dados --set proxy.segredo=falta', 2, 'proxy.segredo'],
      ['serve --data dados --map x', 2, 'entrega.mapa'],
      ['init --data outra-pasta --token-key falta', 2, '--token-key: falta não pode ser lido'],
      ['init --data outra-pasta --token-key torto.toml', 2, 'não tem uma chave de tokens'],
      ['init --data outra-pasta --empresa 1 --nome X', 2, 'cpfCnpjRaiz: recebido "1"'],
      ['user add 123 --nome X --data dados', 2, 'documento: recebido "123"'],
      ['company add 1 --nome X --data dados', 2, 'cpfCnpjRaiz: recebido "1"'],
      ['representation add 1 2 --data dados', 2, 'documento: recebido "1"'],
      [`representation add ${PERSON} ${COMPANY} --data dados`, 1, 'não existe'],
      ['key add 1 --data dados', 1, 'não existe usuário'],
      ['export produto --empresa 123 --data dados', 2, '--empresa: recebido "123"; aceita a raiz do CNPJ'],
      ['export produto --empresa 99999999 --data dados', 1, 'a empresa "99999999" não está nesta pasta'],
      ['attributes load falta.json --data dados', 2, 'falta.json não pode ser lido'],
      ['attributes diff 9 --on ontem --data dados', 2, 'on: recebido "ontem"'],
      ['attributes diff 9 --data dados', 1, 'Não existe tabela'],
      ['event publish x --para CNPJ:1 --conteudo 1 --data dados', 2, 'destinatarioId: recebido "1"'],
      ['event publish x --para CNPJ:12345678 --conteudo { --data dados', 2, 'não é JSON'],
      ['event publish x --para CNPJ:12345678 --arquivo falta --data dados', 2, 'falta não pode ser lido'],
      ['openapi --perfil nenhum', 2, "perfil: recebido 'nenhum'"],
      ['receiver --host 999.1.1.1', 2, '--host: recebido "999.1.1.1"'],
      ['restore falta.zip --check', 1, 'falta.zip não pôde ser restaurado'],
    ] as const)
      expect([line, await refusalText(line.split(' '), code)]).toEqual([
        line,
        expect.stringContaining(reason),
      ]);
  });

  test('the earlier names of flags are accepted, and not listed', () => {
    outputOf(run(`company add 11222333 --nome X --data dados`));
    expect(outputOf(run('export produto --raiz 11222333 --saida antigo.zip --data dados'))).toBe(
      'antigo.zip\n',
    );
    expect(outputOf(run('export produto --raiz=11222333 --saida=outro.zip --data dados'))).toBe(
      'outro.zip\n',
    );
    expect(outputOf(run('openapi --out antigo.json'))).toBe('');
    expect(run('export --help').stdout).not.toMatch(/--raiz|--saida/);
    expect(refusalOf(sandbox, ['doctor', '--saida', 'x', ...DATA], 2)).toContain("'--saida'");
    outputOf(run('company remove 11222333 --data dados'));
  });

  /** Command lines that need more than `--data nenhuma`, or that are refused for another reason. */
  const REFUSED: Readonly<Record<string, string>> = {
    init: 'init --data dados',
    dev: 'dev --port 0 --data dados',
    serve: 'serve --port 0 --data nenhuma',
    import: 'import produto falta.json --data nenhuma',
    export: `export produto --empresa ${COMPANY} --data nenhuma`,
    'remote add': `remote add x --empresa ${COMPANY} --data nenhuma`,
    'remote compare': `remote compare x --empresa ${COMPANY} --produtos p --operadores o --vinculos v --data nenhuma`,
    'remote files': `remote files x --empresa ${COMPANY} --to y --data nenhuma`,
    'remote send': `remote send x --empresa ${COMPANY} --data nenhuma`,
    'remote fetch': `remote fetch x --empresa ${COMPANY} --data nenhuma`,
    'remote runs': `remote runs --empresa ${COMPANY} --data nenhuma`,
    'user add': `user add ${PERSON} --nome X --data nenhuma`,
    'company add': `company add ${COMPANY} --nome X --data nenhuma`,
    'company set': 'company set 99999999 --nome X --data dados',
    'company remove': 'company remove 99999999 --data dados',
    'user remove': `user remove ${PERSON} --data dados`,
    'key revoke': 'key revoke nada --data dados',
    'representation remove': `representation remove ${PERSON} ${COMPANY} --data dados`,
    'event publish': `event publish x --para CNPJ:${COMPANY} --conteudo 1 --data nenhuma`,
    'event types': 'event types --evento nada',
    'job run': 'job run nada --data dados',
    openapi: 'openapi --to falta/catp.json',
    restore: 'restore falta.zip --check',
    seed: 'seed --data dados',
    receiver: 'receiver --dir no-caminho/ca',
    'receiver init': 'receiver init --dir no-caminho',
  };

  test('1 for every refused command, with one reason on standard error', async () => {
    writeFileSync(join(sandbox.folder, 'no-caminho'), '');
    const expected = offer.commands.filter(
      (command) => command in REFUSED || offer.flags.includes(`${command} --data`),
    );
    expect(expected.length).toBeGreaterThan(25);
    for (const command of expected) {
      const places =
        (await inProcess([...command.split(' '), '--help'])).stdout.match(/^Uso:.*$/m)?.[0] ?? '';
      const values = [...places.matchAll(/<[^>]+>/g)].map(() => 'x');
      const line = REFUSED[command] ?? [command, ...values, '--data nenhuma'].join(' ');
      expect([line, await refusalText(line.split(' '))]).toEqual([line, expect.any(String)]);
    }
  });
});

describe('a list', () => {
  test.each([
    ['user list --json', 'user list', ['CPF ou CNPJ', 'Nome', 'Tipo', 'Órgão', 'Administrador']],
    ['company list --json', 'company list', ['CPF/CNPJ raiz', 'Nome', 'CNPJ']],
    ['representation list --json', 'representation list', ['Usuário', 'CPF/CNPJ raiz', 'Perfil']],
    ['key list --json', 'key list', ['Client-Id', 'Usuário', 'Criada em', 'Vence em', 'Último uso']],
    ['event list --json', 'event list', ['Id', 'Evento', 'Destinatário', 'Publicado em', 'Entregas']],
    ['remote list --json', 'remote list', ['Nome', 'Empresas', 'Regras']],
    ['job list --json', 'job list', ['Nome', 'Horário (cron)', 'O que faz']],
    ['attributes list --json', 'attributes list', ['Versão', 'NCMs', 'Atributos', 'Em vigor']],
  ])(
    '%s: empty at first, then JSON with the names of the API; without it headings in Portuguese',
    async (asJson, asTable, headings) => {
      const data = asTable.split(' ')[0] ?? '';
      sandbox.init(data);
      const isJob = asTable === 'job list';
      if (!isJob) {
        expect(JSON.parse(outputOf(run(`${asJson} --data ${data}`)))).toEqual([]);
        expect(outputOf(run(`${asTable} --data ${data}`))).toBe('Nenhum registro.\n');
      }
      outputOf(run(`company add ${COMPANY} --nome X --data ${data}`));
      outputOf(run(`user add ${PERSON} --nome Maria --administrador --data ${data}`));
      outputOf(run(`representation add ${PERSON} ${COMPANY} --data ${data}`));
      outputOf(run(`remote add portal --empresa ${COMPANY} --data ${data}`));
      const key = outputOf(run(`key add ${PERSON} --data ${data}`));
      outputOf(run(`event publish duex-historico --para CNPJ:${COMPANY} --exemplo --data ${data}`));
      writeFileSync(
        join(sandbox.folder, 'tabela.json'),
        '{"versao":"1","listaNcm":[],"detalhesAtributos":[]}',
      );
      outputOf(run(`attributes load tabela.json --data ${data}`));
      const [heads = '', ...rows] = outputOf(run(`${asTable} --data ${data}`)).split('\n');
      for (const heading of headings) expect(heads).toContain(heading);
      expect(rows.length).toBeGreaterThan(1);
      const records = JSON.parse(outputOf(run(`${asJson} --data ${data}`))) as unknown[];
      expect(records).toHaveLength(rows.length - 1);
      if (isJob) return expect(Object.keys(records[0] as object)).toEqual(['name', 'pattern', 'about']);
      const catp = await sandbox.start('serve', '--port', '0', '--data', data);
      const [, id = '', secret = ''] = /Client-Id: (\S+)\nClient-Secret: (\S+)/.exec(key) ?? [];
      const paths: Record<string, string> = {
        user: 'users',
        company: 'companies',
        representation: 'representations',
        key: 'keys',
        event: 'events',
        attributes: 'attribute-tables',
        remote: 'remotes',
      };
      const tokens = await tokensOf(catp.url, id, secret);
      const answer = await ask(catp.url, `/appliance/api/${paths[data]}`, tokens);
      // The list is read again, because the sign-in has changed the last use of the key.
      expect(JSON.parse(outputOf(run(`${asJson} --data ${data}`)))).toEqual(
        (await answer.json()) as unknown[],
      );
      expect(await catp.stop()).toBe(0);
    },
  );

  test('prints the known events, and one of them, as JSON', () => {
    const all = JSON.parse(outputOf(run('event types --json'))) as { evento: string }[];
    expect(all.map(({ evento }) => evento)).toContain('duex-historico');
    const details: unknown = JSON.parse(outputOf(run('event types --evento duex-historico --json')));
    expect(details).toEqual(all.find(({ evento }) => evento === 'duex-historico'));
    expect(outputOf(run('event types')).split('\n')[0]).toMatch(/^Evento +Título +Automático$/);
  });
});

describe('catp company', () => {
  test('set changes the given members and keeps the others; a CNPJ of another root and an empty change are refused', () => {
    outputOf(run(`company add 87654321 --nome Antes --cnpj 87654321000198 --data dados`));
    outputOf(run('company set 87654321 --nome Depois --data dados'));
    const company = (): unknown =>
      (JSON.parse(outputOf(run('company list --json --data dados'))) as { cpfCnpjRaiz: string }[]).find(
        ({ cpfCnpjRaiz }) => cpfCnpjRaiz === '87654321',
      );
    expect(company()).toEqual({ cpfCnpjRaiz: '87654321', nome: 'Depois', cnpj: '87654321000198' });
    expect(
      refusalOf(sandbox, 'company set 87654321 --cnpj 12345678000195 --data dados'.split(' ')),
    ).toContain('deve começar pela raiz 87654321');
    expect(refusalOf(sandbox, 'company set 87654321 --data dados'.split(' '), 2)).toContain('--nome, --cnpj');
  });

  test('remove names the references that block it, and removes a company without references', () => {
    const words = ['company', 'remove', COMPANY, '--data', 'loja'];
    sandbox.init('loja');
    outputOf(run(`company add ${COMPANY} --nome X --data loja`));
    outputOf(run(`user add ${PERSON} --nome Maria --data loja`));
    outputOf(run(`representation add ${PERSON} ${COMPANY} --data loja`));
    expect(refusalOf(sandbox, words)).toContain(`${COMPANY} é representada por ${PERSON}`);
    const ITEM = {
      cpfCnpjRaiz: COMPANY,
      denominacao: 'A',
      modalidade: 'IMPORTACAO',
      ncm: '39269090',
      seq: 1,
    };
    writeFileSync(join(sandbox.folder, 'um.json'), JSON.stringify([ITEM]));
    expect(run('import produto um.json --data loja').code).toBe(0);
    const message = refusalOf(sandbox, words);
    expect(message).toContain(`${COMPANY} tem 1 produto;`);
    expect(message).toContain('é representada');
    outputOf(run(`company add 11222333 --nome Y --data loja`));
    outputOf(run('company remove 11222333 --data loja'));
    expect(outputOf(run('company list --data loja'))).not.toContain('11222333');
  });
});

describe('the next step', () => {
  test('is printed on standard error after init, company add and user add: a pipe gets only the answer', () => {
    for (const [line, step, answer] of [
      ['init --data nova', 'catp serve --data nova', /^Instância criada em \S+: .*\.\n$/],
      [`company add ${COMPANY} --nome X --data nova`, 'catp user add', /^Empresa 12345678 gravada\.\n$/],
      [
        `user add ${PERSON} --nome X --data nova`,
        `catp key add ${PERSON} --data nova`,
        /^Usuário \d+ gravado\.\n$/,
      ],
    ] as const) {
      const { code, stdout, stderr } = run(line);
      expect([code, stdout]).toEqual([0, expect.stringMatching(answer)]);
      expect(stderr).toMatch(/Próximos? passos?:/);
      expect(stderr).toContain(step);
    }
    // An administrator represents no company.
    expect(run('user add 00000000272 --nome X --administrador --data nova').stderr).not.toContain(
      'representation add',
    );
  });
});

describe('wrong check digits', () => {
  test('are reported where such numbers are accepted, and correct ones are not reported', () => {
    for (const line of [
      'user add 12345678900 --nome X --data dados',
      'company add 12345678 --nome X --cnpj 12345678000100 --data dados',
      'company set 12345678 --cnpj 12345678000199 --data dados',
      'company add 12345678901 --nome X --data dados',
      'init --data torta --perfil especificacao --admin 12345678900 --admin-nome X',
    ]) {
      const { code, stderr } = run(line);
      expect([line, code]).toEqual([line, 0]);
      expect(stderr).toContain('catp: aviso: os dígitos verificadores não conferem');
    }
    expect(run('company set 12345678 --cnpj 12345678000195 --data dados').stderr).not.toContain('dígitos');
  });

  test('are refused in the profile portal, and nothing is stored', () => {
    for (const line of [
      'user add 12345678911 --nome X --data dados --set perfil=portal',
      'company add 33333333 --nome X --cnpj 33333333000100 --data dados --set perfil=portal',
      'init --data outra --admin 12345678900 --admin-nome X --set perfil=portal',
    ])
      expect(refusalOf(sandbox, line.split(' '))).toContain('Os dígitos verificadores não conferem');
    expect(outputOf(run('user list --data dados'))).not.toContain('12345678911');
    expect(outputOf(run('company list --data dados'))).not.toContain('33333333');
  });
});

test('a setting with two swapped letters gets a hint', () => {
  expect(refusalOf(sandbox, ['user', 'list', ...DATA, '--set', 'prota=8'], 2)).toContain(
    "Você quis dizer 'porta'?",
  );
});

test('a file that is no table of attributes is refused with its recognised kind and the expected one', () => {
  const sheet = zipSync({ '[Content_Types].xml': new Uint8Array(), 'xl/workbook.xml': new Uint8Array() });
  for (const [name, content, kind] of [
    ['certificado.pem', '-----BEGIN CERTIFICATE-----\n', 'um certificado ou uma chave em PEM'],
    ['tabela.xlsx', sheet, 'uma planilha ou um documento do Office'],
    ['tabela.pdf', '%PDF-1.7\n', 'um PDF'],
    ['pagina.html', '<!doctype html>', 'uma página HTML'],
  ] as const) {
    writeFileSync(join(sandbox.folder, name), content);
    const { code, stderr } = sandbox.run(['attributes', 'load', name, ...DATA]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`o arquivo parece ${kind}`)]);
    expect(stderr).toContain('é esperada a tabela pública de atributos por NCM em JSON');
  }
});

test('serve accepts the flags of dev that correspond to settings', async () => {
  const catp = await sandbox.start(
    ...['serve', '--port', '0', '--perfil', 'portal', '--ambiente', 'producao', '--retry', 'none'],
    ...['--map', 'erp.exemplo:443=127.0.0.1:9', ...DATA],
  );
  expect(await (await fetch(`${catp.url}/readyz`)).json()).toMatchObject({ ambiente: 'producao' });
  expect(await catp.stop()).toBe(0);
  const refusalText = (...flags: readonly string[]): string =>
    refusalOf(sandbox, ['serve', '--port', '0', ...DATA, ...flags], 2);
  expect(refusalText('--perfil', 'nenhum')).toContain('perfil: ');
  expect(refusalText('--ca', 'falta.pem')).toContain('entrega.ca: ');
});

test('the sentence of a log line has no quotes around inserted values', () => {
  const { stderr } = run(`user add ${PERSON} --nome X --data dados`);
  const [line = ''] = stderr.split('\n').filter((text) => text.startsWith('{'));
  expect((JSON.parse(line) as { message: string }).message).toMatch(
    /^(include|change) usuario \*\*\*\.000\.001-\*\* linha de comando$/,
  );
});
