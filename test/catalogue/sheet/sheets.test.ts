/**
 * Uploaded spreadsheets: their content, the target of each column and its reason, their visibility and
 * their age (contract section 24).
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { rowsXml, simpleXlsx, xlsxOf } from '../../sheet/support.ts';
import { COMPANY, SHEETS, csv, send, targetsIn } from './support.ts';

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});

afterEach(() => server.close());

const guess = async (...rows: (readonly string[])[]) => targetsIn(await send(demo, csv(rows)));

describe('a sender', () => {
  test('must sign in, and represent the company', async () => {
    expect((await send(server.anybody, 'a;b')).status).toBe(401);
    expect((await send(await server.as('admin'), 'a;b')).status).toBe(403);
    expect((await send(demo, 'NCM;Nome\n1;2', { company: '99999999' })).status).toBe(403);
    expect(readdirSync(join(server.folder, 'imports'))).toEqual([]);
  });

  test('sees the sheet for an hour, also after a restart; other users do not see it', async () => {
    const { json, status } = await send(
      demo,
      simpleXlsx([
        ['NCM', 'Nome'],
        ['39269090', 'Caixa'],
      ]),
    );
    expect(status).toBe(201);
    const path = `${SHEETS}/${json.id}`;
    expect((await demo.call('GET', path)).json).toEqual(json);
    expect((await (await server.as('demo2')).call('GET', path)).status).toBe(404);
    const { folder, clock } = server;
    await server.close({ keepFolder: true });
    server = await openApp({ folder, clock });
    demo = await server.as('demo');
    expect((await demo.call('GET', path)).json).toEqual(json);
    clock.moveTo(clock.now() + 60 * 60_000 - 1);
    expect((await demo.call('GET', path)).status).toBe(200);
    clock.moveTo(clock.now() + 1);
    demo = await server.as('demo'); // the session has also expired
    expect((await demo.call('GET', path)).status).toBe(404);
  });

  test('keeps the newest twenty sheets', async () => {
    const ids = [];
    for (let at = 0; at < 21; at += 1) ids.push((await send(demo, 'NCM;Nome\n39269090;x')).json.id);
    expect((await demo.call('GET', `${SHEETS}/${ids[0]}`)).status).toBe(404);
    expect((await demo.call('GET', `${SHEETS}/${ids[1]}`)).status).toBe(200);
    expect(readdirSync(join(server.folder, 'imports'))).toHaveLength(20);
  });
});

describe('a file', () => {
  test('that is no sheet is refused, and none of it is stored', async () => {
    for (const content of ['[{"seq":1}]', '', 'só um título\n']) {
      const { status, json } = await send(demo, content);
      expect([status, json.detail[0].code]).toEqual([422, 'CATP-ER1031']);
    }
    expect(readdirSync(join(server.folder, 'imports'))).toEqual([]);
  });

  test('over 50 MiB answers 413', async () => {
    expect((await send(demo, 'x'.repeat(50 * 1024 * 1024 + 1))).status).toBe(413);
  });

  test('needs a kind', async () => {
    const { status, json } = await demo.call(
      'POST',
      `${SHEETS}?cpfCnpjRaiz=${COMPANY}&tipo=outro`,
      new FormData(),
    );
    expect(status).toBe(400);
    expect(json.detail[0].path).toBe('tipo');
    expect(
      (await demo.call('POST', `${SHEETS}?cpfCnpjRaiz=${COMPANY}&tipo=produto`, new FormData())).status,
    ).toBe(400);
  });
});

describe('the answer', () => {
  test('has the sheets, their headings, three samples, and the guess with its reason', async () => {
    const { json } = await send(
      demo,
      simpleXlsx([
        ['Materiais de 2026'],
        ['Clas. Fiscal (NCM)', 'Nome', 'Coisa'],
        ['39269090', 'Caixa', ''],
        ['39269090', 'Balde', 'a'],
        ['73181500', 'Porca', 'b'],
        ['73181500', 'Arruela', 'b'],
      ]),
    );
    expect(json).toEqual({
      id: expect.any(Number),
      table: 0,
      sheets: [
        {
          table: 0,
          name: 'Dados',
          rows: 4,
          headerRow: 2,
          seems: null,
          targets: expect.arrayContaining([
            { target: 'ncm', heading: 'NCM', isRequired: true },
            { target: 'descricao', heading: 'Descrição', isRequired: false },
          ]),
          columns: [
            {
              index: 0,
              heading: 'Clas. Fiscal (NCM)',
              samples: ['39269090', '73181500'],
              target: 'ncm',
              because: 'palpite',
              meanings: [],
              sure: true,
            },
            {
              index: 1,
              heading: 'Nome',
              samples: ['Caixa', 'Balde', 'Porca'],
              target: 'denominacao',
              because: 'palpite',
              meanings: [],
              sure: true,
            },
            {
              index: 2,
              heading: 'Coisa',
              samples: ['a', 'b'],
              target: null,
              because: 'desconhecida',
              meanings: [],
              sure: true,
            },
          ],
        },
      ],
    });
  });

  test('has the possible targets: the members, and the attributes of the NCMs in the sheet', async () => {
    const { json } = await send(
      demo,
      csv([
        ['NCM', 'Nome'],
        ['22042100', 'Vinho'],
      ]),
    );
    const headings = json.sheets[0].targets.map((one: { heading: string }) => one.heading);
    expect(headings).toContain('Teor alcoólico (% vol) (ATT_90002)');
    expect(headings.filter((one: string) => one.endsWith('/ATT_90011)'))).toHaveLength(1);
    const other = await send(demo, 'NCM;Nome\r\n39269090;Caixa');
    expect(JSON.stringify(other.json)).not.toContain('ATT_90011');
  });

  test.each([
    ['operador-estrangeiro', 'Razão social;País;Endereço;Cidade', 'Acme;Alemanha;Rua 1;Berlim'],
    ['fabricante', 'Produto;Conhecido;País', '1;Sim;Alemanha'],
    ['produto', 'SKU;Título;NCM;Operação', 'A1;Caixa;39269090;Importação'],
    [null, 'Coisa;Outra', '1;2'],
  ])('describes the kind of its rows: %s', async (expectedKind, ...lines) => {
    const { json } = await send(demo, lines.join('\r\n'));
    expect(json.sheets[0].seems).toBe(expectedKind);
  });

  test('guesses again for another heading row, and for one of several sheets', async () => {
    const data = rowsXml([
      ['NCM', 'Nome'],
      ['Código NCM', 'Título'],
      ['39269090', 'Caixa'],
    ]);
    const sheets = [
      { name: 'Um', data },
      { name: 'Nada', data: '' },
      { name: 'Dois', data },
    ];
    const { json } = await send(demo, xlsxOf({ sheets }));
    expect(json.sheets.map(({ table, name }: { table: number; name: string }) => [table, name])).toEqual([
      [0, 'Um'],
      [2, 'Dois'],
    ]);
    const secondGuess = await demo.call('GET', `${SHEETS}/${json.id}?table=2&headerRow=2`);
    expect(secondGuess.json.sheets).toMatchObject([{ table: 2, name: 'Dois', headerRow: 2, rows: 1 }]);
    expect(targetsIn(secondGuess)).toEqual({ 'Código NCM': 'ncm', Título: 'denominacao' });
    expect((await demo.call('GET', `${SHEETS}/${json.id}?table=1`)).status).toBe(422);
    expect((await demo.call('GET', `${SHEETS}/${json.id}?headerRow=0`)).status).toBe(400);
  });
});

describe('a guess of products', () => {
  test('recognises the headings of ERPs, in any order', async () => {
    expect(
      await guess(
        ['Texto breve de material', 'Cód. Material', 'NCM', 'Tipo'],
        ['Caixa', 'X-1', '3926.90.90', 'IMP'],
      ),
    ).toEqual({
      'Texto breve de material': 'denominacao',
      'Cód. Material': 'codigosInterno',
      NCM: 'ncm',
      Tipo: 'modalidade',
    });
    expect(await guess(['B1_COD', 'B1_DESC', 'B1_POSIPI'], ['000123', 'Caixa', '39269090'])).toEqual({
      B1_COD: 'codigosInterno',
      B1_DESC: 'denominacao',
      B1_POSIPI: 'ncm',
    });
    expect(
      await guess(
        ['Código', 'Descrição', 'Descrição Complementar', 'GTIN/EAN', 'NCM', 'Situação'],
        ['10', 'Caixa', 'Azul', '789', '39269090', 'Ativo'],
      ),
    ).toEqual({
      Código: 'codigosInterno',
      Descrição: 'denominacao',
      'Descrição Complementar': 'descricao',
      'GTIN/EAN': null,
      NCM: 'ncm',
      Situação: 'situacao',
    });
    expect(
      await guess(
        ['Código', 'Descrição', 'Código de Barras (GTIN)', 'Código EAN', 'NCM'],
        ['P-1', 'Caixa', 'SEM GTIN', '789', '39269090'],
      ),
    ).toMatchObject({ Código: 'codigosInterno', 'Código de Barras (GTIN)': null, 'Código EAN': null });
    expect(
      await guess(
        ['Part number', 'Product name', 'Long text', 'Commodity code'],
        ['A', 'Box', 'Blue box', '39269090'],
      ),
    ).toEqual({
      'Part number': 'codigosInterno',
      'Product name': 'denominacao',
      'Long text': 'descricao',
      'Commodity code': 'ncm',
    });
  });

  test('accepts a common word only if the values fit', async () => {
    expect(await guess(['NCM', 'Nome', 'Tipo'], ['39269090', 'Caixa', 'Matéria-prima'])).toMatchObject({
      Tipo: null,
    });
    expect(await guess(['NCM', 'Código'], ['39269090', 'X-1'])).toMatchObject({ Código: 'codigosInterno' });
  });

  test('uses a description as the name if no other column is, and its texts are short', async () => {
    const long = 'x'.repeat(101);
    expect(await guess(['NCM', 'Descrição'], ['39269090', 'Caixa'])).toMatchObject({
      Descrição: 'denominacao',
    });
    expect(await guess(['NCM', 'Descrição'], ['39269090', long])).toMatchObject({ Descrição: 'descricao' });
    expect(await guess(['NCM', 'Descrição', 'Nome'], ['39269090', 'Caixa', 'a'])).toMatchObject({
      Descrição: 'descricao',
    });
  });

  test('gives several columns to the internal codes only', async () => {
    expect(
      await guess(['NCM', 'SKU', 'Part number', 'Nome', 'Produto'], ['39269090', 'a', 'b', 'Caixa', 'x']),
    ).toEqual({
      NCM: 'ncm',
      SKU: 'codigosInterno',
      'Part number': 'codigosInterno',
      Nome: 'denominacao',
      Produto: null,
    });
  });

  test('treats names of built-in JavaScript properties like any heading', async () => {
    expect(await guess(['Constructor', 'Nome'], ['x', 'Caixa'])).toEqual({
      Constructor: null,
      Nome: 'denominacao',
    });
  });

  test('prefers the name of an attribute to a part of the name of a member', async () => {
    const guesses = await guess(
      ['Descrição', 'NCM', 'Produto orgânico', 'NCM do fornecedor'],
      ['Café', '09012100', 'Não', 'x'],
    );
    expect(guesses).toMatchObject({
      Descrição: 'denominacao',
      'Produto orgânico': 'atributo:ATT_90005',
    });
  });

  test('recognises attributes by code, and by name in the NCMs of the sheet', async () => {
    expect(
      await guess(
        ['NCM', 'Nome', 'ATT_90032', 'Grupo (ATT_90010/ATT_90011)', 'Teor alcoólico'],
        ['22042100', 'Vinho', 'x', '1', '12,5'],
      ),
    ).toEqual({
      NCM: 'ncm',
      Nome: 'denominacao',
      ATT_90032: 'atributo:ATT_90032',
      'Grupo (ATT_90010/ATT_90011)': 'atributo:ATT_90010/ATT_90011',
      'Teor alcoólico': 'atributo:ATT_90002',
    });
  });
});

test('a guess of operators, links and acts has columns of its own', async () => {
  const guessOf = async (tipo: string, ...rows: (readonly string[])[]) =>
    targetsIn(await send(demo, csv(rows), { tipo }));
  expect(
    await guessOf(
      'operador-estrangeiro',
      ['Razão social', 'País', 'Endereço', 'Cidade', 'VAT'],
      ['A', 'Alemanha', 'b', 'c', 'd'],
    ),
  ).toEqual({
    'Razão social': 'nome',
    País: 'codigoPais',
    Endereço: 'logradouro',
    Cidade: 'nomeCidade',
    VAT: 'tin',
  });
  expect(
    await guessOf(
      'fabricante',
      ['Produto', 'Conhecido', 'País de origem', 'Fabricante'],
      ['1', 'Sim', 'DE', 'OPE_1'],
    ),
  ).toEqual({
    Produto: 'codigoProduto',
    Conhecido: 'conhecido',
    'País de origem': 'codigoPais',
    Fabricante: 'codigoOperadorEstrangeiro',
  });
  expect(await guessOf('ato-concessorio', ['Produto', 'Ato concessório', 'Item'], ['1', '2', '3'])).toEqual({
    Produto: 'codigoProduto',
    'Ato concessório': 'numeroAto',
    Item: 'numeroItem',
  });
});
