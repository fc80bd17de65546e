/**
 * Undo of imported spreadsheets, operators and links, and of bulk changes of products (contract section
 * 24).
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { importRows } from '../sheet/support.ts';
import { COMPANY, PLAIN, importerOf } from './undo-support.ts';

let server: TestApp;
let demo: Client;
let by: ReturnType<typeof importerOf>;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
  by = importerOf(demo);
});

afterEach(() => server.close());

describe('a spreadsheet', () => {
  test('is undone: a record that the import did not change is not touched', async () => {
    const [changed, same] = [await by.include(), await by.include({ ...PLAIN, denominacao: 'Outra' })];
    const { id, job } = await importRows(demo, [
      ['Código', 'Denominação', 'NCM', 'Modalidade'],
      [String(changed), 'Mudada', '', ''],
      [String(same), 'Outra', '', ''],
      ['', 'Nova', '39269090', 'Importação'],
    ]);
    expect(job).toMatchObject({ created: 1, newVersion: 1, unchanged: 1 });
    const { job: undo, rows } = await by.undo(id);
    expect(undo).toMatchObject({ total: 2, newVersion: 1, deactivated: 1 });
    expect(rows[1]).toMatchObject({
      codigo: String(changed),
      name: 'Mudada',
      changes: [{ member: 'denominacao', before: 'Mudada', after: 'Caixa' }],
    });
    expect(await by.get(same)).toMatchObject({ versao: '1' });
    expect(await by.get(changed)).toMatchObject({ versao: '3', denominacao: 'Caixa' });
  });
});

describe('foreign operators and links', () => {
  const OPERATOR = { nome: 'Muster', logradouro: 'Hauptstrasse 1', nomeCidade: 'München', codigoPais: 'DE' };
  const operatorItem = (members: object) => ({ seq: 1, cpfCnpjRaiz: COMPANY, ...OPERATOR, ...members });
  const operator = async (codigo: string) =>
    (
      await demo.call(
        'GET',
        `/catp/api/ext/operador-estrangeiro?cpfCnpjRaiz=${COMPANY}&exibirDesativados=true`,
      )
    ).json.find((one: { readonly codigo: string }) => one.codigo === codigo);

  test('operators are undone like products', async () => {
    const first = await by.importFile([operatorItem({})], { tipo: 'operador-estrangeiro' });
    const { codigo } = first.rows[0];
    const second = await by.importFile(
      [operatorItem({ codigo, nomeCidade: 'Bonn' }), operatorItem({ seq: 2, nome: 'Zweite' })],
      { tipo: 'operador-estrangeiro' },
    );
    const undo = await by.undo(second.id);
    expect(undo.job).toMatchObject({ tipo: 'operador-estrangeiro', newVersion: 1, deactivated: 1 });
    expect(undo.rows[1]).toMatchObject({
      codigo,
      versao: '3',
      name: 'Muster',
      changes: [{ member: 'nomeCidade', before: 'Bonn', after: 'München' }],
    });
    expect(await operator(codigo)).toMatchObject({ versao: '3', nomeCidade: 'München' });
    expect((await by.undo(first.id)).rows).toMatchObject([{ problems: [{ code: 'CATP-ER1027' }] }]);
  });

  test('a previous state that a rule no longer accepts is refused with the code of the rule', async () => {
    const operatorFile = { tipo: 'operador-estrangeiro' };
    const { codigo } = (await by.importFile([operatorItem({ tin: 'DE1' })], operatorFile)).rows[0];
    const { id } = await by.importFile([operatorItem({ codigo, tin: 'DE2' })], operatorFile);
    await by.importFile([operatorItem({ nome: 'Andere', tin: 'DE1' })], operatorFile);
    expect((await by.undo(id)).rows).toMatchObject([
      { codigo, outcome: 'failed', problems: [{ code: 'CATP-ER1014', path: '/tin' }] },
    ]);
  });

  test('a version of an operator that is not the current one is not undone', async () => {
    const { rows } = await by.importFile([operatorItem({ dataReferencia: '2026-01-10' })], {
      tipo: 'operador-estrangeiro',
    });
    const { codigo } = rows[0];
    const retroactive = { codigo, nomeCidade: 'Bonn', dataReferencia: '2025-12-01' };
    const { id, job } = await by.importFile([operatorItem(retroactive)], { tipo: 'operador-estrangeiro' });
    expect(job).toMatchObject({ newVersion: 1 });
    expect((await by.undo(id)).rows).toMatchObject([
      {
        outcome: 'failed',
        problems: [{ code: 'CATP-ER1038', message: expect.stringContaining('não era a atual') }],
      },
    ]);
  });

  const link = (codigoProduto: number, members: object = {}) => ({
    seq: 1,
    cpfCnpjRaiz: COMPANY,
    codigoProduto,
    conhecido: false,
    codigoPais: 'DE',
    ...members,
  });
  const links = async () =>
    (await demo.call('GET', `/appliance/api/manufacturer-links?cpfCnpjRaiz=${COMPANY}`)).json.items.filter(
      ({ conhecido }: { readonly conhecido: boolean }) => !conhecido,
    );

  test('created links are deleted, and deleted links are created again', async () => {
    const codigo = await by.include();
    const creation = await by.importFile([link(codigo)], { tipo: 'fabricante' });
    const undoneCreation = await by.undo(creation.id);
    expect(undoneCreation.rows).toMatchObject([
      {
        codigo: String(codigo),
        versao: null,
        outcome: 'newVersion',
        name: String(codigo),
        changes: [{ member: 'vinculo', before: 'DE desconhecido', after: null }],
      },
    ]);
    expect(await links()).toEqual([]);
    expect((await by.undo(creation.id)).rows).toMatchObject([
      { problems: [{ code: 'CATP-ER1027', message: expect.stringContaining('o vínculo do produto') }] },
    ]);
    expect((await by.undo(undoneCreation.id)).rows).toMatchObject([{ outcome: 'created' }]);
    expect(await links()).toHaveLength(1);
    const both = await by.importFile([link(codigo, { vincular: false }), link(codigo, { seq: 2 })], {
      tipo: 'fabricante',
    });
    // The import deleted and created the same link, so there is nothing to undo.
    const { status, text } = await by.undoing(both.id);
    expect([status, text]).toEqual([422, expect.stringContaining('CATP-ER1038')]);
  });
});

describe('a bulk change', () => {
  test('is undone with its links, without the expected number of deactivations', async () => {
    const codigos = await Promise.all(
      Array.from({ length: 12 }, (_, at) => by.include({ ...PLAIN, denominacao: `Caixa ${at}` })),
    );
    const maker = { conhecido: false, codigoPais: 'DE' };
    const change = await by.change({ codigos, set: { descricao: 'Nova' }, links: { add: [maker] } });
    expect(change.job).toMatchObject({ newVersion: 12 });
    const { job, rows } = await by.undo(change.id);
    expect(job).toMatchObject({ newVersion: 12, failed: 0 });
    expect(rows[0]).toMatchObject({
      versao: '3',
      changes: [
        { member: 'vinculo', before: 'DE desconhecido', after: null },
        { member: 'descricao', before: 'Nova', after: null },
      ],
    });
    const deactivation = await by.change({ codigos, deactivate: true, expected: 12 });
    expect((await by.undo(deactivation.id)).job).toMatchObject({ newVersion: 12 });
    // All products have changed since, so every item fails, and that undo has nothing to undo.
    const failedUndo = await by.undo(deactivation.id);
    expect(failedUndo.job).toMatchObject({ failed: 12 });
    expect((await by.undoing(failedUndo.id)).status).toBe(422);
    expect(await by.get(Number(rows[0].codigo))).toMatchObject({ situacao: 'ATIVADO', versao: '4' });
  });
});
