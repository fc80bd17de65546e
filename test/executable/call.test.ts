/** `catp call`: any operation of the document by its name (contract section 16). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { RunningCatp } from '../support/executable.ts';
import { type Sandbox, type Finished, openSandbox } from './support.ts';

const COMPANY = '12345678';
const DATA = ['--data', 'dados'] as const;
const COMMAND_LINE = 'linha de comando';
const PRODUCT = { descricao: 'Parafuso', denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };

let sandbox: Sandbox;
let catp: RunningCatp;
beforeAll(async () => {
  sandbox = await openSandbox();
  sandbox.init('dados');
  sandbox.run(['company', 'add', COMPANY, '--nome', 'Parafusos S.A.', ...DATA]);
  catp = await sandbox.start('serve', '--port', '0', ...DATA);
});
afterAll(() => sandbox.close());

const call = (...words: readonly string[]): Finished => sandbox.run(['call', ...words, ...DATA]);

/** Runs a call that succeeds. Returns its JSON. */
function callJson(...words: readonly string[]): unknown {
  const { code, stdout, stderr } = call(...words);
  expect([words, code, stderr]).toEqual([words, 0, expect.not.stringContaining('catp:')]);
  return JSON.parse(stdout);
}

/** Runs a call under a terminal. Its output also contains the lines for people. */
function onTerminal(...words: readonly string[]): Pick<Finished, 'code' | 'stdout'> {
  const line = [sandbox.executable, 'call', ...words, ...DATA].join(' ');
  const { exitCode, stdout } = Bun.spawnSync(['script', '-qec', line, '/dev/null'], {
    cwd: sandbox.folder,
    env: {},
    stdin: 'ignore',
  });
  return { code: exitCode, stdout: stdout.toString() };
}

const write = (name: string, content: string): void => writeFileSync(join(sandbox.folder, name), content);

