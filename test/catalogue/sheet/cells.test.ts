/** A cell enters a record as the spreadsheet displays it, or its row is refused (contract section 24). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { xlsxOf } from '../../sheet/support.ts';
import { COMPANY, importRows, run, send } from './support.ts';

let server: TestApp;
let demo: Client;

beforeAll(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});

afterAll(() => server.close());

const FORMATS = [
  'General',
  '0.00%',
  '0" mm"',
  'hh:mm',
  'dd/mm/yyyy',
  'dd/mm/yyyy hh:mm',
  '#,##0.00',
  '"PF-"0000',
  '0.00E+00',
  ';;;',
] as const;
type Format = (typeof FORMATS)[number];

const escapeQuotes = (text: string): string => text.replaceAll('"', '&quot;');
const STYLES = `<numFmts>${FORMATS.map((code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${escapeQuotes(code)}"/>`).join('')}</numFmts><cellXfs>${FORMATS.map((_, at) => `<xf numFmtId="${170 + at}"/>`).join('')}</cellXfs>`;

const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (value: number, format: Format): string =>
  `<c s="${FORMATS.indexOf(format)}"><v>${value}</v></c>`;

/** Imports one product with these cells, by heading. */
async function importCells(cells: Readonly<Record<string, string>>, more: object = {}) {
  const all = {
    Denominação: text(`Peça ${Math.random()}`),
    NCM: text('39269090'),
    Modalidade: text('Importação'),
    ...cells,
  };
  const rows = [Object.keys(all).map(text), Object.values(all)];
  const data = rows.map((row, at) => `<row r="${at + 1}">${row.join('')}</row>`).join('');
  const { rows: results } = await importRows(
    demo,
    xlsxOf({ sheets: [{ name: 'A', data }], styles: STYLES }),
    more,
  );
  const [result] = results;
  const content =
    result?.codigo === null || result?.codigo === undefined
      ? undefined
      : (await demo.call('GET', `/catp/api/ext/produto/${COMPANY}/${result.codigo}/1`)).json;
  return { result, content };
}

describe('a text member accepts the displayed text:', () => {
  test.each<readonly [number, Format, string]>([
    [0.125, '0.00%', '12,50%'],
    [12, '0" mm"', '12 mm'],
    [0.5, 'hh:mm', '12:00'],
    [46022.4375, 'dd/mm/yyyy hh:mm', '31/12/2025 10:30'],
    [1234.5, '#,##0.00', '1.234,50'],
    [12.5, 'General', '12,5'],
  ])('%p in the format %p', async (value, format, expected) => {
    const { content } = await importCells({ Denominação: number(value, format) });
    expect(content.denominacao).toBe(expected);
  });

  test('a boolean by its word', async () => {
    expect((await importCells({ Denominação: '<c t="b"><v>1</v></c>' })).content.denominacao).toBe(
      'VERDADEIRO',
    );
  });

  test('a text that looks like an error stays that text', async () => {
    expect((await importCells({ Denominação: text('#N/A') })).content.denominacao).toBe('#N/A');
  });
});

describe('refused, with the displayed text:', () => {
  const refusalOf = async (cells: Readonly<Record<string, string>>, more?: object): Promise<string> => {
    const { result } = await importCells(cells, more);
    expect(result.outcome).toBe('failed');
    return result.errors.join(' ');
  };

  test('a day in a text', async () => {
    expect(await refusalOf({ Denominação: number(46022, 'dd/mm/yyyy') })).toContain(
      'recebida a data 31/12/2025',
    );
  });

  test('a day, an hour and a percentage in a code', async () => {
    expect(await refusalOf({ SKU: number(46022, 'dd/mm/yyyy') })).toContain('31/12/2025');
    expect(await refusalOf({ SKU: number(0.5, 'hh:mm') })).toContain('12:00');
    expect(await refusalOf({ SKU: number(0.12, '0.00%') })).toContain('12,00%');
  });

  test('a formula without a stored result, and a cell of the error type', async () => {
    expect(await refusalOf({ Denominação: '<c><f>A9</f></c>' })).toContain('abra e salve a planilha');
    expect(await refusalOf({ Denominação: '<c t="e"><v>#N/A</v></c>' })).toContain('#N/D');
  });

  test('a required text whose format hides it', async () => {
    expect(await refusalOf({ Denominação: number(5, ';;;') })).toContain('ausente');
  });
});

