/**
 * Codes whose zeros a spreadsheet removed (contract section 24): never matched to another record, never
 * rewritten.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { COMPANY, importRows } from './support.ts';

const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const OPERATORS = `/catp/api/ext/operador-estrangeiro/${COMPANY}`;
const PLAIN = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const WORKS = { nome: 'Werk', logradouro: 'Rua 1', nomeCidade: 'Lugar' };

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});
afterEach(() => server.close());

const include = async (codigosInterno: readonly string[], denominacao = 'Caixa'): Promise<string> =>
  String((await demo.call('POST', PRODUCTS, { ...PLAIN, denominacao, codigosInterno })).json.codigo);

const codesOf = async (codigo: string): Promise<readonly string[]> => {
  const path = `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`;
  return (await demo.call('GET', path)).json[0].codigosInterno;
};

const HEADINGS = ['SKU', 'Nome', 'NCM', 'Modalidade'];
const row = (code: string, name = 'Caixa'): readonly string[] => [code, name, '39269090', 'IMP'];
const outcomes = (rows: readonly { outcome: string }[]) => rows.map(({ outcome }) => outcome);

describe('an internal code that differs from a stored one only by leading zeros', () => {
  test('finds its product, with a notice, and does not change it', async () => {
    const codigo = await include(['03630028']);
    const { rows } = await importRows(demo, [HEADINGS, row('3630028', 'Balde')]);
    expect(rows).toMatchObject([
      {
        codigo,
        outcome: 'newVersion',
        notices: [{ path: '/codigosInterno', message: expect.stringContaining('03630028') }],
      },
    ]);
    expect(await codesOf(codigo)).toEqual(['03630028']);
    const again = await importRows(demo, [HEADINGS, row('00003630028', 'Balde')]);
    expect(outcomes(again.rows)).toEqual(['unchanged']);
  });

  test('next to the number of the catalogue is the code that the product has', async () => {
    const codigo = await include(['0000006']);
    const sheetRows = [
      ['Código', 'Versão', 'Denominação', 'Códigos internos'],
      [codigo, '1', 'Caixa', '6'],
    ];
    const { rows } = await importRows(demo, sheetRows);
    expect(rows).toMatchObject([{ codigo, outcome: 'unchanged', notices: [{ path: '/codigosInterno' }] }]);
    expect(await codesOf(codigo)).toEqual(['0000006']);
  });

  test('is overridden by an equal text', async () => {
    const [long, short] = [await include(['0077']), await include(['77'], 'Outra')];
    const { rows } = await importRows(demo, [HEADINGS, row('77', 'Nova'), row('0077', 'Velha')]);
    expect(rows).toMatchObject([
      { codigo: short, outcome: 'newVersion', notices: [] },
      { codigo: long, outcome: 'newVersion', notices: [] },
    ]);
  });

  test('is an error of the row if it matches several codes, or another new row of the sheet', async () => {
    await include(['0077']);
    await include(['00077'], 'Outra');
    const several = await importRows(demo, [HEADINGS, row('77')]);
    expect(several.rows[0].problems).toMatchObject([
      { code: 'CATP-ER1034', cell: 'A2', message: expect.stringContaining('0077 e de 00077') },
    ]);
    const results = await importRows(demo, [
      HEADINGS,
      row('0088'),
      row('88', 'Outra'),
      row('99', 'Mais uma'),
    ]);
    expect(outcomes(results.rows)).toEqual(['created', 'failed', 'created']);
    expect(results.rows[1].problems).toMatchObject([
      { code: 'CATP-ER1032', cell: 'A3', message: expect.stringContaining('linha 2') },
    ]);
  });
});

test('the codes of an operator keep their zeros, and find it without them', async () => {
  const content = { ...WORKS, tin: '0099', cep: '01310', codigoInterno: '0042' };
  const { codigo } = (await demo.call('POST', `${OPERATORS}/DE`, content)).json;
  const headings = ['Código interno', 'TIN', 'CEP', 'Cidade'];
  const { rows } = await importRows(
    demo,
    [headings, ['42', '99', '1310', 'Bonn']],
    {},
    'operador-estrangeiro',
  );
  expect(rows).toMatchObject([
    {
      codigo,
      outcome: 'newVersion',
      changes: [{ member: 'nomeCidade', after: 'Bonn' }],
      notices: [{ path: '/tin' }, { path: '/cep' }, { path: '/codigoInterno' }],
    },
  ]);
});

test('texts get back the zeros that a spreadsheet removed, and may get more', async () => {
  const attributeOf = (atributo: string, valor: string) => ({ atributo, valor });
  const box = { ...PLAIN, denominacao: '007', atributos: [attributeOf('ATT_90032', '0100')] };
  const { codigo } = (await demo.call('POST', PRODUCTS, box)).json;
  const composition = [[attributeOf('ATT_90021', '0042'), attributeOf('ATT_90022', '1.5')]];
  const cream = await demo.call('POST', PRODUCTS, {
    ...PLAIN,
    ncm: '33049990',
    atributos: [attributeOf('ATT_90040', '01')],
    atributosCompostosMultivalorados: [{ atributo: 'ATT_90020', valores: composition }],
  });
  const rows = [
    ['Código', 'Versão', 'Denominação', 'ATT_90032', 'ATT_90020/ATT_90021'],
    [String(codigo), '1', '7', '100', ''],
    [String(cream.json.codigo), '1', '', '', '42'],
  ];
  const secondRun = await importRows(demo, rows);
  expect(secondRun.rows).toMatchObject([
    { outcome: 'unchanged', notices: [{ path: '/denominacao' }, { path: '/atributo:ATT_90032' }] },
    { outcome: 'unchanged', notices: [{ path: '/atributo:ATT_90020/ATT_90021' }] },
  ]);
  const more = await importRows(demo, [
    ['Código', 'ATT_90032'],
    [String(codigo), '00100'],
  ]);
  expect(more.rows).toMatchObject([{ changes: [{ before: '0100', after: '00100' }] }]);
});

test('a whole number that a program wrote with decimals is accepted; three decimals may be thousands', async () => {
  const headings = ['Nome', 'NCM', 'Modalidade', 'ATT_90032', 'ATT_90035'];
  const bicycle = (centimetres: string) => ['Bicicleta', '87120010', 'IMP', 'M', centimetres];
  const { rows } = await importRows(demo, [headings, ...['54.0', '54,00', '54,5', '5,000'].map(bicycle)]);
  expect(outcomes(rows)).toEqual(['created', 'created', 'failed', 'failed']);
  expect(rows[0].notices[0].message).toContain('recebido "54.0", lido como 54');
});
