/**
 * A test clock that is put back: records from future days stay usable, and repeated days are processed
 * again.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { ItemOutcome } from '../../src/catalogue/batch.ts';
import { openImports } from '../catalogue/import/support.ts';
import {
  COMPANY,
  activate,
  include,
  load,
  product,
  situations,
  tableFile,
} from '../catalogue/attribute/support.ts';
import { DAY_MS } from '../../src/clock.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';

const PRODUCT = `/catp/api/ext/produto/${COMPANY}`;
const OPERATOR = `/catp/api/ext/operador-estrangeiro/${COMPANY}/DE`;
const LINK = `/catp/api/ext/fabricante/${COMPANY}`;
const NCM = '09012100';
const DOTTED = '0901.21.00';
const FINE = product(NCM, 'ATT_1');
const MUSTER = { nome: 'Muster GmbH', logradouro: 'Hauptstrasse 1', nomeCidade: 'München' };

const FIRST = tableFile('1', { [DOTTED]: [{ codigo: 'ATT_1' }] });
const SECOND = tableFile('2', { [DOTTED]: [{ codigo: 'ATT_1' }, { codigo: 'ATT_2' }] });

let server: TestApp;
let admin: Client;
let demo: Client;

beforeEach(async () => {
  server = await openApp();
  await signIn();
});
afterEach(() => server.close());

async function signIn(): Promise<void> {
  admin = await server.as('admin');
  demo = await server.as('demo');
}

/** Moves the clock by its operation. `days`: counted from the start. */
async function moveToDay(days: number): Promise<void> {
  const set = new Date(START + days * DAY_MS).toISOString();
  const reply = await (await server.as('admin')).call('POST', '/appliance/api/clock', { set });
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  await signIn();
}

async function succeed(method: string, path: string, body?: unknown) {
  const reply = await demo.call(method, path, body);
  expect([path, reply.status, reply.text]).toEqual([path, 200, reply.text]);
  return reply.json;
}

