/**
 * Rows of sheets as products (contract section 24): present columns change, others stay, and each cell is
 * read in its usual written form.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { xlsxOf } from '../../sheet/support.ts';
import { COMPANY, csv, importRows, run, send, targetsIn } from './support.ts';

const PRODUCTS = '/catp/api/ext/produto';

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});

afterEach(() => server.close());

const get = async (codigo: number | string) =>
  (await demo.call('GET', `${PRODUCTS}?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`)).json[0];

const include = async (content: object): Promise<number> =>
  (await demo.call('POST', `${PRODUCTS}/${COMPANY}`, content)).json.codigo;

const PLAIN = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const WINE = {
  denominacao: 'Vinho',
  modalidade: 'IMPORTACAO',
  ncm: '22042100',
  atributos: [
    { atributo: 'ATT_90002', valor: '12.5' },
    { atributo: 'ATT_90005', valor: 'false' },
  ],
  atributosMultivalorados: [{ atributo: 'ATT_90004', valores: ['01'] }],
  atributosCompostos: [
    {
      atributo: 'ATT_90010',
      valores: [
        { atributo: 'ATT_90011', valor: '01' },
        { atributo: 'ATT_90012', valor: '0.75' },
      ],
    },
  ],
};

describe('a new row', () => {
  test('is imported as people write it, and its result has all its members', async () => {
    const { job, rows } = await importRows(demo, [
      ['Nome', 'NCM', 'Modalidade', 'SKU', 'Part number'],
      ['Caixa', '3926.90.90', 'Importação', 'A | B', 'C'],
    ]);
    expect(job).toMatchObject({ state: 'done', created: 1, changesMany: false, tipo: 'produto' });
    expect(rows).toMatchObject([
      { row: 2, line: 2, outcome: 'created', name: 'Caixa', file: 'planilha.csv' },
    ]);
    expect(rows[0].changes).toContainEqual({
      member: 'ncm',
      heading: 'NCM',
      before: null,
      after: '39269090',
    });
    expect(await get(rows[0].codigo)).toMatchObject({
      ...PLAIN,
      codigosInterno: ['A', 'B', 'C'],
      situacao: 'ATIVADO',
    });
  });

  test('is refused with cell, heading and member, and with what is accepted', async () => {
    const { job, rows } = await importRows(demo, [
      ['Nome', 'NCM', 'Modalidade'],
      ['Caixa', '3926909', 'Compra'],
      ['', '39269090', 'IMP'],
      ['Balde', '12345678', 'IMP'],
    ]);
    expect(job).toMatchObject({ failed: 3, created: 0 });
    expect(rows[0].problems).toEqual([
      {
        path: '/modalidade',
        code: 'PUCX-ER0010',
        cell: 'C2',
        heading: 'Modalidade',
        member: 'modalidade',
        message: expect.stringMatching(/^Modalidade: recebido "Compra"; aceita Importação/),
      },
    ]);
    expect(rows[1].problems).toMatchObject([{ cell: 'A3', heading: 'Nome', member: 'denominacao' }]);
    expect(rows[2].problems).toMatchObject([{ cell: 'B4', member: 'ncm' }]);
  });

  test('gets back the leading zero of its NCM that a spreadsheet removed; a digit missing between points is not guessed', async () => {
    const { rows } = await importRows(demo, [
      ['Nome', 'NCM', 'Modalidade'],
      ['Café', '9012100', 'IMP'],
      ['Microscópio', '9012.10.0', 'IMP'],
      ['Caixa', '3926.90.9', 'IMP'],
    ]);
    expect(rows[0].notices).toEqual([
      { path: '/ncm', message: expect.stringContaining('recebido "9012100", lido como 09012100') },
    ]);
    expect(rows.slice(1).map(({ errors }: { errors: string[] }) => errors)).toEqual([
      ['NCM: recebido "9012.10.0", com 7 algarismos; aceita 8. Escreva todos.'],
      ['NCM: recebido "3926.90.9", com 7 algarismos; aceita 8. Escreva todos.'],
    ]);
  });

  test('may be a draft, and a column with a constant applies to all rows', async () => {
    const { rows } = await importRows(
      demo,
      [
        ['Nome', 'Situação'],
        ['Caixa', 'rascunho'],
      ],
      {
        constants: { ncm: '39269090' },
      },
    );
    expect(await get(rows[0].codigo)).toMatchObject({ situacao: 'RASCUNHO', ncm: '39269090' });
  });

  test('may have names of built-in JavaScript properties', async () => {
    const { rows } = await importRows(
      demo,
      [
        ['Nome', 'NCM', 'Modalidade'],
        ['constructor', '39269090', 'IMP'],
      ],
      { values: { denominacao: { a: 'b' } } },
    );
    expect(rows).toMatchObject([{ outcome: 'created', name: 'constructor' }]);
  });

  test('uses the meanings of values that the user sends', async () => {
    const { rows } = await importRows(
      demo,
      [
        ['Nome', 'NCM', 'Modalidade'],
        ['Caixa', '39269090', 'Entrada'],
      ],
      {
        values: { modalidade: { ENTRADA: 'IMPORTACAO' } },
      },
    );
    expect(rows).toMatchObject([{ outcome: 'created' }]);
  });
});

describe('a row of an existing product', () => {
  test('changes its columns and keeps all else; an empty cell also keeps its member, unless the order empties it', async () => {
    const codigo = await include({ ...WINE, descricao: 'Tinto', codigosInterno: ['V-1'] });
    const before = await get(codigo);
    const sheet = [
      ['Código', 'Nome', 'Descrição detalhada'],
      [String(codigo), 'Vinho tinto', ''],
    ];
    const emptyKept = await importRows(demo, sheet);
    expect(emptyKept.rows).toMatchObject([
      {
        outcome: 'newVersion',
        codigo: String(codigo),
        versao: '2',
        changes: [{ member: 'denominacao', before: 'Vinho', after: 'Vinho tinto' }],
      },
    ]);
    expect(await get(codigo)).toEqual({ ...before, versao: '2', denominacao: 'Vinho tinto' });
    expect((await importRows(demo, sheet)).rows).toMatchObject([
      { outcome: 'unchanged', versao: '2', changes: [] },
    ]);
    await importRows(demo, sheet, { empty: 'apagar' });
    expect(await get(codigo)).toMatchObject({ descricao: null, versao: '3' });
  });

  test('is found by an internal code, and the other codes of the row are added', async () => {
    const codigo = await include({ ...PLAIN, codigosInterno: ['A'] });
    const { rows } = await importRows(demo, [
      ['SKU', 'Nome'],
      ['A | B', 'Balde'],
    ]);
    expect(rows).toMatchObject([{ outcome: 'newVersion', codigo: String(codigo) }]);
    expect(await get(codigo)).toMatchObject({ denominacao: 'Balde', codigosInterno: ['A', 'B'] });
  });

  test('with codes of several products, an unknown number, or a repeated code is refused', async () => {
    const firstCode = await include({ ...PLAIN, codigosInterno: ['A'] });
    const secondCode = await include({ ...PLAIN, denominacao: 'Outra', codigosInterno: ['A'] });
    const several = await importRows(demo, [
      ['SKU', 'Nome'],
      ['A', 'x'],
    ]);
    expect(several.rows[0].problems).toMatchObject([
      { code: 'CATP-ER1034', cell: 'A2', message: expect.stringContaining(`${firstCode}, ${secondCode}`) },
    ]);
    await demo.call('PUT', `${PRODUCTS}/desativar/${COMPANY}/${firstCode}`);
    expect(
      (
        await importRows(demo, [
          ['SKU', 'Nome'],
          ['A', 'x'],
        ])
      ).rows,
    ).toMatchObject([{ outcome: 'newVersion', codigo: String(secondCode) }]);
    const unknownCode = await importRows(demo, [
      ['Código no catálogo', 'Nome'],
      ['999999', 'x'],
    ]);
    expect(unknownCode.rows[0].problems).toMatchObject([{ code: 'CATP-ER1033', cell: 'A2' }]);
    const repeatedRow = await importRows(demo, [
      ['Código', 'Nome'],
      [String(firstCode), 'y'],
      [`0${firstCode}`, 'z'],
    ]);
    expect(repeatedRow.rows[1].problems).toMatchObject([
      { code: 'CATP-ER1032', cell: 'A3', message: expect.stringContaining('linha 2') },
    ]);
  });

  test('that names another company is refused, unlike one that names its own', async () => {
    const { rows } = await importRows(demo, [
      ['Empresa', 'Nome', 'NCM', 'Modalidade'],
      ['87654321', 'a', '39269090', 'IMP'],
      ['12.345.678/0001-95', 'b', '39269090', 'IMP'],
    ]);
    expect(rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['failed', 'created']);
    expect(rows[0].problems).toMatchObject([{ code: 'CATP-ER1035', cell: 'A2' }]);
  });

  test('keeps the status of a draft or deactivated product unless it has another one', async () => {
    const draft = (
      await demo.call('POST', '/appliance/api/products/drafts', { cpfCnpjRaiz: COMPANY, ...PLAIN })
    ).json.codigo;
    const deactivatedCode = await include({ ...PLAIN, denominacao: 'Velha' });
    await demo.call('PUT', `${PRODUCTS}/desativar/${COMPANY}/${deactivatedCode}`);
    const rows = [
      ['Código', 'Descrição detalhada'],
      [String(draft), 'x'],
      [String(deactivatedCode), 'y'],
    ];
    await importRows(demo, rows);
    expect(await get(draft)).toMatchObject({ situacao: 'RASCUNHO', descricao: 'x' });
    expect(await get(deactivatedCode)).toMatchObject({ situacao: 'DESATIVADO', descricao: 'y' });
    const { rows: results } = await importRows(demo, [
      ['Código', 'Situação'],
      [String(draft), 'Ativo'],
      [String(deactivatedCode), 'Desativado'],
    ]);
    expect(results).toMatchObject([{ outcome: 'newVersion' }, { outcome: 'unchanged' }]);
    expect(await get(draft)).toMatchObject({ situacao: 'ATIVADO' });
    const reactivation = await importRows(demo, rows, { reactivate: true });
    expect(reactivation.rows[1].changes).toEqual([
      { member: 'situacao', heading: 'Situação', before: 'DESATIVADO', after: 'ATIVADO' },
    ]);
  });

  test('deactivates it if the row changes nothing else', async () => {
    const codigo = await include(PLAIN);
    const both = await importRows(demo, [
      ['Código', 'Situação', 'Nome'],
      [String(codigo), 'Inativo', 'Outro'],
    ]);
    expect(both.rows[0].problems).toMatchObject([{ code: 'CATP-ER1036', cell: 'B2' }]);
    const { rows } = await importRows(demo, [
      ['Código', 'Situação', 'Nome'],
      [String(codigo), 'Inativo', 'Caixa'],
    ]);
    expect(rows).toMatchObject([{ outcome: 'deactivated' }]);
    expect(await get(codigo)).toMatchObject({ situacao: 'DESATIVADO', versao: '1' });
  });

  test('is refused if it and a newer version changed the same member', async () => {
    const codigo = await include({ ...PLAIN, descricao: 'Azul' });
    await demo.call('PUT', `${PRODUCTS}/${COMPANY}/${codigo}`, { ...PLAIN, descricao: 'Verde' });
    const row = (nome: string, descricao: string) => [
      ['Código', 'Versão', 'Nome', 'Descrição detalhada'],
      [String(codigo), '1', nome, descricao],
    ];
    const both = await importRows(demo, row('Caixa', 'Preta'));
    expect(both.rows[0].problems).toMatchObject([
      {
        code: 'CATP-ER1027',
        cell: 'D2',
        member: 'descricao',
        message: expect.stringContaining('mudouDepois'),
      },
    ]);
    const other = await importRows(demo, row('Balde', 'Azul'));
    expect(other.rows[0].changes).toMatchObject([{ member: 'denominacao' }]);
    expect(await get(codigo)).toMatchObject({ denominacao: 'Balde', descricao: 'Verde' });
    await importRows(demo, row('Caixa', 'Preta'), { conflict: 'sobrepor' });
    expect(await get(codigo)).toMatchObject({ descricao: 'Preta' });
  });
});

describe('attributes', () => {
  test('by code and by name, with words, commas, days and several values', async () => {
    const upload = await send(
      demo,
      csv([
        [
          'Nome',
          'NCM',
          'Modalidade',
          'Teor alcoólico',
          'ATT_90005',
          'ATT_90004',
          'ATT_90011',
          'ATT_90010/ATT_90012',
        ],
        ['Vinho', '22042100', 'IMP', '12,5', 'Não', '1', '1', '0,75'],
      ]),
    );
    expect(targetsIn(upload)).toMatchObject({ 'Teor alcoólico': 'atributo:ATT_90002' });
    const { rows } = await run(demo, { sheet: upload.json.id });
    expect(rows).toMatchObject([{ outcome: 'created', problems: [] }]);
    expect(await get(rows[0].codigo)).toMatchObject({
      atributos: WINE.atributos,
      atributosMultivalorados: WINE.atributosMultivalorados,
      atributosCompostos: WINE.atributosCompostos,
    });
  });

  test('of one column leave the other attributes', async () => {
    const codigo = await include(WINE);
    const { rows } = await importRows(demo, [
      ['Código', 'ATT_90002'],
      [String(codigo), '11,75'],
    ]);
    expect(rows[0].changes).toEqual([
      { member: 'atributo:ATT_90002', heading: 'Teor alcoólico (% vol)', before: '12.5', after: '11.75' },
    ]);
    expect((await get(codigo)).atributosMultivalorados).toEqual(WINE.atributosMultivalorados);
  });

  test('that are wrong are reported at their cells; an ambiguous number is not guessed', async () => {
    const codigo = await include(WINE);
    const { rows } = await importRows(demo, [
      ['Código', 'ATT_90002', 'ATT_90005'],
      [String(codigo), '1.234', 'talvez'],
      ['', '#N/D', ''],
    ]);
    expect(rows[0].problems).toMatchObject([
      { cell: 'B2', member: 'atributo:ATT_90002', message: expect.stringContaining('milhar') },
      { cell: 'C2', member: 'atributo:ATT_90005' },
    ]);
    expect(rows[1].problems).toContainEqual(
      expect.objectContaining({ cell: 'B3', message: expect.stringContaining('#N/D') }),
    );
    const rule = await importRows(demo, [
      ['Código', 'ATT_90002'],
      [String(codigo), '1234567'],
    ]);
    expect(rule.rows[0].problems).toMatchObject([
      { cell: 'B2', heading: 'ATT_90002', member: 'atributo:ATT_90002' },
    ]);
  });
});

test('a code that a spreadsheet changed is noticed or refused', async () => {
  const styles = '<cellXfs><xf numFmtId="0"/></cellXfs>';
  const header = ['Nome', 'NCM', 'Modalidade', 'SKU']
    .map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`)
    .join('');
  const row = (sku: string, ncm = '<c><v>1012100</v></c>', attributes = '') =>
    `<row ${attributes}><c t="str"><v>Cavalo</v></c>${ncm}<c t="str"><v>IMP</v></c>${sku}</row>`;
  const data = `<row>${header}</row>${row('<c t="str"><v>12345.0</v></c>', undefined, 'hidden="1"')}${row('<c t="str"><v>1,23E+05</v></c>')}`;
  const { rows } = await importRows(demo, xlsxOf({ sheets: [{ name: 'A', data }], styles }), {
    simular: true,
  });
  expect(rows[0].notices.map(({ message }: { message: string }) => message)).toEqual([
    'A linha está oculta na planilha.',
    expect.stringContaining('lido como 01012100'),
    expect.stringContaining('lido como 12345'),
  ]);
  expect(rows[1].problems).toContainEqual(
    expect.objectContaining({ cell: 'D3', message: expect.stringContaining('algarismos') }),
  );
});
