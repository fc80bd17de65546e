/** An export is imported unchanged (contract section 24), for records with any content. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { COMPANY, importRows, run, send } from './support.ts';

const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const OPERATORS = `/catp/api/ext/operador-estrangeiro/${COMPANY}`;
const FORMATS = ['csv', 'xlsx'] as const;

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});

afterEach(() => server.close());

const readExport = async (path: string, format: string, query = ''): Promise<Uint8Array> =>
  (await demo.call('GET', `/appliance/api/${path}.${format}?cpfCnpjRaiz=${COMPANY}${query}`)).bytes;

/** Imports a sheet, and expects unchanged rows without notices. */
async function expectUnchanged(sheet: Uint8Array, tipo: string): Promise<void> {
  const upload = await send(demo, sheet, { tipo });
  const { job, rows } = await run(demo, { sheet: upload.json.id });
  type Row = { readonly outcome: string; readonly notices: readonly unknown[] };
  expect(rows.filter(({ outcome, notices }: Row) => outcome !== 'unchanged' || notices.length > 0)).toEqual(
    [],
  );
  expect(job.unchanged).toBeGreaterThan(0);
}

async function create(path: string, content: object): Promise<string> {
  const { status, json } = await demo.call('POST', path, content);
  expect([status, json]).toEqual([200, json]);
  return String(json.codigo);
}

const PLAIN = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const WORKS = { nome: 'Werk', logradouro: 'Rua 1', nomeCidade: 'Lugar' };

/** Codes that look as if a spreadsheet had changed them, but are original. */
const NUMBER_LIKE = [
  '3E4',
  '10.0',
  '1,23E+05',
  '1.23e-10',
  '007',
  '1234567890123456789',
  '01/02/2026',
  '-5',
  '=A1',
];

/** Free texts with characters that an import must not remove. */
const TEXTS = [
  '  no começo',
  'no fim  ',
  '\tentre\t',
  "'",
  "'=1+1",
  '=1+1',
  '@a',
  '-',
  'a | b \\| c',
  'duas\nlinhas\n',
  '10.0',
  '1E+05',
  'A\uFFFDo',
];

test.each(['csv', 'xlsx'])('an exported %s is imported without changes', async (format) => {
  for (const [tipo, path] of [
    ['produto', 'products'],
    ['operador-estrangeiro', 'foreign-operators'],
    ['fabricante', 'manufacturer-links'],
  ] as const) {
    await expectUnchanged(await readExport(path, format), tipo);
  }
});

describe.each(FORMATS)('an exported %s is imported unchanged:', (format) => {
  test('codes that look like numbers, of products and of operators', async () => {
    for (const code of NUMBER_LIKE) {
      await create(PRODUCTS, { ...PLAIN, denominacao: `De ${code}`, codigosInterno: [code, `${code}-B`] });
      await create(`${OPERATORS}/DE`, { ...WORKS, tin: code, cep: code.slice(0, 9), codigoInterno: code });
    }
    await expectUnchanged(await readExport('products', format), 'produto');
    // Without the number of the catalogue, the codes find their products.
    await expectUnchanged(
      await readExport('products', format, '&columns=codigosInterno,denominacao'),
      'produto',
    );
    await expectUnchanged(await readExport('foreign-operators', format), 'operador-estrangeiro');
    const columns = '&columns=codigoInterno,nome,tin,cep';
    await expectUnchanged(await readExport('foreign-operators', format, columns), 'operador-estrangeiro');
  });

  test('free texts, with any first and last characters', async () => {
    for (const text of TEXTS) {
      await create(PRODUCTS, { ...PLAIN, denominacao: text, descricao: text });
      await create(`${OPERATORS}/DE`, { nome: text, logradouro: text, nomeCidade: text });
    }
    await expectUnchanged(await readExport('products', format), 'produto');
    await expectUnchanged(await readExport('foreign-operators', format), 'operador-estrangeiro');
  });

  test('operators with the same internal code', async () => {
    for (const pais of ['DE', 'DE', 'US'])
      await create(`${OPERATORS}/${pais}`, { ...WORKS, codigoInterno: 'F-1' });
    await expectUnchanged(await readExport('foreign-operators', format), 'operador-estrangeiro');
  });

  test('changes by others since the export stay', async () => {
    const codes = { codigosInterno: ['A'] };
    const product = await create(PRODUCTS, { ...PLAIN, ...codes, descricao: 'Azul' });
    const operator = await create(`${OPERATORS}/DE`, { ...WORKS, tin: 'DE1' });
    const sheets = [
      [await readExport('products', format), 'produto'],
      [await readExport('foreign-operators', format), 'operador-estrangeiro'],
    ] as const;
    const changed = { ...PLAIN, denominacao: 'Balde', codigosInterno: ['B'] };
    await demo.call('PUT', `${PRODUCTS}/${product}`, changed);
    await demo.call('PUT', `${OPERATORS}/DE/${operator}`, { ...WORKS, logradouro: 'Rua 2' });
    for (const [sheet, tipo] of sheets) await expectUnchanged(sheet, tipo);
    const [now] = (await demo.call('GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}&codigo=${product}`))
      .json;
    expect(now).toMatchObject({ ...changed, descricao: null, versao: '2' });
    const query = `?cpfCnpjRaiz=${COMPANY}&codigo=${operator}`;
    const [works] = (await demo.call('GET', `/catp/api/ext/operador-estrangeiro${query}`)).json;
    expect(works).toMatchObject({ logradouro: 'Rua 2', tin: null, versao: '2' });
  });
});

test('a code that the record does not have is still refused: it was a number', async () => {
  const codigo = await create(PRODUCTS, { ...PLAIN, codigosInterno: ['10.0'] });
  await create(PRODUCTS, { ...PLAIN, denominacao: 'Outra', codigosInterno: ['20.0'] });
  const { rows } = await importRows(demo, [
    ['Código', 'Códigos internos'],
    [codigo, '10.0 | 20.0 | 3E4'],
    [codigo, '1,23E+05'],
  ]);
  expect(rows[0]).toMatchObject({
    notices: [{ message: expect.stringContaining('recebido "20.0", lido como 20') }],
    changes: [{ member: 'codigosInterno', before: '10.0', after: '10.0 | 20 | 3E4' }],
  });
  expect(rows[1].problems[0].message).toContain('lhe tirou algarismos');
});