describe('records from the future, after the clock was set back', () => {
  beforeEach(async () => {
    await moveToDay(10);
    await succeed('POST', PRODUCT, FINE);
    await succeed('POST', OPERATOR, MUSTER);
    await succeed('POST', LINK, { codigoProduto: 1, conhecido: false, codigoPais: 'DE' });
    await moveToDay(0);
  });

  test('a product gets new versions, which are the current ones, rectifications and deactivations', async () => {
    const denominacoes = async () =>
      (await succeed('GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}`)).map(
        ({ versao, denominacao, situacao }: Record<string, string>) => [versao, denominacao, situacao],
      );
    expect((await succeed('PUT', `${PRODUCT}/1`, { ...FINE, denominacao: 'Dois' })).versao).toBe('2');
    expect(await denominacoes()).toEqual([['2', 'Dois', 'ATIVADO']]);
    expect((await succeed('PUT', `${PRODUCT}/1/2`, { ...FINE, denominacao: 'Dois.1' })).versao).toBe('2.1');
    expect((await succeed('PUT', `${PRODUCT}/1`, { ...FINE, denominacao: 'Três' })).versao).toBe('3');
    await succeed('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/1`);
    expect(await denominacoes()).toEqual([['3', 'Três', 'DESATIVADO']]);
  });

  test('an operator gets new versions, which are the current ones, rectifications and deactivations', async () => {
    const listed = async () =>
      (
        await succeed(
          'GET',
          `/catp/api/ext/operador-estrangeiro?cpfCnpjRaiz=${COMPANY}&exibirDesativados=true`,
        )
      ).map(({ versao, nome, situacao }: Record<string, string>) => [versao, nome, situacao]);
    expect((await succeed('PUT', `${OPERATOR}/OPE_1`, { ...MUSTER, nome: 'Dois' })).versao).toBe('2');
    expect(await listed()).toEqual([['2', 'Dois', 'ATIVADO']]);
    expect((await succeed('PUT', `${OPERATOR}/OPE_1/2`, { ...MUSTER, nome: 'Dois.1' })).versao).toBe('2.1');
    expect((await succeed('POST', `${OPERATOR}/OPE_1/2026-01-01`, MUSTER)).versao).toBe('3');
    expect(await listed()).toEqual([['2.1', 'Dois.1', 'ATIVADO']]);
    await succeed('PUT', `/catp/api/ext/operador-estrangeiro/desativar/${COMPANY}/DE/OPE_1/2.1`);
    expect(await listed()).toEqual([['2.1', 'Dois.1', 'DESATIVADO']]);
  });

  test('a link is removed and created again', async () => {
    const link = { codigoProduto: 1, conhecido: false, codigoPais: 'DE' };
    const removed = await demo.call('PUT', LINK, link);
    expect([removed.status, removed.text]).toEqual([200, removed.text]);
    await succeed('POST', LINK, link);
  });
});

test('versions of a moved catalogue are added to those from the future, and new ones follow them', async () => {
  const imports = await openImports();
  const item = { seq: 1, cpfCnpjRaiz: COMPANY, denominacao: 'Um', modalidade: 'IMPORTACAO', ncm: NCM };
  const operator = { seq: 1, cpfCnpjRaiz: COMPANY, codigoPais: 'DE', codigo: 'OPE_1', ...MUSTER };
  const outcomes = async (tipo: 'produto' | 'operador-estrangeiro', ...items: object[]) =>
    (await imports.run(items, { tipo, modo: 'espelho' })).results.map(
      ({ outcome, errors }): [ItemOutcome | 'failed', readonly string[]] => [outcome, errors],
    );
  const NEW_VERSION: [ItemOutcome, string[]] = ['newVersion', []];

  imports.clock.moveTo(START + 10 * DAY_MS);
  expect(await outcomes('produto', { ...item, codigo: 1, versao: '1' })).toEqual([['created', []]]);
  expect(await outcomes('operador-estrangeiro', { ...operator, versao: '1' })).toEqual([['created', []]]);
  imports.clock.moveTo(START);
  const versions = ['1.1', '2', '2.1'];
  expect(
    await outcomes(
      'produto',
      ...versions.map((versao) => ({ ...item, codigo: 1, versao, denominacao: versao })),
    ),
  ).toEqual(versions.map(() => NEW_VERSION));
  expect(
    await outcomes(
      'operador-estrangeiro',
      ...versions.map((versao) => ({ ...operator, versao, nome: versao })),
    ),
  ).toEqual(versions.map(() => NEW_VERSION));

  const lote = await imports.run([{ ...item, codigo: 1 }]);
  expect(lote.results).toMatchObject([{ versao: '3', outcome: 'newVersion' }]);
  expect(JSON.parse(imports.products())).toMatchObject([{ versao: '3' }]);
  await imports.close();
});

describe('days that occur a second time', () => {
  test('a table that comes into force on one of them deactivates invalid products', async () => {
    await activate(admin, await load(admin, FIRST));
    await moveToDay(10);
    await moveToDay(0);
    await include(demo, FINE);
    await activate(admin, await load(admin, SECOND), '2026-01-18');
    await moveToDay(2);
    expect(await situations(demo)).toEqual({ 1: 'ATIVADO' });
    await moveToDay(3);
    expect(await situations(demo)).toEqual({ 1: 'DESATIVADO' });
  });

  test('a pair that starts on one of them deactivates products that were included meanwhile', async () => {
    const starting = tableFile('1', {
      [DOTTED]: [{ codigo: 'ATT_1' }, { codigo: 'ATT_2', from: '2026-01-16' }],
    });
    await activate(admin, await load(admin, starting));
    await moveToDay(10);
    await moveToDay(0);
    await include(demo, FINE);
    await moveToDay(1);
    expect(await situations(demo)).toEqual({ 1: 'DESATIVADO' });
  });

  test('a table whose activation lies in the future validates on that day the products written until then', async () => {
    await activate(admin, await load(admin, FIRST));
    await moveToDay(10);
    await activate(admin, await load(admin, SECOND));
    await moveToDay(0);
    await include(demo, FINE);
    await moveToDay(9);
    expect(await situations(demo)).toEqual({ 1: 'ATIVADO' });
    await moveToDay(11);
    expect(await situations(demo)).toEqual({ 1: 'DESATIVADO' });
  });

  test('a table activated now also validates products that a later table had accepted', async () => {
    await activate(admin, await load(admin, SECOND));
    await moveToDay(10);
    await activate(admin, await load(admin, FIRST));
    await include(demo, FINE);
    await moveToDay(0);
    const third = tableFile('3', { [DOTTED]: [{ codigo: 'ATT_1' }, { codigo: 'ATT_2' }] });
    await activate(admin, await load(admin, third));
    expect(await situations(demo)).toEqual({ 1: 'DESATIVADO' });
  });

  test('a subscription whose first failure lies in the future is failing since its first failure now', async () => {
    await demo.call('POST', '/portal/api/ext/webhook', {
      evento: 'catp-prod-alterado',
      endpoint: 'https://127.0.0.1/aviso',
    });
    const failingSince = (): number | null =>
      server.app.core.db
        .prepare<[], number | null>('SELECT failing_since FROM subscription')
        .pluck()
        .get() as number | null;
    server.app.core.db.prepare('UPDATE subscription SET failing_since = ?').run(START + 10 * DAY_MS);
    await include(demo, FINE);
    while (failingSince() !== START) await new Promise<void>((resolve) => setImmediate(resolve));
  });
});