test('a code keeps its digits in any number format, and has the letters of its own format', async () => {
  const codes = async (cell: string) => (await importCells({ SKU: cell })).content.codigosInterno;
  expect(await codes(number(12345, '#,##0.00'))).toEqual(['12345']);
  expect(await codes(number(12, '"PF-"0000'))).toEqual(['PF-0012']);
  expect(await codes(number(16544, 'General'))).toEqual(['16544']);
});

test('a code whose format hides it is empty', async () => {
  expect((await importCells({ SKU: number(5, ';;;') })).content.codigosInterno ?? []).toEqual([]);
});

describe('a code', () => {
  const imported = async (sku: string) => {
    const { result, content } = await importCells({ SKU: text(sku) });
    const { notices, errors } = result as { notices: readonly string[]; errors: readonly string[] };
    return { codes: content?.codigosInterno, words: JSON.stringify([notices, errors]) };
  };

  test.each([
    ["'0123", '0123'],
    ['AB\u200BC-1', 'ABC-1'],
    ['AB\u00A0C-2', 'AB C-2'],
    ['\u202AX-3\u202C', 'X-3'],
  ])('%j is read without invisible characters, with a notice', async (sku, code) => {
    const { codes, words } = await imported(sku);
    expect(codes).toEqual([code]);
    expect(words).toContain(`lido como ${code}`);
  });

  test.each(["O'Neil-7", "'", "7'"])('keeps the apostrophe of %j', async (sku) => {
    expect(await imported(sku)).toMatchObject({ codes: [sku], words: expect.not.stringContaining('lido') });
  });

  test('with invisible characters only is refused', async () => {
    expect((await imported('\u200B')).words).toContain('sinais que não se veem');
  });
});

test('a text with a lost character is refused with its cell, in free texts and codes', async () => {
  for (const heading of ['Denominação', 'Descrição', 'SKU']) {
    const { result } = await importCells({ [heading]: text('A\uFFFDo inox') });
    expect(result.errors.join(' ')).toContain('um caractere que se perdeu');
  }
});

test('a hidden column is read, and a notice of the import names it', async () => {
  const texts = (cells: readonly string[]): string => `<row>${cells.map(text).join('')}</row>`;
  const parts = {
    'xl/worksheets/s0.xml': `<worksheet><cols><col min="2" max="2" hidden="1"/></cols><sheetData>${texts(['Denominação', 'NCM', 'Modalidade'])}${texts(['Peça oculta', '39269090', 'IMP'])}</sheetData></worksheet>`,
  };
  const { job, rows } = await importRows(demo, xlsxOf({ sheets: [{ name: 'A', data: '' }], parts }));
  expect(rows[0].outcome).toBe('created');
  expect(JSON.stringify(job.notices)).toContain('A coluna B (NCM) está oculta na planilha, e foi lida.');
});

