/**
 * An irregular sheet of three thousand rows, as people and ERPs produce them: each row is validated
 * separately (contract section 24).
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { importRows } from './support.ts';

let server: TestApp;
let demo: Client;

beforeAll(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});

afterAll(() => server.close());

/** Kinds of rows: NCM, modality, code, and the column of the wrong cell; empty if the row is accepted. */
const ROW_KINDS: readonly (readonly [
  ncm: string,
  modalidade: string,
  sku: (at: number) => string,
  cell: string,
])[] = [
  ['39269090', 'IMPORTACAO', (at) => `S-${at}`, ''],
  ['3926.90.90', 'Importação', (at) => `00${at}`, ''],
  [' 39269090 ', 'imp', (at) => `A${at} | B${at}`, ''],
  ['39269090', 'Importação e exportação', (at) => `"${at}";x-${at}`, ''],
  ['39269090.0', 'IMP', (at) => `${at}.0`, ''],
  ['#N/D', 'IMP', (at) => `N-${at}`, 'B'],
  ['39269090', 'Compra', (at) => `C-${at}`, 'C'],
  ['39269090', 'IMP', () => '1,23E+05', 'D'],
  ['', 'IMP', (at) => `V-${at}`, 'B'],
  ['99999999', 'IMP', (at) => `U-${at}`, 'B'],
];
const ROWS = 3000;

test('readable rows are imported, and each other row names its cell', async () => {
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const [ncm, modalidade, sku] = ROW_KINDS[at % ROW_KINDS.length] as (typeof ROW_KINDS)[number];
    return [`Peça ${at}\nnº ${at}; "azul"`, ncm, modalidade, sku(at), '', '=1+1'];
  });
  const { job, rows: results } = await importRows(demo, [
    ['Materiais', '', '', '', '', ''],
    ['Nome', 'NCM', 'Modalidade', 'SKU', '', 'Obs.'],
    ...rows,
    ['', '', '', '', '', 'fim'],
  ]);
  expect(job).toMatchObject({ state: 'done', total: ROWS, created: ROWS / 2, failed: ROWS / 2 });
  const cells = results.map(({ problems }: { problems: { cell?: string }[] }) => problems[0]?.cell ?? '');
  const expected = Array.from({ length: ROWS }, (_, at) => {
    const [, , , column] = ROW_KINDS[at % ROW_KINDS.length] as (typeof ROW_KINDS)[number];
    return column === '' ? '' : `${column}${at + 3}`;
  });
  expect(cells).toEqual(expected);
});
