/** Corrections without rows and reason, values that empty a cell, and rows that are left out (contract section 24). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { csv, ended, importRows, run, send as sendSheet } from './support.ts';

const IMPORTS = '/appliance/api/imports';

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});

afterEach(() => server.close());

const correct = (id: number, body: object) => demo.call('POST', `${IMPORTS}/${id}/corrections`, body);

/** Starts a correction, and waits for its end. */
async function correctToEnd(id: number, set: readonly object[], options: object = {}) {
  const started = await correct(id, { set, ...options });
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

  test('with a value fills empty and wrong cells, but no readable one, in all rows of a dry run', async () => {
    const { id } = await importRows(demo, [HEADINGS, ...CELLS], dry);
    const set = [
      { member: 'modalidade', value: 'Importação' },
      { member: 'descricao', value: 'sem detalhe' },
      { member: 'denominacao', value: 'Sem nome' },
    ];
    const second = await correctToEnd(id, set, dry);
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

  test('with a map also applies to the good rows of a dry run', async () => {
    const { id } = await importRows(demo, [HEADINGS, ...CELLS], dry);
    const second = await correctToEnd(
      id,
      [{ member: 'denominacao', map: { Caixa: 'Caixote', Balde: 'Baldinho' } }],
      dry,
    );
    const real = await run(demo, { from: second.id });
    expect(contents(real.rows, 'denominacao')[0]).toBe('Caixote');
  });
});

test('a value may skip the row, or empty the cell', async () => {
  const { id } = await importRows(demo, [
    ['SKU', 'Nome', 'NCM', 'Modalidade', 'Descrição'],
    ['N1', 'Caixa', 'lixo', 'Importação', ''],
    ['N2', 'Balde', '39269090', 'Importação', 'x'.repeat(4000)],
    ['N3', 'Tampa', '3926', 'Importação', ''],
    ['N4', 'Alça', '3926', 'Importação', ''],
  ]);
  const { rows, job } = await correctToEnd(id, [
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

test('a row number leaves a good row of a dry run out, and changes nothing else of good rows', async () => {
  const { id } = await importRows(
    demo,
    [
      ['SKU', 'Nome', 'NCM', 'Modalidade'],
      ['G1', 'Caixa', '39269090', 'Importação'],
      ['G2', 'Balde', '39269090', 'Importação'],
      ['G3', 'Tampa', 'lixo', 'Importação'],
    ],
    { simular: true },
  );
  const leaveOut = { member: 'cpfCnpjRaiz', rows: [2], value: { skip: true } };
  const mend = { member: 'ncm', map: { lixo: '39269090' } };
  const { rows, job } = await correctToEnd(id, [mend, leaveOut], { simular: true });
  expect(outcomes(rows)).toEqual([
    [3, 'created'],
    [4, 'created'],
  ]);
  expect(job.notices).toEqual([{ message: '1 linha de fora, como pedido: 2.' }]);
  const rename = { member: 'denominacao', rows: [3], value: 'Outro' };
  expect(await correct(id, { set: [rename], simular: true })).toMatchObject({ status: 422 });
});

describe('a remembered map', () => {
  const guessedColumns = async (table: readonly (readonly string[])[]) =>
    (await sendSheet(demo, csv(table))).json.sheets[0].columns as readonly { meanings: unknown[] }[];
  const HEADINGS = ['SKU', 'Nome', 'NCM', 'Modalidade'];
  const rows = (code: string) => [HEADINGS, [code, 'Caixa', '39269090', 'compra']];
  const entry = { member: 'modalidade', map: { compra: 'Importação' }, remember: true };
  const notices = (job: { notices: { message: string }[] }) => job.notices.map(({ message }) => message);

  test('applies to the next sheet after its correction has written, with a notice, until it is deleted', async () => {
    const { id } = await importRows(demo, rows('L1'));
    const dry = await correctToEnd(id, [entry], { simular: true });
    expect((await importRows(demo, rows('L2'))).rows).toMatchObject([{ outcome: 'failed' }]);
    await correctToEnd(id, [entry]);
    const next = await importRows(demo, rows('L3'));
    expect(next.rows).toMatchObject([{ outcome: 'created' }]);
    expect(notices(next.job)).toEqual([
      'Modalidade: lido como lembrado de planilhas anteriores: "compra" como "Importação".',
    ]);
    expect(dry.job.notices).toEqual([]);
    const meanings = async () => (await guessedColumns(rows('L3'))).map(({ meanings }) => meanings);
    expect(await meanings()).toEqual([[], [], [], [{ value: 'compra', meaning: 'Importação' }]]);
    const path = '/appliance/api/sheets/choices?cpfCnpjRaiz=12345678&tipo=produto';
    expect((await demo.call('DELETE', path)).status).toBe(204);
    expect((await importRows(demo, rows('L4'))).rows).toMatchObject([{ outcome: 'failed' }]);
    expect(await meanings()).toEqual([[], [], [], []]);
  });

  test('does not contain the replacement of an empty cell', async () => {
    const empty = (code: string) => [HEADINGS, [code, 'Caixa', '39269090', '']];
    const { id } = await importRows(demo, empty('E1'));
    await correctToEnd(id, [{ member: 'modalidade', map: { '': 'Importação' }, remember: true }]);
    expect((await guessedColumns(empty('E2'))).every(({ meanings }) => meanings.length === 0)).toBe(true);
    expect((await importRows(demo, empty('E2'))).rows).toMatchObject([{ outcome: 'failed' }]);
  });

  test('of a dry run is stored by the import made from it', async () => {
    const { id } = await importRows(demo, rows('M1'), { simular: true });
    const dry = await correctToEnd(id, [entry], { simular: true });
    await run(demo, { from: dry.id });
    expect((await importRows(demo, rows('M2'))).rows).toMatchObject([{ outcome: 'created' }]);
  });

  test('needs a map without rows; without remember nothing is stored', async () => {
    const { id } = await importRows(demo, rows('N1'));
    const invalidEntries = [
      { member: 'modalidade', value: 'Importação', remember: true },
      { ...entry, rows: [2] },
    ];
    for (const one of invalidEntries) expect((await correct(id, { set: [one] })).status).toBe(400);
    await correctToEnd(id, [{ ...entry, remember: false }]);
    expect((await importRows(demo, rows('N2'))).rows).toMatchObject([{ outcome: 'failed' }]);
  });
});

describe('a decimal sign', () => {
  const ALCOHOL = 'atributo:ATT_90002';
  const sheet = [
    ['SKU', 'Nome', 'NCM', 'Modalidade', 'Teor (ATT_90002)'],
    ['V1', 'Vinho', '22042100', 'Importação', '1.200'],
    ['V2', 'Vinho 2', '22042100', 'Importação', '1.250'],
  ];
  const messagesOf = (rows: readonly { problems: { member?: string; message: string }[] }[]) =>
    rows.map(({ problems }) =>
      problems.filter(({ member }) => member === ALCOHOL).map(({ message }) => message),
    );

  test('is requested by the reason of ambiguous numbers only', async () => {
    const headings = [...(sheet[0] as string[]), 'Produto orgânico (ATT_90005)'];
    const cells = [
      ['V1', 'Vinho', '22042100', 'Importação', '1.200', '1.200'],
      ['V2', '', '2204', 'Importação', '12,5 %', ''],
    ];
    const { id } = await importRows(demo, [headings, ...cells]);
    const { json } = await demo.call('GET', `${IMPORTS}/${id}/reasons`);
    const reasons = json as { member: string; ambiguous: string | null }[];
    expect(reasons.length).toBeGreaterThan(2);
    expect(reasons.filter(({ ambiguous }) => ambiguous !== null)).toMatchObject([
      { member: ALCOHOL, ambiguous: '1.200' },
    ]);
  });

  test('applies to the whole column, in every later round', async () => {
    const { id, rows } = await importRows(demo, sheet);
    expect(messagesOf(rows).every(([message]) => message?.includes('milhar'))).toBe(true);
    const points = await correctToEnd(id, [{ member: ALCOHOL, decimal: '.' }], { simular: true });
    // Trailing zeros do not count as decimals.
    expect(messagesOf(points.rows)).toEqual([[], []]);
    const commas = await correctToEnd(id, [{ member: ALCOHOL, decimal: ',' }], { simular: true });
    expect(messagesOf(commas.rows)).toEqual([[], []]);
    const later = await correctToEnd(points.id, [], { simular: true });
    expect(JSON.stringify(messagesOf(later.rows))).not.toContain('milhar');
  });

  test('is refused next to a value, for a member that is no attribute, and if no cell needs it', async () => {
    const { id } = await importRows(demo, sheet);
    const invalidEntries = [
      { member: ALCOHOL, decimal: '.', value: '1' },
      { member: ALCOHOL, decimal: '.', rows: [2] },
      { member: 'denominacao', decimal: '.' },
      { member: ALCOHOL, decimal: ';' },
      { member: ALCOHOL },
    ];
    for (const one of invalidEntries) expect((await correct(id, { set: [one] })).status).toBe(400);
    expect((await correct(id, { set: [{ member: 'atributo:ATT_90001', decimal: '.' }] })).status).toBe(422);
  });
});
