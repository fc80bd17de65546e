/** `catp export` on the data folder of a running server. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { toEnd } from '../../../scripts/proof/to-end.ts';
import { readItems } from '../../../src/files/json-members.ts';
import { runHere } from '../../support/command-line.ts';
import { COMPANY, type TestImports, openImports, product } from '../import/support.ts';

const MAIN = join(import.meta.dir, '../../../src/main.ts');

let server: TestImports;

beforeEach(async () => {
  server = await openImports();
});

afterEach(() => server.close());

/** Runs the command line in this process. */
async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const words = ['export', ...args, '--data', server.folder];
  const { code, stdout, stderr } = await runHere(words, server.folder);
  return { code, output: (stdout + stderr).trim() };
}

/** Runs a process of its own. */
async function spawn(...args: string[]): Promise<{ code: number; output: string }> {
  const command = [process.execPath, MAIN, 'export', ...args, '--data', server.folder];
  const { code, out, err } = await toEnd(command, { cwd: server.folder, env: {} });
  return { code, output: (out + err).trim() };
}

const zips = (): string[] => readdirSync(server.folder).filter((name) => /\.zip|\.parcial/.test(name));

async function codes(name: string): Promise<unknown[]> {
  const items = await Array.fromAsync(readItems(join(server.folder, name)));
  return items.map(({ value }) => (value as { codigo: unknown }).codigo);
}

test.each([
  ['without a company', ['produto'], '--empresa', 2],
  ['of an unknown company', ['produto', '--empresa', '99999999'], 'catp company add', 1],
  ['of an unknown kind', ['ato-concessorio', '--empresa', COMPANY], 'aceita produto', 2],
  ['to a missing folder', ['produto', '--empresa', COMPANY, '--to', 'nada/a.zip'], 'nada/a.zip', 1],
])('an export %s is refused and leaves no file', async (_, args, reason, exitCode) => {
  const { code, output } = await run(...args);
  expect(code).toBe(exitCode);
  expect(output).toContain(reason);
  expect(zips()).toEqual([]);
});

test('prints its name, which is the name that the service uses', async () => {
  for (const [kind, prefix] of [
    ['produto', 'CATALOGO_PRODUTOS'],
    ['operador-estrangeiro', 'OPERADORES_ESTRANGEIROS'],
    ['fabricante', 'VINCULOS_FABRICANTES'],
  ] as const) {
    const { code, output } = await run(kind, '--empresa', COMPANY);
    expect(code).toBe(0);
    expect(output).toMatch(new RegExp(`^${prefix}_${COMPANY}_\\d{14}\\.zip$`));
    expect(await codes(output)).toEqual([]);
  }
  expect(zips()).toHaveLength(3);
});

test('excludes deactivated products unless requested, and includes drafts', async () => {
  await server.run([product(1), product(2), product(3, { situacao: 'RASCUNHO' })]);
  await server.run([product(1, { codigo: 1, situacao: 'DESATIVADO' })]);
  await run('produto', '--empresa', COMPANY, '--to', 'a.zip');
  expect(await codes('a.zip')).toEqual([2, 3]);
  await run('produto', '--empresa', COMPANY, '--to', 'a.zip', '--desativados');
  expect(await codes('a.zip')).toEqual([1, 2, 3]);
});

test('imports unchanged', async () => {
  await server.run([product(1), product(2, { codigosInterno: ['A'] })]);
  await spawn('produto', '--empresa', COMPANY, '--to', 'a.zip');
  const { progress } = await server.run(await Bun.file(join(server.folder, 'a.zip')).bytes(), {
    modo: 'espelho',
  });
  expect(progress).toMatchObject({ state: 'done', unchanged: 2, failed: 0 });
});
