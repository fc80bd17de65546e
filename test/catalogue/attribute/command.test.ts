/** `catp attributes` on the data folder of a running server. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Ended, toEnd } from '../../../scripts/proof/to-end.ts';
import { SystemClock, TestClock } from '../../../src/clock.ts';
import { type TestApp, openApp } from '../../support/app.ts';
import { runHere } from '../../support/command-line.ts';
import { COMPANY, OTHER_COMPANY, include, product, tableFile } from './support.ts';

const ROOT = join(import.meta.dir, '../../..');
const SECOND = join(ROOT, 'src/demo/attribute-table-2.json');

let server: TestApp;

beforeEach(async () => {
  // A command uses the clock of the machine.
  server = await openApp({ demo: true, clock: new TestClock(new SystemClock().now()) });
});

afterEach(() => server.close());

/** Runs the command line in this process. */
async function run(...args: string[]): Promise<Ended> {
  const { code, stdout, stderr } = await runHere(['attributes', ...args, '--data', server.folder]);
  return { code, out: stdout, err: stderr };
}

/** Runs the command in another process, which writes while the server has the folder open. */
const spawn = (...args: string[]): Promise<Ended> =>
  toEnd([process.execPath, join(ROOT, 'src/main.ts'), 'attributes', ...args, '--data', server.folder], {
    env: { TZ: 'UTC' },
  });

test('a broken file is refused with every fault, a missing one with its name', async () => {
  const path = join(server.folder, 'tabela.json');
  await Bun.write(path, '{"versao":"","listaNcm":[]}');
  const { code, err } = await spawn('load', path);
  expect(code).toBe(1);
  expect(err).toContain('detalhesAtributos');
  expect(err).toContain('/versao');
  const missing = await run('load', join(server.folder, 'nada.json'));
  expect(missing).toMatchObject({
    code: 2,
    err: expect.stringContaining('nada.json não pode ser lido (não existe, ENOENT)'),
  });
});

test.each([
  [['activate', '9'], 'versão "9"', 1],
  [['activate', '1', '--on', '2020-01-01'], 'em diante', 1],
  [['activate', '1', '--on', 'amanhã'], 'yyyy-MM-dd', 2],
  [['deadlines', '--until', 'amanhã'], 'yyyy-MM-dd', 2],
  [['deadlines', '--empresa', '99999999'], 'não está nesta pasta', 1],
  [['deadlines', '--empresa', '9'], 'aceita a raiz do CNPJ', 2],
  [['diff', '9'], 'versão "9"', 1],
  [['new', '1', '99999999'], 'não está na tabela 1', 1],
  [['new', '1', '12'], '8 dígitos', 2],
  [['new', '1', '09012100', '--modalidade', 'TUDO'], 'aceita IMPORTACAO', 2],
] as const)('%j is refused', async (args, reason, exitCode) => {
  const { code, err } = await run(...args);
  expect(code).toBe(exitCode);
  expect(err).toContain(reason);
});

test('a table is loaded, compared and put in force, and the server checks products by it', async () => {
  const { out: loaded } = await spawn('load', SECOND);
  expect(loaded).toContain('Tabela 2 carregada: 9 NCMs, 15 atributos.');
  expect(loaded).toContain('NCMs incluídas (1): 95030010');
  expect(loaded).toContain('Produtos ativos que deixariam de ser válidos: 2');
  expect(loaded).toContain('Colocar em vigor: catp attributes activate 2');
  const { out: output } = await run('diff', '2');
  expect(output).toContain('De versão 1 para versão 2:');
  expect(output).toContain('NCMs incluídas (1): 95030010');
  expect(output).toContain('Produtos ativos que deixariam de ser válidos: 2');
  expect((await run('diff', '2', '--csv')).out.trim().split('\r\n')).toHaveLength(3);
  expect((await spawn('activate', '2')).out).toContain('Produtos desativados: 2; eventos publicados: 2.');
  expect((await server.anybody.call('GET', '/readyz')).json.attributeTable).toMatchObject({ versao: '2' });
  expect((await run('load', SECOND)).out).toEndWith('Ela já está em vigor.\n');
  const lines = (await run('list')).out.split('\n');
  expect(lines[0]).toContain('Em vigor');
  expect(lines[2]).toMatch(/^2 .* sim /);
});

test('a table is scheduled for a day', async () => {
  await run('load', SECOND);
  expect((await run('activate', '2', '--on', '2999-12-31')).out).toContain('entra em vigor em 2999-12-31');
  expect((await run('list')).out).toContain('2999-12-31');
  expect((await server.anybody.call('GET', '/readyz')).json.attributeTable).toMatchObject({ versao: '1' });
});

test('new prints a product that is complete but for the values', async () => {
  const { code, out, err } = await run('new', '1', '0901.21.00');
  expect(code).toBe(0);
  const product = JSON.parse(out);
  expect(product).toMatchObject({ ncm: '09012100', modalidade: 'IMPORTACAO' });
  expect(err).toContain('ATT_90001 Forma de apresentação: obrigatório; em atributos');
  const values: Record<string, string> = { ATT_90001: '01', ATT_90005: 'false' };
  for (const one of product.atributos) one.valor = values[one.atributo];
  const demo = await server.as('demo');
  const reply = await demo.call('POST', '/catp/api/ext/produto/12345678', {
    ...product,
    denominacao: 'Café',
  });
  expect(reply).toMatchObject({ status: 200 });
});

test('the deadlines are printed as a table, as CSV, up to a day, and for one company', async () => {
  const file = tableFile('9', { '3926.90.90': [{ codigo: 'ATT_1', obrigatorio: false, to: '2999-12-30' }] });
  const path = join(server.folder, 'prazos.json');
  await Bun.write(path, JSON.stringify(file));
  await run('load', path);
  await run('activate', '9');
  expect((await run('deadlines')).out).toBe('Nenhum registro.\n');
  await include(await server.as('demo'), product('39269090'));
  const { out } = await run('deadlines', '--until', '2999-12-31');
  expect(out).toMatch(
    /31\/12\/2999 +Anunciado, se a tabela pública confirmar +Não +39269090 .* ATT_1 .* 1 +1\n/,
  );
  const csv = (await run('deadlines', '--csv', '--empresa', COMPANY)).out.trim().split('\r\n');
  expect(csv).toHaveLength(2);
  expect(csv[0]).toStartWith('A partir de;');
  const [headings, row] = (await run('deadlines', '--csv')).out.trim().split('\r\n');
  expect(headings).toStartWith('CPF/CNPJ raiz;Empresa;A partir de;');
  expect(row).toStartWith(`${COMPANY};Exemplo Importadora S.A.;31/12/2999;`);
  expect(out).toContain('Exemplo Importadora S.A.');
  expect((await run('deadlines', '--until', '2999-12-30')).out).toBe('Nenhum registro.\n');
  expect((await run('deadlines', '--empresa', OTHER_COMPANY)).out).toBe('Nenhum registro.\n');
});
