/** Several values of an attribute in one cell, and attributes in pairs of columns (contract section 24). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { activate, load, tableFile } from '../attribute/support.ts';
import { COMPANY, csv, importRows, send, targetsIn } from './support.ts';

const NCM = '3926.90.90';
const WORDS = ['Merlot', 'Tannat', 'Cabernet / Franc', 'Pinot', 'Pinot e Syrah', 'Doce, seco'];
const dominio = WORDS.map((descricao, at) => ({ codigo: `0${at + 1}`, descricao }));

function table(): object {
  const { detalhesAtributos, ...file } = tableFile('9', {
    [NCM]: [{ codigo: 'ATT_1' }, { codigo: 'ATT_2' }, { codigo: 'ATT_15120' }],
  }) as { readonly detalhesAtributos: readonly { readonly codigo: string }[] };
  const pair = { modalidade: 'Importação', obrigatorio: false, dataInicioVigencia: '2020-01-01' };
  return {
    ...file,
    listaNcm: [
      {
        codigoNcm: NCM,
        listaAtributos: [
          { ...pair, codigo: 'ATT_1', multivalorado: true },
          { ...pair, codigo: 'ATT_2', multivalorado: false },
          { ...pair, codigo: 'ATT_15120', multivalorado: false },
        ],
      },
    ],
    detalhesAtributos: detalhesAtributos.map((detail) =>
      detail.codigo === 'ATT_1' ? { ...detail, formaPreenchimento: 'LISTA_ESTATICA', dominio } : detail,
    ),
  };
}

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp();
  demo = await server.as('demo');
  const admin = await server.as('admin');
  await activate(admin, await load(admin, table()));
});
afterEach(() => server.close());

const get = async (codigo: string) =>
  (await demo.call('GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`)).json[0];
const HEADINGS = ['SKU', 'Nome', 'NCM', 'Modalidade'];
const row = (sku: string, ...cells: readonly string[]) => [sku, 'Vinho', '39269090', 'IMP', ...cells];

test('a cell with several values of a domain is split if each part is a value; a value with a separator stays whole', async () => {
  const cells = [
    ['Merlot / Tannat', ['01', '02']],
    ['Merlot, Tannat', ['01', '02']],
    ['Merlot e Tannat', ['01', '02']],
    ['merlot | 02', ['01', '02']],
    ['Cabernet / Franc', ['03']],
    ['Cabernet / Franc, Merlot e Pinot e Syrah', ['03', '01', '05']],
    ['Pinot e Tannat/Doce, seco', ['04', '02', '06']],
  ] as const;
  const rows = cells.map(([cell], at) => row(`S${at}`, cell));
  const imported = await importRows(demo, [[...HEADINGS, 'ATT_1'], ...rows]);
  expect(imported.rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual(
    cells.map(() => 'created'),
  );
  for (const [at, [, valores]] of cells.entries())
    expect((await get(imported.rows[at].codigo)).atributosMultivalorados).toEqual([
      { atributo: 'ATT_1', valores },
    ]);
  const wrong = await importRows(demo, [[...HEADINGS, 'ATT_1'], row('W', 'Merlot / Malbec')]);
  expect(wrong.rows).toMatchObject([
    { outcome: 'failed', problems: [{ cell: 'E2', member: 'atributo:ATT_1' }] },
  ]);
});

describe('pairs of columns', () => {
  const PAIRS = [...HEADINGS, 'Atributo 1', 'Valor Atributo 1', 'Cód. do atributo 2', 'Atributo 2 - valor'];

  test('are guessed and applied: the code in one cell, the value in the other', async () => {
    const content = [
      PAIRS,
      row('P1', 'ATT 15120', 'aço', 'ATT-1', 'Merlot / Tannat'),
      row('P2', 'ATT15120', 'ferro', '', ''),
      row('P3', 'ATT_2', 'x', 'Cor (ATT_15120)', 'azul'),
    ];
    const upload = await send(demo, csv(content));
    expect(targetsIn(upload)).toMatchObject({
      'Atributo 1': 'par:1:codigo',
      'Valor Atributo 1': 'par:1:valor',
      'Cód. do atributo 2': 'par:2:codigo',
      'Atributo 2 - valor': 'par:2:valor',
    });
    const { rows } = await importRows(demo, content);
    expect(rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(3).fill('created'));
    expect(await get(rows[0].codigo)).toMatchObject({
      atributos: [{ atributo: 'ATT_15120', valor: 'aço' }],
      atributosMultivalorados: [{ atributo: 'ATT_1', valores: ['01', '02'] }],
    });
    expect((await get(rows[1].codigo)).atributos).toEqual([{ atributo: 'ATT_15120', valor: 'ferro' }]);
    expect((await get(rows[2].codigo)).atributos).toEqual([
      { atributo: 'ATT_2', valor: 'x' },
      { atributo: 'ATT_15120', valor: 'azul' },
    ]);
  });

  test('without an attribute, or with a repeated one, are an error at their cell', async () => {
    const { rows } = await importRows(
      demo,
      [
        PAIRS,
        row('P1', 'peso', '1', '', ''),
        row('P2', '', '1', 'ATT_2', 'x'),
        row('P3', 'ATT_2', 'x', 'ATT-2', 'y'),
        row('P4', 'ATT_1', 'Malbec', 'ATT_2', 'y'),
      ],
      {
        mapping: [4, 5, 6, 7].map((index) => ({
          index,
          target: `par:${index < 6 ? 1 : 2}:${index % 2 === 0 ? 'codigo' : 'valor'}`,
        })),
      },
    );
    expect(rows).toMatchObject([
      { problems: [{ cell: 'E2', member: 'par:1:codigo', message: expect.stringContaining('peso') }] },
      { problems: [{ cell: 'F3', member: 'par:1:valor', message: expect.stringContaining('sem o código') }] },
      {
        problems: [
          { cell: 'H4', member: 'atributo:ATT_2', message: expect.stringContaining('Valor Atributo 1') },
        ],
      },
      { problems: [{ cell: 'F5', member: 'atributo:ATT_1' }] },
    ]);
  });

  test('are not recognised without their other column', async () => {
    const upload = await send(demo, csv([[...HEADINGS, 'Valor 1', 'Atributo 2'], row('P1', '10', 'ATT_2')]));
    expect(targetsIn(upload)).toMatchObject({ 'Valor 1': null, 'Atributo 2': null });
  });
});