describe('a number of an attribute', () => {
  const WINE = { NCM: text('22042100'), ATT_90004: text('01'), ATT_90005: text('Sim') };
  const alcohol = async (cell: string) => {
    const { result } = await importCells({ ...WINE, ATT_90002: cell });
    return result.errors.filter((error: string) => /ATT_90002|Teor/.test(error)).join(' ');
  };

  test.each<readonly [number, Format, string, string]>([
    [0.125, '0.00%', '12,50%', '0,125'],
    [12, '0" mm"', '12 mm', '12'],
    [0.5, 'hh:mm', '12:00', '0,5'],
  ])(
    'is refused as %p in the format %p, with both forms',
    async (value, format, expectedText, expectedStored) => {
      const message = await alcohol(number(value, format));
      expect(message).toContain(expectedText);
      expect(message).toContain(expectedStored);
    },
  );

  test('keeps its digits if the display has fewer decimals or digits', async () => {
    expect(await alcohol(number(12.5, '#,##0.00'))).toBe('');
    expect(await alcohol(number(12.5, '0.00E+00'))).toBe('');
  });

  test('is the same with a comma and with a point after a zero', async () => {
    for (const display of ['0,12', '0.12']) expect(await alcohol(text(display))).toBe('');
    for (const display of ['0,125', '0.125'])
      expect(await alcohol(text(display))).toContain('3 casas decimais');
    expect(await alcohol(text('12.500'))).toContain('milhar');
  });
});

describe('an NCM', () => {
  test.each(['73181500 - Parafusos', 'NCM 73181500', '7318.15.00 Ex 01', '7318.15.00'])(
    'is read in %p',
    async (ncm) => {
      const { content, result } = await importCells({ NCM: text(ncm) });
      // The demo table lacks this NCM; the refusal names the digits that were read.
      expect(content?.ncm ?? result.errors.join(' ')).toContain('73181500');
    },
  );

  test('has lost its first zero only if the points show it', async () => {
    const lost = await importCells({ NCM: text('9012.10.0') });
    expect(lost.result.outcome).toBe('failed');
    const dotted = await importCells({ NCM: text('901.21.00') });
    expect(dotted.result.notices[0].message).toContain('09012100');
  });

  test('is refused if a cell has two', async () => {
    const { result } = await importCells({ NCM: text('39269090 ou 73181500') });
    expect(result.errors.join(' ')).toContain('mais de uma NCM');
  });
});

describe('an operator', () => {
  const HEADINGS = ['Nome', 'País', 'Logradouro', 'Cidade', 'Subdivisão'];
  const operatorOf = async (pais: string, subdivisao = '') => {
    const { rows } = await importRows(
      demo,
      [HEADINGS, [`Fornecedor ${Math.random()}`, pais, 'Rua 1', 'Cidade', subdivisao]],
      {},
      'operador-estrangeiro',
    );
    const { json } = await demo.call(
      'GET',
      `/appliance/api/foreign-operators?cpfCnpjRaiz=${COMPANY}&limit=500`,
    );
    return {
      result: rows[0],
      operator: json.items.find((one: { codigo: string }) => one.codigo === rows[0].codigo),
    };
  };

  test.each([
    ['CHINA, REPÚBLICA POPULAR', 'CN'],
    ['PAÍSES BAIXOS (HOLANDA)', 'NL'],
    ['CHN', 'CN'],
    ['160', 'CN'],
    ['1600', 'CN'],
    ['160 - CHINA, REPUBLICA POPULAR', 'CN'],
    ['COREIA, REPÚBLICA DA', 'KR'],
    ['South Korea', 'KR'],
    ['United States of America', 'US'],
    ['Germany', 'DE'],
  ])('of %p', async (name, codigoPais) => {
    expect((await operatorOf(name)).operator).toMatchObject({ codigoPais });
  });

  test('with an ambiguous country is refused', async () => {
    for (const name of ['Coreia', 'Atlântida'])
      expect((await operatorOf(name)).result.errors.join(' ')).toContain('aceita o código de um país');
  });

  test.each([
    ['Brasil', 'São Paulo', 'BR-SP'],
    ['Brasil', 'sp', 'BR-SP'],
    ['China', 'Guangdong', 'CN-GD'],
    ['Estados Unidos', 'California', 'US-CA'],
  ])('in %p, %p', async (pais, subdivisao, codigo) => {
    expect((await operatorOf(pais, subdivisao)).operator).toMatchObject({ codigoSubdivisaoPais: codigo });
  });

  test('with a subdivision of another country is refused', async () => {
    expect((await operatorOf('Chile', 'São Paulo')).result.outcome).toBe('failed');
  });
});

