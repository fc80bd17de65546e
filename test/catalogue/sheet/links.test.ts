/** Links of a sheet: products by their internal codes, and several makers in one cell (contract section 24). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { COMPANY, ended, importRows } from './support.ts';

const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const OPERATORS = `/catp/api/ext/operador-estrangeiro/${COMPANY}`;

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});
afterEach(() => server.close());

const include = async (codigosInterno: readonly string[], denominacao = 'Caixa'): Promise<string> => {
  const body = { denominacao, codigosInterno, modalidade: 'IMPORTACAO', ncm: '39269090' };
  return String((await demo.call('POST', PRODUCTS, body)).json.codigo);
};
const operator = async (nome: string, codigoPais: string): Promise<string> => {
  const body = { nome, logradouro: 'Rua 1', nomeCidade: 'Lugar' };
  return (await demo.call('POST', `${OPERATORS}/${codigoPais}`, body)).json.codigo;
};
const linksOf = async (codigo: string): Promise<readonly (readonly [string, string | null])[]> => {
  const path = `/appliance/api/manufacturer-links?cpfCnpjRaiz=${COMPANY}&codigoProduto=${codigo}`;
  const { json } = await demo.call('GET', path);
  return json.items
    .map(
      (one: { codigoPais: string; codigoOperadorEstrangeiro?: string }) =>
        [one.codigoPais, one.codigoOperadorEstrangeiro ?? null] as const,
    )
    .toSorted();
};
const links = (rows: readonly (readonly string[])[], options: object = {}) =>
  importRows(demo, rows, options, 'fabricante');

const BY_CODE = ['SKU', 'Conhecido', 'País'];

describe('a link by an internal code', () => {
  test('belongs to the only active product with the code, ignoring leading zeros', async () => {
    const codigo = await include(['000771']);
    const { rows } = await links([BY_CODE, ['771', 'Não', 'CN'], ['000771', 'Não', 'US']]);
    expect(rows).toMatchObject([
      { outcome: 'created', codigo, notices: [{ path: '/codigoInterno' }] },
      { outcome: 'created', codigo, notices: [] },
    ]);
    expect(await linksOf(codigo)).toEqual([
      ['CN', null],
      ['US', null],
    ]);
  });

  test('is an error of the row if several active products have the code, or none', async () => {
    const [one, two] = [await include(['DUPLO']), await include(['DUPLO'], 'Balde')];
    const { rows } = await links([BY_CODE, ['DUPLO', 'Não', 'CN'], ['NENHUM', 'Não', 'CN']]);
    expect(rows).toMatchObject([
      {
        outcome: 'failed',
        problems: [
          {
            code: 'CATP-ER1034',
            cell: 'A2',
            member: 'codigoInterno',
            message: expect.stringContaining(`${one}, ${two}`),
          },
        ],
      },
      {
        outcome: 'failed',
        problems: [
          { cell: 'A3', heading: 'SKU', member: 'codigoInterno', message: expect.stringContaining('NENHUM') },
        ],
      },
    ]);
    await demo.call('PUT', `${PRODUCTS}/${two}`, {
      denominacao: 'Balde',
      codigosInterno: ['DUPLO'],
      modalidade: 'IMPORTACAO',
      ncm: '39269090',
      situacao: 'DESATIVADO',
    });
    const deactivation = [
      ['Código', 'Versão', 'Denominação', 'Situação'],
      [two, '1', 'Balde', 'Desativado'],
    ];
    await importRows(demo, deactivation);
    const again = await links([BY_CODE, ['DUPLO', 'Não', 'CN']]);
    expect(again.rows).toMatchObject([{ outcome: 'created', codigo: one }]);
  });

  test('is overridden by the number of the catalogue, with a notice if they differ', async () => {
    const [one] = [await include(['A1']), await include(['B1'], 'Balde')];
    const mapping = [
      { index: 0, target: 'codigoProduto' },
      { index: 1, target: 'codigoInterno' },
    ];
    const { rows } = await links(
      [
        ['Código do produto', 'SKU', 'Conhecido', 'País'],
        [one, 'B1', 'Não', 'CN'],
        [one, 'A1', 'Não', 'US'],
      ],
      { mapping },
    );
    expect(rows).toMatchObject([
      { outcome: 'created', codigo: one, notices: [{ path: '/codigoInterno' }] },
      { outcome: 'created', codigo: one, notices: [] },
    ]);
  });
});

describe('several manufacturers in one cell', () => {
  test.each([['CN|US'], ['CN; US'], ['CN\nUS'], ['China | Estados Unidos']])(
    '%j make several links',
    async (countries) => {
      const codigo = await include(['M1']);
      const row = ['M1', 'Não', countries];
      const dry = await links([BY_CODE, row], { simular: true });
      expect(dry.rows).toMatchObject([
        {
          outcome: 'created',
          changes: expect.arrayContaining([
            expect.objectContaining({ member: 'codigoPais', after: 'CN | US' }),
          ]),
        },
      ]);
      expect(await linksOf(codigo)).toEqual([]);
      const first = await links([BY_CODE, row]);
      expect(first.rows).toMatchObject([{ outcome: 'created', problems: [] }]);
      expect(await linksOf(codigo)).toEqual([
        ['CN', null],
        ['US', null],
      ]);
      expect((await links([BY_CODE, row])).rows).toMatchObject([{ outcome: 'unchanged' }]);
      const more = await links([BY_CODE, ['M1', 'Não', `${countries}|DE`]]);
      expect(more.rows).toMatchObject([
        {
          outcome: 'created',
          changes: expect.arrayContaining([expect.objectContaining({ member: 'codigoPais', after: 'DE' })]),
        },
      ]);
      const undo = await ended(demo, await demo.call('POST', `/appliance/api/imports/${first.id}/undo`, {}));
      expect(undo.rows).toMatchObject([{ outcome: 'newVersion' }]);
      expect(await linksOf(codigo)).toEqual([['DE', null]]);
    },
  );

  test('are paired with their operators in order, by code or by name', async () => {
    const codigo = await include(['M2']);
    const [chinese, american] = [await operator('Werk CN', 'CN'), await operator('Works US', 'US')];
    const HEADINGS = [...BY_CODE, 'Operador estrangeiro'];
    const { rows } = await links([HEADINGS, ['M2', 'Sim', 'CN; US', `Werk CN; ${american}`]]);
    expect(rows).toMatchObject([{ outcome: 'created' }]);
    expect(await linksOf(codigo)).toEqual([
      ['CN', chinese],
      ['US', american],
    ]);
  });

  test('are all linked or none, and different counts are an error of the row', async () => {
    const codigo = await include(['M3']);
    const [chinese] = [await operator('Werk CN', 'CN')];
    const HEADINGS = [...BY_CODE, 'Operador estrangeiro'];
    const { rows } = await links([
      HEADINGS,
      ['M3', 'Sim', 'CN|US', `${chinese}|NADA`],
      ['M3', 'Sim', 'CN|US', chinese],
      ['M3', 'Sim', 'CN', `${chinese}|${chinese}`],
      ['M3', 'Não', 'CN|XX', ''],
    ]);
    expect(rows).toMatchObject([
      { outcome: 'failed', problems: [{ member: 'codigoOperadorEstrangeiro', cell: 'D2' }] },
      {
        outcome: 'failed',
        problems: [
          { cell: 'D3', message: expect.stringContaining('País tem 2 valores e Operador estrangeiro tem 1') },
        ],
      },
      {
        outcome: 'failed',
        problems: [
          { cell: 'D4', message: expect.stringContaining('País tem 1 valor e Operador estrangeiro tem 2') },
        ],
      },
      { outcome: 'failed', problems: [{ member: 'codigoPais', cell: 'C5' }] },
    ]);
    expect(await linksOf(codigo)).toEqual([]);
  });
});

describe('codes in one cell of a product', () => {
  const HEADINGS = ['SKU', 'Nome', 'NCM', 'Modalidade'];
  const row = (codes: string, name: string) => [codes, name, '39269090', 'IMP'];
  const codesOf = async (codigo: string): Promise<readonly string[]> =>
    (await demo.call('GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`)).json[0]
      .codigosInterno;

  test('are separated by |, ; and line breaks, not by a comma or slash, with one notice', async () => {
    const { rows } = await importRows(demo, [
      HEADINGS,
      row('A1|A2;A3\nA4', 'Caixa'),
      row('B1, B2', 'Balde'),
      row('C1/C2', 'Tampa'),
      row(String.raw`D1\;D2`, 'Alça'),
    ]);
    expect(rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(4).fill('created'));
    const codes = await Promise.all(rows.map(({ codigo }: { codigo: string }) => codesOf(codigo)));
    expect(codes).toEqual([['A1', 'A2', 'A3', 'A4'], ['B1, B2'], ['C1/C2'], ['D1;D2']]);
    expect(rows.map(({ notices }: { notices: object[] }) => notices)).toEqual([
      [],
      [{ path: '/codigosInterno', message: expect.stringContaining('vírgula e barra não separam códigos') }],
      [],
      [],
    ]);
    const exportedCsv = await demo.call('GET', `/appliance/api/products.csv?cpfCnpjRaiz=${COMPANY}`);
    expect(exportedCsv.text).toContain(String.raw`D1\;D2`);
  });
});
