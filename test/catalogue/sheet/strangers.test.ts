/**
 * Sheets of untested programs and people (contract section 24): no guess does damage, and every ignored
 * part is reported.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { odsOf } from '../../sheet/ods.ts';
import { COMPANY, importRows, run, send, targetsIn } from './support.ts';

let server: TestApp;
let demo: Client;
beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});
afterEach(() => server.close());

const sheetOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.join(';')).join('\r\n');

test('an ERP code of a class, a place or another thing is no internal code', async () => {
  const otherHeadings = [
    ...['Tp.mat.', 'Grp. material', 'Gr.merc. material', 'Ctg. item', 'Código da origem', 'Código do centro'],
    ...[
      'Cód. empresa',
      'Código da embalagem',
      'Setor material',
      'Hierarquia de produtos SAP',
      'Org. vendas SAP',
    ],
  ];
  const headings = ['Material', 'Texto breve', 'NCM', ...otherHeadings];
  const rows = ['100234', '100235'].map((code) => [
    code,
    'Porca',
    '39269090',
    ...otherHeadings.map((_, at) => `R${at}`),
  ]);
  const targets = targetsIn(await send(demo, sheetOf([headings, ...rows])));
  expect(targets['Material']).toBe('codigosInterno');
  expect(otherHeadings.filter((heading) => targets[heading] !== null)).toEqual([]);
});

test('a heading that may mean a code or a material is decided by its values', async () => {
  const targetOf = async (...values: readonly string[]) =>
    targetsIn(
      await send(demo, sheetOf([['Nome', 'Material do quadro'], ...values.map((value) => ['Peça', value])])),
    )['Material do quadro'];
  expect(await targetOf('Aço', 'Alumínio')).toBeNull();
  expect(await targetOf('QD-1', 'QD-2')).toBe('codigosInterno');
});

test('the number of a supplier is its internal code, not its name', async () => {
  const headings = ['Vendor', 'Name 1', 'Street', 'City', 'Country'];
  const rows = [headings, ['0000100012', 'ACME Ltd', '1 Road', 'Boston', 'US']];
  const upload = await send(demo, sheetOf(rows), { tipo: 'operador-estrangeiro' });
  expect(targetsIn(upload)).toMatchObject({ Vendor: 'codigoInterno', 'Name 1': 'nome' });
  const operatorSheet = sheetOf([
    ['Vendor', 'Street'],
    ['ACME Ltd', '1 Road'],
  ]);
  expect(targetsIn(await send(demo, operatorSheet, { tipo: 'operador-estrangeiro' }))).toMatchObject({
    Vendor: 'nome',
  });
});

test('a number with another sign is refused with what to remove', async () => {
  const texts = ['13,5%', 'R$ 13,50', '13,5 % vol', '13º', '—'];
  const headings = ['Nome', 'NCM', 'Modalidade', 'ATT_90002', 'ATT_90003'];
  const { rows } = await importRows(demo, [
    headings,
    ...texts.map((text) => ['Vinho', '22042100', 'IMP', text, '']),
    ['Vinho', '22042100', 'IMP', '', '2021 (safra)'],
  ]);
  for (const [at, text] of [...texts, '2021 (safra)'].entries())
    expect(rows[at].errors.join(' ')).toContain(
      `recebido "${text}"; aceita um número. Escreva-o sem %, unidade, moeda, data ou hora.`,
    );
});

test('a row of a CSV that a separator shifted has a notice', async () => {
  const rows = [
    ['SKU', 'NCM', 'Modalidade', 'Nome', 'Descrição'],
    ['A1', '39269090', 'IMP', 'Parafuso', 'inox', 'sextavado'],
    ['A2', '39269090', 'IMP', 'Porca', 'inox'],
  ];
  const { json } = await send(demo, sheetOf(rows));
  const { rows: results } = await run(demo, { sheet: json.id, simular: true });
  expect(results[0].notices).toMatchObject([
    { message: expect.stringContaining('mais células do que o cabeçalho') },
  ]);
  expect(results[1].notices).toEqual([]);
});

test('a repeated key is reported in its own column', async () => {
  const { rows } = await importRows(demo, [
    ['Código SAP', 'Código ERP', 'Nome', 'NCM', 'Modalidade'],
    ['1', 'A', 'Tampa', '39269090', 'IMP'],
    ['2', 'A', 'Pino', '39269090', 'IMP'],
  ]);
  expect(rows[1].problems).toMatchObject([
    { cell: 'B3', heading: 'Código ERP', message: 'Código ERP: mesma chave da linha 2; deixe uma das duas.' },
  ]);
});

test('an unreadable part of a compound is not reported as missing', async () => {
  const { rows } = await importRows(demo, [
    [
      'Nome',
      'NCM',
      'Modalidade',
      'ATT_90002',
      'ATT_90004',
      'ATT_90005',
      'ATT_90010/ATT_90011',
      'ATT_90010/ATT_90012',
    ],
    ['Vinho', '22042100', 'IMP', '13,5', '02', 'não', '1', '0,75 L'],
  ]);
  expect(rows[0].problems).toMatchObject([
    { cell: 'H2', message: expect.stringContaining('aceita um número') },
  ]);
  expect(rows[0].problems).toHaveLength(1);
});

test('items of an NF-e, and tariff codes of other systems, are recognised', async () => {
  const invoice = sheetOf([
    ['cProd', 'xProd', 'NCM'],
    ['P-77', 'PARAFUSO', '73181500'],
  ]);
  expect(targetsIn(await send(demo, invoice))).toEqual({
    cProd: 'codigosInterno',
    xProd: 'denominacao',
    NCM: 'ncm',
  });
  for (const heading of ['HS Code', 'Tariff No.', 'NBM', 'HARMONIZED_TARIFF_CODE', 'Partida arancelaria'])
    expect(
      targetsIn(
        await send(
          demo,
          sheetOf([
            ['Nome', heading],
            ['Tampa', '39269090'],
          ]),
        ),
      )[heading],
    ).toBe('ncm');
});

test('rows that are filled only in columns without a target are counted and named', async () => {
  const sheet = [
    ['SKU', 'Denominação', 'Descrição', 'Modalidade', 'NCM', 'Prateleira'],
    ['P-1', 'Porca', 'Porca de aço', 'IMPORTACAO', '39269090', 'A1'],
    ['', '', '', '', '', 'B2'],
    ['P-2', 'Luva', 'Luva de aço', 'IMPORTACAO', '39269090', 'B3'],
    ['', '', '', '', '', 'B4'],
  ];
  const { job, rows } = await importRows(demo, sheet, { simular: true });
  expect(job).toMatchObject({ state: 'done', total: 2, failed: 0 });
  expect(JSON.stringify(rows.at(-1)?.notices)).toContain(
    '2 linhas ficaram de fora da importação, porque só têm valores em colunas sem destino: 3, 5.',
  );
});

test('an .ods is refused before an import starts, with the formats to save it as', async () => {
  const ods = odsOf([
    ['Nome', 'NCM', 'Modalidade'],
    ['Porca', '73181600', 'Importação'],
  ]);
  const sentence = 'O arquivo é uma planilha do LibreOffice (.ods); salve-a como XLSX ou CSV.';
  const reply = await send(demo, ods, { name: 'produtos.ods' });
  const form = new FormData();
  form.set('file', new File([ods as Uint8Array<ArrayBuffer>], 'produtos.ods'));
  for (const [name, value] of [
    ['cpfCnpjRaiz', COMPANY],
    ['tipo', 'produto'],
    ['planilha', '{}'],
  ] as const)
    form.set(name, value);
  const started = await demo.call('POST', '/appliance/api/imports', form);
  for (const { status, json } of [reply, started])
    expect([status, json.message]).toEqual([422, expect.stringContaining(sentence)]);
  expect((await demo.call('GET', '/appliance/api/imports')).json).toEqual([]);
});
