/**
 * The brakes on the command line (contract sections 8, 24 and 25): the number is printed, and must be
 * confirmed.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFile } from '../catalogue/attribute/support.ts';
import { csv } from '../catalogue/sheet/support.ts';
import { outputOf } from './outcome.ts';
import { type Sandbox, openSandbox } from './support.ts';

const COMPANY = '12345678';
const DATA = ['--data', 'dados'] as const;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
  outputOf(
    sandbox.run([
      ...['init', ...DATA, '--empresa', COMPANY, '--nome', 'Exemplo', '--cnpj', '12345678000195'],
    ]),
  );
});
afterAll(() => sandbox.close());

const write = (name: string, content: string): string => {
  writeFileSync(join(sandbox.folder, name), content);
  return name;
};
const sheet = (name: string, rows: readonly (readonly string[])[]): string => write(name, csv(rows));
const elevenRows = (rowOf: (n: number) => string[]): string[][] =>
  Array.from({ length: 11 }, (_, index) => rowOf(index + 1));
const importing = (file: string, ...flags: string[]) =>
  ['import', 'produto', file, '--raiz', COMPANY, ...DATA, ...flags] as const;

test('catp import and catp attributes activate print the number and end with 1 until --expected confirms it', () => {
  const products = sheet('produtos.csv', [
    ['Denominação', 'NCM', 'Modalidade'],
    ...elevenRows((n) => [`Parafuso ${n}`, '73181500', 'Importação']),
  ]);
  outputOf(sandbox.run([...importing(products)]));
  const others = sheet('outros.csv', [
    ['Código', 'Denominação', 'NCM'],
    ...elevenRows((n) => [String(n), `Válvula ${n}`, '84818095']),
  ]);
  const { code, stderr: reason } = sandbox.run([...importing(others)]);
  expect(code).toBe(1);
  expect(reason).toContain('--expected: 11 de 11 linhas que encontram um produto pela coluna Código');
  expect(reason).toContain('acrescente --expected 11');
  const expected = ['import', 'produto', others, '--raiz', COMPANY, ...DATA, '--expected', '11'];
  expect(outputOf(sandbox.run(expected))).toBeDefined();

  const table = tableFile('1', { '7318.15.00': [] });
  outputOf(sandbox.run(['attributes', 'load', write('tabela.json', JSON.stringify(table)), ...DATA]));
  const activate = ['attributes', 'activate', '1', ...DATA];
  const unconfirmedRun = sandbox.run(activate);
  expect(unconfirmedRun.code).toBe(1);
  expect(unconfirmedRun.stdout).toContain('Produtos ativos que deixariam de ser válidos: 11');
  expect(unconfirmedRun.stderr).toContain(
    '--expected: 11 produtos seriam desativados, mais que 10; se são esses mesmos, acrescente --expected 11.',
  );
  expect(sandbox.run([...activate, '--expected', '10']).code).toBe(1);
  expect(outputOf(sandbox.run(['attributes', 'activate', '1', ...DATA, '--expected', '11']))).toContain(
    'Produtos desativados: 11',
  );
});
