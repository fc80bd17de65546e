/** `catp seed`: an invented catalogue of any size, the same from the same seed (contract section 15). */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningCatp } from '../support/executable.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

/** Size of a catalogue with every kind of record. */
const SIZE = ['--products', '300', '--operators', '40', '--links', '500'];

/** Returns all records of the company that its user can read over HTTP. */
async function catalogueOf({ url }: RunningCatp): Promise<object[][]> {
  const tokens = await tokensOf(url, 'demo', 'demo');
  const paths = ['produto?cpfCnpjRaiz=12345678', 'operador-estrangeiro?cpfCnpjRaiz=12345678'];
  const [products, operators] = await Promise.all(
    paths.map(async (path) => {
      const reply = await ask(url, `/catp/api/ext/${path}`, tokens);
      return reply.status === 204 ? [] : ((await reply.json()) as object[]);
    }),
  );
  return [products ?? [], operators ?? []];
}

test('the same seed creates the same catalogue in a new folder, which catp dev serves; another seed creates another one', async () => {
  const catalogues: object[][][] = [];
  for (const [data, word] of [
    ['a', '7'],
    ['b', '7'],
    ['c', 'outra'],
  ] as const) {
    const { code, stdout, stderr } = sandbox.run(['seed', '--data', data, ...SIZE, '--seed', word]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ {2}produtos: 300, em \d{3} versões; \d+ rascunhos, \d+ desativados$/m);
    expect(stdout).toMatch(/^ {2}operadores estrangeiros: 40, em \d+ versões/m);
    expect(stdout).toMatch(/^ {2}vínculos: 500$/m);
    const server = await sandbox.start('dev', '--port', '0', '--data', data);
    catalogues.push(await catalogueOf(server));
    const ready = await (await fetch(`${server.url}/readyz`)).json();
    expect(ready).toMatchObject({ attributeTable: { versao: '1' } });
    await server.stop();
  }
  const [first, second, otherSeed] = catalogues;
  expect(first?.[0]).toHaveLength(300);
  expect(first?.[1]?.length).toBeGreaterThan(30); // deactivated ones are not listed
  expect(second).toEqual(first as object[][]);
  expect(otherSeed).not.toEqual(first as object[][]);
  // A smaller catalogue is the beginning of a larger one.
  sandbox.run([
    'seed',
    '--data',
    'd',
    '--products',
    '100',
    '--operators',
    '0',
    '--links',
    '0',
    '--seed',
    '7',
  ]);
  const server = await sandbox.start('dev', '--port', '0', '--data', 'd');
  const [fewer = []] = await catalogueOf(server);
  expect(fewer).toEqual(first?.[0]?.slice(0, 100) as object[]);
});

test('creates every status, several versions, and only records that the rules of both profiles accept', async () => {
  writeFileSync(join(sandbox.folder, 'catp.toml'), '');
  for (const perfil of ['especificacao', 'portal']) {
    const outcome = sandbox.run([
      'seed',
      '--data',
      perfil,
      ...SIZE,
      '--config',
      'catp.toml',
      '--set',
      `perfil=${perfil}`,
    ]);
    expect([outcome.code, outcome.stderr]).toEqual([0, '']);
    const server = await sandbox.start('dev', '--port', '0', '--data', perfil, '--perfil', perfil);
    const [products = [], operators = []] = (await catalogueOf(server)) as Record<string, string>[][];
    const valuesOf = (name: string, records: Record<string, string>[]) =>
      new Set(records.map((record) => record[name]));
    expect(valuesOf('situacao', products)).toEqual(new Set(['ATIVADO', 'RASCUNHO', 'DESATIVADO']));
    expect([...valuesOf('versao', products)].length).toBeGreaterThan(2);
    expect(valuesOf('ncm', products).size).toBe(8);
    expect(valuesOf('codigoPais', operators).size).toBeGreaterThan(3);
    expect(valuesOf('modalidade', products).has('AMBOS')).toBe(perfil === 'especificacao');
    await server.stop();
  }
});

test('next to a running server adds to the existing records, for the company of --empresa', async () => {
  const server = await sandbox.start('dev', '--port', '0', '--empty', '--data', 'd');
  const { code } = sandbox.run([
    'seed',
    '--data',
    'd',
    '--products',
    '20',
    '--operators',
    '5',
    '--links',
    '0',
    '--empresa',
    '87654321',
  ]);
  expect(code).toBe(0);
  const tokens = await tokensOf(server.url, 'demo', 'demo');
  const reply = await ask(server.url, '/catp/api/ext/produto?cpfCnpjRaiz=87654321', tokens);
  expect((await reply.json()) as object[]).toHaveLength(20);
  // A second run with the same seed creates other values for unique members.
  expect(
    sandbox.run([
      'seed',
      '--data',
      'd',
      '--products',
      '20',
      '--operators',
      '5',
      '--empresa',
      '87654321',
      '--links',
      '9',
    ]).code,
  ).toBe(0);
});

test('refuses unsupported arguments with the accepted ones', () => {
  for (const [flags, code, hint] of [
    [['--products', 'muitos'], 2, '--products: recebido "muitos"; aceita um inteiro de 0 a 1000000.'],
    [['--operators', '1000001'], 2, '--operators: recebido "1000001"'],
    [['--links', '-1'], 2, '--links'],
    [['--products', '0', '--links', '1'], 2, '--links: os vínculos são de produtos gerados'],
    [['--seed', 'não serve'], 2, '--seed: recebido "não serve"'],
  ] as const) {
    const refusal = sandbox.run(['seed', '--data', 'novo', ...flags]);
    expect([refusal.code, refusal.stderr]).toEqual([code, expect.stringContaining(hint)]);
    expect(existsSync(join(sandbox.folder, 'novo'))).toBe(false);
  }
  const unknown = sandbox.run(['seed', '--data', 'd', '--empresa', '99999999']);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('que tem 11222333, 1')]);
  sandbox.init('servico');
  const serverResult = sandbox.run(['seed', '--data', 'servico']);
  expect([serverResult.code, serverResult.stderr]).toEqual([
    1,
    expect.stringContaining('não foi criada por catp dev'),
  ]);
});