describe('a day', () => {
  const dayOf = async (cell: string) => {
    const { result } = await importCells({
      'Data de referência': cell,
      Denominação: text(`Dia ${Math.random()}`),
    });
    if (result.codigo === null) return result.errors.join(' ');
    const { json } = await demo.call('GET', `/appliance/api/products/${COMPANY}/${result.codigo}/versions`);
    return json[0].startsOn;
  };

  test.each([
    '20240305',
    '05/03/2024',
    '05/03/2024 00:00:00',
    '05/mar/2024',
    '2024-03-05',
    '2024/03/05',
    '5.3.24',
  ])('is read in %p', async (display) => {
    expect(await dayOf(text(display))).toBe('2024-03-05');
  });

  test('is also read as eight digits', async () => {
    expect(await dayOf(number(20240305, 'General'))).toBe('2024-03-05');
  });

  test('that does not exist is refused with its text', async () => {
    for (const display of ['20241305', '31/02/2024', '05/xyz/2024', '05/03/2024 10:30:00'])
      expect(await dayOf(text(display))).toContain(`recebido "${display}"`);
  });
});

test('a heading names an attribute in any spelling of its code', async () => {
  for (const heading of ['ATT_90032', 'ATT 90032', 'ATT-90032', 'att90032']) {
    const { json } = await send(demo, `Denominação;NCM;${heading}\r\nPeça;39269090;x`);
    expect(json.sheets[0].columns[2].target).toBe('atributo:ATT_90032');
  }
});

test('a message of the rules has the displayed text of the cell', async () => {
  const { rows } = await importRows(demo, [
    ['Denominação', 'NCM', 'Modalidade', 'ATT_90002'],
    ['Vinho', '22042100', 'IMP', '1.234.567,25'],
  ]);
  expect(rows[0].errors.join(' ')).toContain('Na célula: "1.234.567,25"');
});

describe('a CSV', () => {
  const CONTENT = 'DESCRIÇÃO;NCM\nVálvula de pressão nº 4;39269090\n';
  // Bytes of the accented letters in CONTENT, by code page.
  const BYTES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    'Windows-1252': { Ç: 0xc7, Ã: 0xc3, á: 0xe1, ã: 0xe3, º: 0xba },
    CP850: { Ç: 0x80, Ã: 0xc7, á: 0xa0, ã: 0xc6, º: 0xa7 },
    Mac: { Ç: 0x82, Ã: 0xcc, á: 0x87, ã: 0x8b, º: 0xbc },
  };

  test.each(Object.keys(BYTES))('in %s has its letters', async (page) => {
    const bytes = Uint8Array.from(CONTENT, (sign) => BYTES[page]?.[sign] ?? sign.charCodeAt(0));
    const { json } = await send(demo, bytes);
    expect(json.sheets[0].columns[0]).toMatchObject({
      heading: 'DESCRIÇÃO',
      samples: ['Válvula de pressão nº 4'],
    });
  });

  test('may separate its cells by |', async () => {
    const { json } = await send(demo, 'Denominação|NCM|SKU\nPeça|39269090|A-1\n');
    expect(json.sheets[0].columns.map(({ heading }: { heading: string }) => heading)).toEqual([
      'Denominação',
      'NCM',
      'SKU',
    ]);
  });

  test('of catp restores a name that looks like an error', async () => {
    const { json: product } = await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, {
      denominacao: '#N/D',
      modalidade: 'IMPORTACAO',
      ncm: '39269090',
      codigosInterno: ['ERRO-1'],
    });
    for (const format of ['csv', 'xlsx']) {
      const { bytes } = await demo.call(
        'GET',
        `/appliance/api/products.${format}?cpfCnpjRaiz=${COMPANY}&codigo=${product.codigo}`,
      );
      const { json } = await send(demo, bytes, { name: `produtos.${format}` });
      const { job } = await run(demo, { sheet: json.id });
      expect(job).toMatchObject({ total: 1, unchanged: 1 });
    }
  });
});
