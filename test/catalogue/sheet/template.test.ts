/**
 * Sheets to be filled in (contract section 24): mapped automatically, with lists and words, and an
 * example that is accepted.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import readExcelFile from 'read-excel-file/node';
import table from '../../../src/demo/attribute-table-1.json' with { type: 'json' };
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { fileOf } from '../../sheet/support.ts';
import { run, send, targetsIn } from './support.ts';

const TEMPLATE = '/appliance/api/sheets/template';

let server: TestApp;
let demo: Client;
beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});
afterEach(() => server.close());

const ask = (query: string, form: 'xlsx' | 'csv' = 'xlsx') =>
  demo.call('GET', `${TEMPLATE}.${form}?${query}`);
const membersIn = (xlsx: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(xlsx)).map(([name, bytes]) => [name, strFromU8(bytes)]));
const sheetXml = (xlsx: Uint8Array, at: number): string =>
  membersIn(xlsx)[`xl/worksheets/sheet${at}.xml`] ?? '';

/** Copies the row of the example below the headings, as a user does. */
function withExample(xlsx: Uint8Array): Uint8Array<ArrayBuffer> {
  const files = membersIn(xlsx);
  const [row = ''] = /<row r="2">.*?<\/row>/s.exec(files['xl/worksheets/sheet2.xml'] ?? '') ?? [];
  const first = 'xl/worksheets/sheet1.xml';
  files[first] = (files[first] ?? '').replace('</sheetData>', `${row}</sheetData>`);
  return new Uint8Array(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
  );
}

async function importExample(query: string, tipo = 'produto') {
  const { bytes } = await ask(query);
  const upload = await send(demo, withExample(bytes), { tipo, name: 'modelo.xlsx' });
  expect(upload.status).toBe(201);
  expect(Object.values(targetsIn(upload))).not.toContain(null);
  expect(upload.json.sheets).toHaveLength(1);
  const { job, rows } = await run(demo, { sheet: upload.json.id, simular: true });
  return { targets: targetsIn(upload), job, rows };
}

