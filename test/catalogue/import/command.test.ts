/** `catp import` on the data folder of a running server. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { toEnd } from '../../../scripts/proof/to-end.ts';
import { runHere } from '../../support/command-line.ts';
import { COMPANY, OTHER_COMPANY, type TestImports, openImports, product, products } from './support.ts';

const MAIN = join(import.meta.dir, '../../../src/main.ts');

let server: TestImports;

beforeEach(async () => {
  server = await openImports();
});

afterEach(() => server.close());

/** Runs the command line in this process. */
async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const { code, stdout, stderr } = await runHere(['import', ...args, '--data', server.folder]);
  return { code, output: stdout + stderr };
}

/** Runs a process of its own, which writes while the server holds the folder. */
async function spawn(...args: string[]): Promise<{ code: number; output: string }> {
  const command = [process.execPath, MAIN, 'import', ...args, '--data', server.folder];
  const { code, out, err } = await toEnd(command, { env: { TZ: 'UTC' } });
  return { code, output: out + err };
}

async function file(content: unknown): Promise<string> {
  const path = join(server.folder, 'arquivo.json');
  await Bun.write(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

test.each([
  ['is no JSON', '[{"seq":1},', 'JSON inválido no byte 11'],
  ['is no array', '{}', 'array'],
])('a file that %s ends with 2 and stores nothing', async (_, content, reason) => {
  const { code, output } = await spawn('produto', await file(content));
  expect(code).toBe(2);
  expect(output).toContain(reason);
  expect(output).toContain('Nada foi gravado.');
});

test('sheets of a zip are imported next to its JSON members, with their columns and the ignored parts', async () => {
  const { zipSync, strToU8 } = await import('fflate');
  const members = {
    'a.json': strToU8(JSON.stringify([product(1)])),
    'itens.csv': strToU8('Nome;NCM;Modalidade\r\nPorca;73181500;IMP\r\nSem NCM;;IMP\r\n'),
    'leia-me.txt': strToU8('x'),
  };
  const path = join(server.folder, 'misto.zip');
  await Bun.write(path, zipSync(members));
  const { code, output } = await run('produto', path, '--empresa', COMPANY);
  expect(output).toContain('itens.csv: Colunas: Nome → denominacao; NCM → ncm; Modalidade → modalidade.');
  expect(output).toContain('leia-me.txt: não é um arquivo .json nem uma planilha, não importado.');
  expect(output).toContain('itens.csv, linha 3');
  expect(code).toBe(1);
  expect(server.products()).toContain('Porca');
  expect(server.files()).toEqual([]);
});

test('a missing file ends with 2', async () => {
  const { code, output } = await run('produto', join(server.folder, 'nada.json'));
  expect(code).toBe(2);
  expect(output).toContain('não existe');
});

test('an unknown kind, mode or company is refused with the accepted ones', async () => {
  const path = await file([product(1)]);
  const kind = await run('produtos', path);
  expect(kind).toMatchObject({ code: 2 });
  expect(kind.output).toContain('aceita produto, operador, vinculo, ato-concessorio.');
  expect((await run('produto', path, '--modo', 'x')).output).toContain('espelho');
  const company = await run('produto', path, '--empresa', '99999999');
  expect(company).toMatchObject({ code: 1 });
  expect(company.output).toContain('catp company add');
  expect(server.products()).toBe('[]');
});

test('an unwritable file of errors stops before the first item', async () => {
  const { code, output } = await run(
    'produto',
    await file([product(1)]),
    '--erros',
    join(server.folder, 'nada/e.csv'),
  );
  expect(code).toBe(1);
  expect(output).toContain('--erros');
  expect(server.products()).toBe('[]');
});

test('failed items end with 1, do not affect the others and are in the file of errors', async () => {
  const errors = join(server.folder, 'erros.csv');
  const items = [product(1), product(2, { ncm: 'x' }), product(3)];
  const { code, output } = await run('produto', await file(items), '--erros', errors);
  expect(code).toBe(1);
  expect(output).toContain('item 2: ncm');
  expect(output).toContain('2 incluídos');
  expect(output).toContain('1 com erro');
  expect(output).toContain('arquivo.json, linha 1 ("Produto 2"), item 2: ncm');
  const [, row] = (await Bun.file(errors).text()).split('\r\n');
  expect(row).toStartWith('2;2;;;');
  expect(row).toEndWith(';Produto 2;arquivo.json;1;/ncm;PUCX-ER0010');
  expect(JSON.parse(server.products())).toHaveLength(2);
});

test('--empresa limits the writes to one company; without it every company is written', async () => {
  const path = await file([product(1), product(2, { cpfCnpjRaiz: OTHER_COMPANY })]);
  expect((await run('produto', path, '--empresa', COMPANY)).code).toBe(1);
  expect(server.products(OTHER_COMPANY)).toBe('[]');
  expect((await run('produto', path)).code).toBe(0);
  expect(JSON.parse(server.products(OTHER_COMPANY))).toHaveLength(1);
});

test('ignored members of items are reported: the names of the first and the number of items', async () => {
  const items = [product(1), product(2, { estoque: 1 }), product(3, { estoque: 1, peso: 2 })];
  const { code, output } = await run('produto', await file(items));
  expect(code).toBe(0);
  expect(output).toContain('linha 1: Membro desconhecido "estoque"; foi deixado de lado. (/estoque)');
  expect(output).not.toContain('peso');
  expect(output).toContain('2 itens com membros desconhecidos');
});

test('--simular stores nothing and prints so', async () => {
  const { code, output } = await run('produto', await file(products(3)), '--simular');
  expect(code).toBe(0);
  expect(output).toContain('Simulação: nada foi gravado.');
  expect(server.products()).toBe('[]');
});

test('works during writes of the server', async () => {
  const [command] = await Promise.all([
    spawn('produto', await file(products(300))),
    server.run(products(300)),
  ]);
  expect(command.code).toBe(0);
  const codes = (JSON.parse(server.products()) as { codigo: number }[]).map(({ codigo }) => codigo);
  expect(codes).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
});
