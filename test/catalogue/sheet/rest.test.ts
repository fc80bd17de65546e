/** All problems of a row are reported at once, and a row with any problem is never written (contract section 24). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { COMPANY, importRows } from './support.ts';

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});

afterEach(() => server.close());

const PRODUCTS = '/appliance/api/products';
const WINE = ['Denominação', 'NCM', 'Modalidade', 'ATT_90002', 'ATT_90004', 'ATT_90005'];

/** Wrong members: a value outside of its domain, one that ATT_90005 requires, and a mandatory one. */
const BROKEN = ['atributo:ATT_90004', 'atributo:ATT_90006', 'atributo:ATT_90010'];

const targetsOf = (row: { problems: { member: string }[] }): string[] =>
  row.problems.map(({ member }) => member).toSorted();
const countOf = async (path: string): Promise<number> =>
  (await demo.call('GET', `${path}?cpfCnpjRaiz=${COMPANY}&limit=1`)).json.total;

const include = async (content: object): Promise<number> =>
  (await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, content)).json.codigo;

describe('a row with an unreadable cell', () => {
  test('reports the rules that its other cells break, and is not written', async () => {
    const before = await countOf(PRODUCTS);
    const row = ['Vinho', '22042100', 'Importação', '1.234', '77', 'Sim'];
    for (const simular of [true, false]) {
      const { rows, job } = await importRows(demo, [WINE, row], { simular });
      expect(job).toMatchObject({ failed: 1, created: 0 });
      expect(targetsOf(rows[0])).toEqual(['atributo:ATT_90002', ...BROKEN]);
    }
    expect(await countOf(PRODUCTS)).toBe(before);
  });

  test('is not written even if its other cells are good', async () => {
    const codigo = await include({ denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' });
    const before = await countOf(PRODUCTS);
    const { rows } = await importRows(demo, [
      ['Código', 'Denominação', 'Modalidade', 'NCM', 'Situação'],
      [String(codigo), 'Outra', '', '', 'Ligado'],
      ['', 'Nova', 'Ida', '39269090', ''],
    ]);
    expect(rows.map(targetsOf)).toEqual([['situacao'], ['modalidade']]);
    const { json } = await demo.call('GET', `${PRODUCTS}?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`);
    expect(json.items[0]).toMatchObject({ denominacao: 'Caixa', versao: '1' });
    expect(await countOf(PRODUCTS)).toBe(before);
  });

  test('reports what else is wrong with a row whose key an earlier row has', async () => {
    const { rows } = await importRows(demo, [
      ['SKU', 'Denominação', 'NCM', 'Modalidade'],
      ['R1', '', '39269090', 'Importação'],
      ['R1', '', '3926', 'Importação'],
    ]);
    expect(rows.map(targetsOf)).toEqual([['denominacao'], ['codigosInterno', 'denominacao', 'ncm']]);
  });

  test('reports sizes, and what a new record lacks', async () => {
    const { rows } = await importRows(demo, [
      ['Denominação', 'NCM', 'Modalidade'],
      ['D'.repeat(4000), 'x', ''],
      ['', '22042100', 'Ida'],
    ]);
    expect(rows.map(targetsOf)).toEqual([
      ['denominacao', 'modalidade', 'ncm'],
      ['denominacao', 'modalidade'],
    ]);
  });

  test('reports nothing that only the missing cell causes', async () => {
    const { rows } = await importRows(demo, [WINE, ['Vinho', '2204210', 'Importação', '12,5', '01', 'Sim']]);
    expect(targetsOf(rows[0])).toEqual(['ncm']);
    const unknown = await importRows(demo, [
      ['Código no catálogo', 'NCM'],
      ['999999', '39269090'],
      ['999998', 'x'],
    ]);
    expect(unknown.rows.map(targetsOf)).toEqual([['codigo'], ['codigo', 'ncm']]);
  });
});

test('a row without text for a name reports its attributes too', async () => {
  const { rows } = await importRows(demo, [WINE, ['', '22042100', 'Importação', '12,5', '77', 'Sim']]);
  expect(targetsOf(rows[0])).toEqual([...BROKEN, 'denominacao']);
});

test('a row of an operator reports an unknown country and a long address together', async () => {
  const { rows } = await importRows(
    demo,
    [
      ['Nome', 'País', 'Logradouro', 'Cidade', 'Situação'],
      ['Um', 'Nenhures', 'L'.repeat(71), 'Berlim', 'Ligado'],
    ],
    {},
    'operador-estrangeiro',
  );
  expect(targetsOf(rows[0])).toEqual(['codigoPais', 'logradouro', 'situacao']);
});

test('a row of a link reports an unknown product and an unknown country together', async () => {
  const { rows } = await importRows(
    demo,
    [
      ['Código do produto', 'País', 'Conhecido'],
      ['x1', 'Nenhures', 'Talvez'],
    ],
    {},
    'fabricante',
  );
  expect(targetsOf(rows[0])).toEqual(['codigoPais', 'codigoProduto', 'conhecido']);
});