describe('a template of products', () => {
  test('has an example of each NCM that is accepted unchanged, for any modality', async () => {
    for (const { codigoNcm } of table.listaNcm)
      for (const modality of ['', '&modalidade=IMPORTACAO', '&modalidade=EXPORTACAO', '&modalidade=AMBOS']) {
        const { rows } = await importExample(`ncm=${codigoNcm.replaceAll('.', '')}${modality}`);
        expect([codigoNcm, modality, rows]).toMatchObject([
          codigoNcm,
          modality,
          [{ outcome: 'created', problems: [] }],
        ]);
      }
  });

  test('has a column for each attribute and each part of a compound, with the names of the list', async () => {
    const { targets, rows } = await importExample('ncm=22042100');
    expect(targets).toMatchObject({
      'Teor alcoólico (% vol) (ATT_90002)': 'atributo:ATT_90002',
      'Embalagem: Material (ATT_90010/ATT_90011)': 'atributo:ATT_90010/ATT_90011',
    });
    // The example also has the attributes that its values require.
    expect(rows[0].changes).toContainEqual(
      expect.objectContaining({ member: 'atributo:ATT_90006', after: '01' }),
    );
    const exportedCsv = await demo.call(
      'GET',
      '/appliance/api/products.csv?cpfCnpjRaiz=12345678&ncm=22042100',
    );
    const headings = exportedCsv.text.split('\r\n')[0]?.split(';') ?? [];
    const attributeHeadings = headings.filter((heading) => heading.includes('ATT_'));
    expect(attributeHeadings.length).toBeGreaterThan(0);
    for (const heading of attributeHeadings) expect(Object.keys(targets)).toContain(heading);
  });

  test('has no attributes without an NCM, and a modality leaves out those of the other', async () => {
    expect(Object.keys((await importExample('')).targets)).toEqual([
      ...['Denominação', 'Descrição', 'NCM', 'Modalidade', 'Códigos internos'],
    ]);
    const targetsFor = async (modality: string) =>
      Object.values((await importExample(`ncm=09012100&modalidade=${modality}`)).targets);
    expect(await targetsFor('EXPORTACAO')).toContain('atributo:ATT_90040');
    expect(await targetsFor('IMPORTACAO')).not.toContain('atributo:ATT_90040');
  });

  test('marks required columns, offers choices, and explains each column', async () => {
    const { bytes, headers } = await ask('ncm=09012100');
    expect(headers.get('content-disposition')).toContain('filename="modelo-produto-09012100.xlsx"');
    const xml = sheetXml(bytes, 1);
    expect(xml).toContain('state="frozen"');
    expect(xml).toMatch(/<c r="A1" s="3"/); // Denominação
    expect(xml).toMatch(/<c r="B1" s="2"/); // Descrição
    expect(xml).toContain('<formula1>&quot;Sim,Não&quot;</formula1>');
    const prompts = [...xml.matchAll(/promptTitle="([^"]*)" prompt="([^"]*)"/g)];
    expect(prompts).toHaveLength(10);
    for (const [, title = '', prompt = ''] of prompts) {
      expect(title.length).toBeLessThanOrEqual(32);
      expect(prompt).toMatch(/^(Obrigatóri|Opcional)/);
    }
    expect(xml).toContain('prompt="Opcional, só na exportação. Um valor da lista, ou seu código. Para que');
    // The list inside a cell is separated by commas, so a value with a comma needs a range.
    expect(xml).toContain('<formula1>Listas!$A$2:$A$4</formula1>');
    const sheets = await readExcelFile(fileOf(bytes));
    expect(sheets.map(({ sheet }) => sheet)).toEqual([
      'Produtos',
      'Exemplo',
      'O que cada coluna pede',
      'Listas',
    ]);
    expect(sheets[3]?.data).toEqual([
      ['Certificação orgânica (ATT_90006)'],
      ['01 - Certificadora nacional'],
      ['02 - Certificadora estrangeira'],
      ['03 - Em conversão, sem certificado'],
    ]);
    expect(sheets[2]?.data[9]).toEqual([
      ...['Validade do certificado (ATT_90007)', expect.stringContaining('Obrigatório quando ATT_90006')],
      ...['Data, dd/mm/aaaa.', expect.stringContaining('Último dia de validade'), '15/01/2026'],
    ]);
    expect(membersIn(bytes)['xl/workbook.xml']).toContain('name="Listas" sheetId="4" state="hidden"');
  });

  test('states sizes, decimals, masks and several values', async () => {
    const templateXml = async (ncm: string) => sheetXml((await ask(`ncm=${ncm}`)).bytes, 3);
    expect(await templateXml('22042100')).toContain(
      'Número, com vírgula, até 4 algarismos, até 2 casas decimais.',
    );
    expect(await templateXml('22042100')).toContain(
      'Um valor da lista, ou seu código. Vários valores separados por |.',
    );
    expect(await templateXml('22042100')).toContain('Obrigatório na importação');
    expect(await templateXml('30049099')).toContain('na forma 9.9999.9999 (9 é um algarismo');
  });

  test('that is sent back empty has no rows: its example is not imported', async () => {
    const { bytes } = await ask('ncm=09012100');
    const { status, json } = await send(demo, new Uint8Array(bytes), { name: 'modelo.xlsx' });
    expect(status).toBe(422);
    expect(json.detail[0].message).toContain('não tem linhas abaixo de um cabeçalho');
  });

  test('has the headings and the example in its CSV', async () => {
    const { text, headers } = await ask('ncm=39269090', 'csv');
    expect(headers.get('content-disposition')).toContain('filename="modelo-produto-39269090.csv"');
    const { rows } = await run(demo, { sheet: (await send(demo, text)).json.id, simular: true });
    expect(rows).toMatchObject([{ outcome: 'created' }]);
  });

  test('for an NCM that is not in the table in force is refused, with the version of the table', async () => {
    for (const form of ['xlsx', 'csv'] as const) {
      const { status, json } = await ask('ncm=11111111', form);
      expect(status).toBe(422);
      expect(json.detail).toMatchObject([{ code: 'CATP-ER1100', field: 'ncm', path: 'ncm' }]);
      expect(json.message).toContain('Esta tabela é inventada');
    }
    for (const query of ['ncm=1', 'ncm=0901210a', 'modalidade=COMPRA', 'tipo=nada'])
      expect((await ask(query)).status).toBe(400);
  });

  test('has no attributes without a table in force', async () => {
    const bare = await openApp();
    try {
      const { status, text } = await (await bare.as('demo')).call('GET', `${TEMPLATE}.csv?ncm=11111111`);
      expect([status, text.split('\r\n')[0]]).toEqual([200, expect.stringMatching(/Códigos internos$/)]);
    } finally {
      await bare.close();
    }
  });
});

describe('a template of other records', () => {
  test('has an accepted example, and a name of its own', async () => {
    for (const tipo of ['operador-estrangeiro', 'fabricante', 'ato-concessorio']) {
      const { rows } = await importExample(`tipo=${tipo}`, tipo);
      expect([tipo, rows]).toMatchObject([tipo, [{ outcome: 'created', problems: [] }]]);
      const { headers } = await ask(`tipo=${tipo}`);
      expect(headers.get('content-disposition')).toContain(`filename="modelo-${tipo}.xlsx"`);
    }
  });

  test('refuses an NCM and a modality', async () => {
    const { status, json } = await ask('tipo=fabricante&ncm=22042100&modalidade=IMPORTACAO');
    expect(status).toBe(422);
    expect(json.detail.map(({ path }: { path: string }) => path)).toEqual(['ncm', 'modalidade']);
  });
});