describe('the list of operations', () => {
  test('lists all operations except those of a signed-in user', () => {
    const operations = callJson() as { id: string; method: string; path: string; summary: string }[];
    const ids = new Set(operations.map(({ id }) => id));
    for (const id of ['listProducts', 'includeProduct', 'startImport', 'loadAttributeTable', 'listAudit'])
      expect(ids).toContain(id);
    for (const id of ['authenticate', 'getSession', 'renewSession', 'subscribe', 'listSubscriptions'])
      expect(ids).not.toContain(id);
    for (const id of ['testSubscription', 'listFailures']) expect(ids).not.toContain(id);
  });

  test('explains an operation with its members and its body', () => {
    const { code, stdout } = call('includeProduct', '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('Uso: catp call includeProduct cpfCnpjRaiz=… denominacao=…');
    expect(stdout).toMatch(/^ncm +corpo +sim +um texto: 8 dígitos$/m);
    expect(stdout).toContain('@ARQUIVO (application/json)');
    expect(call('startImport', '--help').stdout).toMatch(/^file +corpo +sim +um arquivo: file=@ARQUIVO$/m);
    expect(call('--help').stdout).toContain('Uso: catp call [opções] [operacao] [membros...]');
  });

  test.each([
    [['listProduct'], 'não existe a operação "listProduct". Você quis dizer listProducts?'],
    [['include'], 'não existe a operação "include". Veja catp call.'],
    [['authenticate'], 'a operação authenticate é de quem entra com uma chave'],
    [['subscribe'], 'a operação subscribe é de quem entra com uma chave'],
  ])('%p is refused', (words, message) => {
    const { code, stderr } = call(...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('parameters and members of a call', () => {
  test('include a product with members, with a file and from the standard input, each audited', () => {
    const members = Object.entries({ ...PRODUCT, denominacao: 'Um' }).map(
      ([name, value]) => `${name}=${value}`,
    );
    const codes = ['codigosInterno=A-1', 'codigosInterno=A-2'];
    expect(callJson('includeProduct', `cpfCnpjRaiz=${COMPANY}`, ...members, ...codes)).toMatchObject({
      codigo: 1,
      codigosInterno: ['A-1', 'A-2'],
    });
    write('produto.json', JSON.stringify({ ...PRODUCT, denominacao: 'Dois' }));
    expect(callJson('includeProduct', `cpfCnpjRaiz=${COMPANY}`, '@produto.json')).toMatchObject({
      codigo: 2,
    });
    const piped = Bun.spawnSync(
      [sandbox.executable, 'call', 'includeProduct', `cpfCnpjRaiz=${COMPANY}`, '@-', ...DATA],
      {
        cwd: sandbox.folder,
        env: {},
        stdin: Buffer.from(JSON.stringify({ ...PRODUCT, denominacao: 'Três' })),
      },
    );
    expect([piped.exitCode, JSON.parse(piped.stdout.toString())]).toEqual([
      0,
      expect.objectContaining({ codigo: 3 }),
    ]);
    const { items } = callJson('listAudit', 'limit=3') as { items: unknown[] };
    expect(items).toEqual(
      [3, 2, 1].map((codigo): unknown =>
        expect.objectContaining({
          actor: COMMAND_LINE,
          key: null,
          channel: 'cli',
          subject: `produto ${COMPANY}/${codigo}`,
        }),
      ),
    );
    const versions = callJson('listProductVersions', `cpfCnpjRaiz=${COMPANY}`, 'codigo=1');
    expect(JSON.stringify(versions)).toContain(`"madeBy":"${COMMAND_LINE}"`);
  });

  test('read a member from a file, and booleans and any JSON by their schema', () => {
    write('nome.txt', 'Maria\n');
    expect(
      callJson('putUser', 'documento=52998224725', 'nome=@nome.txt', 'tipo=PRIV', 'administrador=true'),
    ).toEqual({
      documento: '52998224725',
      nome: 'Maria',
      email: null,
      tipo: 'PRIV',
      orgao: null,
      administrador: true,
    });
    const event = ['evento=duex-historico', 'destinatarioTipo=CNPJ', `destinatarioId=${COMPANY}`];
    expect(call('publishEvent', ...event, 'conteudo={"valor":1.50}').stderr).not.toContain('conteudo');
  });

  test('an answer without content is printed as an empty list', () => {
    expect(callJson('putUser', 'documento=11144477735', 'nome=José', 'tipo=PRIV')).toMatchObject({
      nome: 'José',
    });
    expect(call('removeUser', 'documento=11144477735')).toMatchObject({ code: 0, stdout: '[]\n' });
    const emptyList = callJson('listProducts', `cpfCnpjRaiz=${COMPANY}`, 'ncm=99999999');
    expect(emptyList).toEqual([]);
  });

  test.each([
    [['getProductVersion', `cpfCnpjRaiz=${COMPANY}`], 2, 'falta codigo=…'],
    [['listProducts', 'cnpj=1'], 2, 'recebido "cnpj"; listProducts aceita cpfCnpjRaiz, codigo'],
    [['includeProduct', `cpfCnpjRaiz=${COMPANY}`, 'denominacoa=x'], 2, 'Você quis dizer denominacao?'],
    [['listProducts', 'codigo'], 2, 'recebido "codigo"; aceita codigo=valor ou codigo=@ARQUIVO'],
    [['listProducts', 'cpfCnpjRaiz=1'], 2, 'cpfCnpjRaiz: recebido "1"'],
    [['includeProduct', `cpfCnpjRaiz=${COMPANY}`, 'ncm=1'], 2, 'ncm: recebido "1"; aceita 8 dígitos'],
    [['putUser', 'documento=52998224725', 'administrador=talvez'], 2, 'aceita true ou false'],
    [['putUser', 'documento=52998224725', 'documento=1'], 2, 'documento recebido 2 vezes'],
    [['listUsers', '@produto.json'], 2, 'listUsers não tem corpo'],
    [['putUser', 'nome=x', '@produto.json'], 2, 'o arquivo é o corpo inteiro'],
    [['putUser', '@a.json', '@b.json'], 2, 'o corpo já vem de @a.json'],
    [['putUser', '@falta.json'], 2, '@falta.json não pode ser lido'],
    [['putUser', 'documento=@falta.txt'], 2, '@falta.txt não pode ser lido'],
    [['putUser', '@'], 2, 'aceita @ARQUIVO, ou @- para a entrada padrão'],
    [['loadAttributeTable'], 2, 'falta @ARQUIVO, o corpo de loadAttributeTable'],
    [['startImport', 'file=x', 'tipo=produto'], 2, 'aceita um arquivo: file=@ARQUIVO'],
    [['removeUser', 'documento=00000000191'], 1, 'Não existe usuário'],
    [['getProductVersion', `cpfCnpjRaiz=${COMPANY}`, 'codigo=99', 'versao=1'], 1, '99'],
    [['includeProduct', 'cpfCnpjRaiz=87654321', '@produto.json'], 1, '87654321'],
  ])('%p ends with %p', (words, code, message) => {
    write('produto.json', JSON.stringify(PRODUCT));
    const finished = call(...words);
    expect([finished.code, finished.stdout, finished.stderr]).toEqual([
      code,
      '',
      expect.stringContaining(message),
    ]);
    expect(finished.stderr).not.toContain('erro inesperado');
  });
});

describe('files', () => {
  test('bytes are written to --to, and to a pipe', () => {
    const words = ['exportProducts', `cpfCnpjRaiz=${COMPANY}`, 'exibirDesativados=true'];
    expect(call(...words, '--to', 'produtos.zip')).toEqual({ code: 0, stdout: 'produtos.zip\n', stderr: '' });
    expect(Object.keys(unzipSync(readFileSync(join(sandbox.folder, 'produtos.zip'))))).toHaveLength(1);
    const piped = Bun.spawnSync([sandbox.executable, 'call', ...words, ...DATA], {
      cwd: sandbox.folder,
      env: {},
    });
    expect(Object.keys(unzipSync(piped.stdout))).toHaveLength(1);
    expect(call(...words, '--to', 'falta/produtos.zip')).toMatchObject({ code: 1, stdout: '' });
  });

  test('the server runs an import that a command queues', async () => {
    write(
      'itens.json',
      JSON.stringify([{ ...PRODUCT, denominacao: 'Importado', seq: 1, cpfCnpjRaiz: COMPANY }]),
    );
    const { code, stdout, stderr } = call('startImport', 'tipo=produto', 'file=@itens.json');
    expect([code, stderr]).toEqual([0, expect.stringContaining('o trabalho está na fila')]);
    const { id } = JSON.parse(stdout) as { id: number };
    const deadline = Date.now() + 20_000;
    let progress = { state: '', counts: {} };
    while (progress.state !== 'done' && Date.now() < deadline) {
      progress = callJson('getImport', `id=${id}`) as typeof progress;
      await Bun.sleep(100);
    }
    expect(progress).toMatchObject({ state: 'done', created: 1, failed: 0 });
  });

  test('a body that the operation itself reads is refused with the message of the operation', () => {
    write('tabela.json', '{"versao": "1"');
    const { code, stderr } = call('loadAttributeTable', '@tabela.json');
    expect([code, stderr]).toEqual([1, expect.stringContaining('JSON inválido no byte 14')]);
  });
});

test('the settings of the command line apply, and --to writes JSON', () => {
  const { code } = sandbox.run([
    ...['call', 'listSettings', '--json', '--to', 'configuracoes.json', '--config', 'dados/catp.toml'],
    ...['--set', 'backup.manter=9', ...DATA],
  ]);
  const settings = JSON.parse(readFileSync(join(sandbox.folder, 'configuracoes.json'), 'utf8')) as object[];
  expect([code, settings]).toEqual([
    0,
    expect.arrayContaining([expect.objectContaining({ name: 'backup.manter', value: '9' })]),
  ]);
});

describe('the output on a terminal', () => {
  test('prints a list as a table, with --json as JSON, and requires --to for bytes', () => {
    const table = onTerminal('listCompanies');
    expect([table.code, table.stdout.split(/\s+/).slice(0, 3)]).toEqual([0, ['cpfCnpjRaiz', 'nome', 'cnpj']]);
    expect(onTerminal('listCompanies', '--json').stdout).toStartWith('[{"cpfCnpjRaiz"');
    const bytes = onTerminal('exportProducts', `cpfCnpjRaiz=${COMPANY}`, 'exibirDesativados=true');
    expect([bytes.code, bytes.stdout]).toEqual([2, expect.stringContaining('não é para um terminal')]);
  });
});

test('prints the same answers without a server, and queues work for the next server', async () => {
  expect(await catp.stop()).toBe(0);
  expect(callJson('listCompanies')).toHaveLength(1);
  const { code, stderr } = call('startImport', 'tipo=produto', 'file=@itens.json');
  expect([code, stderr]).toEqual([0, expect.stringContaining('na fila')]);
  const [lastImport] = callJson('listImports', 'limit=1') as { state: string }[];
  expect(lastImport?.state).toBe('queued');
  expect(sandbox.run(['call', 'listUsers', '--data', 'falta']).code).toBe(1);
});
