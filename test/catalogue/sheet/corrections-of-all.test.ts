/** Corrections without rows and reason, values that empty a cell, and rows that are left out (contract section 24). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { ended, importRows, run } from './support.ts';

const IMPORTS = '/appliance/api/imports';

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});

afterEach(() => server.close());

const correct = (id: number, body: object) => demo.call('POST', `${IMPORTS}/${id}/corrections`, body);

/** Waits for its end. */
async function corrected(id: number, set: readonly object[], how: object = {}) {
  const started = await correct(id, { set, ...how });
  expect(started.json).toEqual({ id: expect.any(Number) });
  return ended(demo, started);
}

const outcomes = (rows: readonly { row: number; outcome: string }[]) =>
  rows.map(({ row, outcome }) => [row, outcome]);

describe('an entry without reason and rows', () => {
  const HEADINGS = ['SKU', 'Nome', 'NCM', 'Modalidade', 'Descrição'];
  const CELLS = [
    ['W1', 'Caixa', '39269090', 'Importação', ''],
    ['W2', 'Balde', '39269090', 'compra', 'azul'],
    ['W3', 'Tampa', '39269090', 'Exportação', 'x'.repeat(4000)],
    ['W4', '', '39269090', 'Importação', 'verde'],
  ];
  const dry = { simular: true };
  const contents = (
    rows: readonly { changes: readonly { member: string; after: string }[] }[],
    member: string,
  ) => rows.map(({ changes }) => changes.find((one) => one.member === member)?.after ?? null);

  test('with a value fills cells that are empty or wrong, never one that reads well, in all rows of a dry run', async () => {
    const { id } = await importRows(demo, [HEADINGS, ...CELLS], dry);
    const set = [
      { member: 'modalidade', value: 'Importação' },
      { member: 'descricao', value: 'sem detalhe' },
      { member: 'denominacao', value: 'Sem nome' },
    ];
    const second = await corrected(id, set, dry);
    expect(outcomes(second.rows).map(([, outcome]) => outcome)).toEqual(Array(4).fill('created'));
    const real = await run(demo, { from: second.id });
    expect(contents(real.rows, 'descricao')).toEqual(['sem detalhe', 'azul', 'sem detalhe', 'verde']);
    expect(contents(real.rows, 'denominacao')).toEqual(['Caixa', 'Balde', 'Tampa', 'Sem nome']);
    expect(new Set(contents(real.rows, 'modalidade')).size).toBe(2);
  });

  test('that no row needs is refused', async () => {
    const { id } = await importRows(demo, [HEADINGS, ...CELLS]);
    expect(await correct(id, { set: [{ member: 'ncm', value: '73181500' }] })).toMatchObject({ status: 422 });
  });

  test('with a map holds for the good rows of a dry run too', async () => {
    const { id } = await importRows(demo, [HEADINGS, ...CELLS], dry);
    const second = await corrected(
      id,
      [{ member: 'denominacao', map: { Caixa: 'Caixote', Balde: 'Baldinho' } }],
      dry,
    );
    const real = await run(demo, { from: second.id });
    expect(contents(real.rows, 'denominacao')[0]).toBe('Caixote');
  });
});

test('a value may leave the row out, or empty the cell', async () => {
  const { id } = await importRows(demo, [
    ['SKU', 'Nome', 'NCM', 'Modalidade', 'Descrição'],
    ['N1', 'Caixa', 'lixo', 'Importação', ''],
    ['N2', 'Balde', '39269090', 'Importação', 'x'.repeat(4000)],
    ['N3', 'Tampa', '3926', 'Importação', ''],
    ['N4', 'Alça', '3926', 'Importação', ''],
  ]);
  const { rows, job } = await corrected(id, [
    { member: 'ncm', map: { lixo: { skip: true } } },
    { member: 'descricao', value: null, rows: [3] },
    { member: 'ncm', value: { skip: true }, rows: [4] },
    { member: 'ncm', value: '39269090', rows: [5] },
  ]);
  expect(outcomes(rows)).toEqual([
    [3, 'created'],
    [5, 'created'],
  ]);
  expect(job.notices).toEqual([{ message: '2 linhas de fora, como pedido: 2, 4.' }]);
});
