import { describe, expect, test } from 'bun:test';
import writeExcelFile from 'write-excel-file/universal';
import { type AttributeForm, attributeLists } from '../../../src/web/importar/sheet/attributes.ts';
import type { Cell } from '../../../src/web/importar/sheet/cell.ts';
import { itemsText } from '../../../src/web/importar/sheet/items.ts';
import {
  attributeTarget,
  guessMapping,
  kindOfSheet,
  missingColumns,
  rememberMapping,
  rememberedMapping,
} from '../../../src/web/importar/sheet/mapping.ts';
import {
  EmptySheet,
  UnreadableSheet,
  readSheets,
  sheetFormatOf,
} from '../../../src/web/importar/sheet/read.ts';
import { templateOf } from '../../../src/web/importar/sheet/template.ts';
import { type ValueForm, codeOf, valueOf } from '../../../src/web/importar/sheet/values.ts';
import { csvOf, xlsxOf } from '../../../src/web/importar/sheet/write.ts';

const NO_FORMS = new Map<string, AttributeForm>();
const text = (value: string): Cell => ({ text: value, from: 'text' });
const number = (value: string): Cell => ({ text: value, from: 'number' });

const form = (codigo: string, more: Partial<AttributeForm>): [string, AttributeForm] => [
  codigo,
  {
    ...{ codigo, nomeApresentacao: codigo, formaPreenchimento: 'TEXTO', multivalorado: false, dominio: [] },
    ...more,
  },
];

describe('a spreadsheet', () => {
  test('keeps digits, texts, days and truth values of an XLSX as they are', async () => {
    const day = new Date(Date.UTC(2026, 10, 30));
    const blob = await writeExcelFile([
      ['Código interno', 'NCM', 'Peso', 'Desde', 'Ativo', 'CNPJ'],
      [
        { value: '000123', type: String },
        { value: 1012100, type: Number },
        { value: 0.000012, type: Number },
        { value: day, type: Date, format: 'dd/mm/yyyy' },
        { value: true, type: Boolean },
        { value: 12345678000195, type: Number },
      ],
    ]).toBlob();
    const [sheet] = await readSheets(blob, 'xlsx');
    expect(sheet.headings).toEqual(['Código interno', 'NCM', 'Peso', 'Desde', 'Ativo', 'CNPJ']);
    expect(sheet.rows).toEqual([
      {
        line: 2,
        cells: [
          { text: '000123', from: 'text' },
          { text: '1012100', from: 'number' },
          { text: '0.000012', from: 'number' },
          { text: '2026-11-30', from: 'day' },
          { text: 'true', from: 'boolean' },
          { text: '12345678000195', from: 'number' },
        ],
      },
    ]);
  });

  test.each([
    [';', 'utf-8'],
    [',', 'utf-8'],
    ['\t', 'windows-1252'],
  ])('is read from a CSV with %j in %s', async (delimiter, encoding) => {
    const lines = [
      ['Denominação', 'NCM'],
      ['Parafuso "M8"', '01012100'],
      ['', ''],
      ['Aço', '="0001"'],
    ];
    const csv = lines
      .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter))
      .join('\r\n');
    const bytes = encoding === 'utf-8' ? Buffer.from(`\uFEFF${csv}`) : Buffer.from(csv, 'latin1');
    const [sheet] = await readSheets(new Blob([bytes]), 'csv');
    expect(sheet.headings).toEqual(['Denominação', 'NCM']);
    expect(sheet.rows.map(({ line, cells }) => [line, ...cells.map((cell) => cell.text)])).toEqual([
      [2, 'Parafuso "M8"', '01012100'],
      [4, 'Aço', '0001'],
    ]);
  });

  test('without rows, or that is none, is told apart', () => {
    expect(readSheets(new Blob(['NCM;Nome\r\n']), 'csv')).rejects.toThrow(EmptySheet);
    expect(readSheets(new Blob(['no zip']), 'xlsx')).rejects.toThrow(UnreadableSheet);
    expect(sheetFormatOf('a.XLSX')).toBe('xlsx');
    expect(sheetFormatOf('a.csv')).toBe('csv');
    expect(sheetFormatOf('a.json')).toBeUndefined();
  });

  test('comes back from what is downloaded, leading zeros and formulas included', async () => {
    const table = [
      ['Código', 'Texto'],
      ['000123', '=1+1'],
      ['＝1+1', '－1'],
      ['7', 'linha\noutra; "aspas"'],
    ];
    for (const [blob, format] of [
      [csvOf(table), 'csv'],
      [await xlsxOf(table, 'Itens'), 'xlsx'],
    ] as const) {
      const [sheet] = await readSheets(blob, format);
      expect([sheet.headings, ...sheet.rows.map(({ cells }) => cells.map((cell) => cell.text))]).toEqual(
        table,
      );
    }
  });
});

test('a downloaded CSV is written as the server writes one: full-width signs are no formula either', async () => {
  const bytes = Buffer.from(await csvOf([['a'], ['＝1'], ['＋1'], ['－1'], ['＠1'], [' a;']]).arrayBuffer());
  expect(bytes.toString()).toBe(`\uFEFFa\r\n'＝1\r\n'＋1\r\n'－1\r\n'＠1\r\n" a;"\r\n`);
});

describe('a value', () => {
  test.each([
    ['boolean', text('Sim'), 'true'],
    ['boolean', text('NÃO'), 'false'],
    ['boolean', text('talvez'), 'talvez'],
    ['day', text('1/2/2026'), '2026-02-01'],
    ['day', text('31.12.26'), '2026-12-31'],
    ['day', text('2026-12-31'), '2026-12-31'],
    ['day', text('ontem'), 'ontem'],
    ['moment', text('31/12/2026 10:30'), '2026-12-31T10:30:00'],
    ['decimal', text('1.234,56'), '1234.56'],
    ['decimal', text('0,5'), '0.5'],
    ['decimal', text('1.5'), '1.5'],
    ['decimal', number('1.234'), '1.234'],
    ['integer', text('1.234'), '1234'],
    ['integer', number('12.0'), '12'],
    ['country', text('Alemanha'), 'DE'],
    ['country', text('Estados Unidos'), 'US'],
    ['country', text('br'), 'BR'],
    ['country', text('Atlântida'), 'Atlântida'],
    ['situation', text('Ativo'), 'ATIVADO'],
    ['situation', text('rascunho'), 'RASCUNHO'],
  ] as const)('as %s: %o is %s', (as: ValueForm, cell, value) => expect(valueOf(cell, as)).toBe(value));

  test('that is a code has its zeros again where a sheet cut them, and no marks', () => {
    expect(codeOf(number('1012100'), [8])).toBe('01012100');
    expect(codeOf(text('0101.21.00'), [8])).toBe('01012100');
    expect(codeOf(text('1012100'), [8])).toBe('1012100');
    expect(codeOf(text('12.345.678/0001-95'), [11, 14])).toBe('12345678000195');
    expect(codeOf(number('191'), [11, 14])).toBe('00000000191');
    expect(codeOf(text('12.ABC.345'), [8])).toBe('12ABC345');
    expect(codeOf(text('não sei'), [8])).toBe('não sei');
  });
});

describe('headings', () => {
  test('are mapped by name, alias and attribute code, each target once', () => {
    const headings = [
      'SKU',
      'Descrição curta',
      'Codigo NCM',
      'modalidade',
      'ATT_10 - Material',
      'Cor',
      'SKU',
    ];
    const forms = new Map([form('ATT_11', { nomeApresentacao: 'Cor' })]);
    expect(guessMapping(headings, 'produto', forms)).toEqual([
      ...['codigosInterno', 'denominacao', 'ncm', 'modalidade'],
      ...[attributeTarget('ATT_10'), attributeTarget('ATT_11'), null],
    ]);
    expect(missingColumns(guessMapping(['NCM'], 'produto'), 'produto').map(({ label }) => label)).toEqual([
      'Denominação',
      'Modalidade',
    ]);
  });

  test('tell what a sheet is of', () => {
    expect(kindOfSheet(['Nome', 'País', 'Logradouro', 'Cidade'])).toBe('operador-estrangeiro');
    expect(kindOfSheet(['Código', 'Denominação', 'NCM', 'Modalidade'])).toBe('produto');
    expect(kindOfSheet(['Produto', 'Conhecido', 'País'])).toBe('fabricante');
    expect(kindOfSheet(['Produto', 'Número do ato', 'Item'])).toBe('ato-concessorio');
    expect(kindOfSheet(['Foo', 'Bar'])).toBeUndefined();
  });

  test('of a template map to themselves', () => {
    for (const kind of ['produto', 'operador-estrangeiro', 'fabricante', 'ato-concessorio'] as const) {
      const [headings = []] = templateOf(kind);
      expect(missingColumns(guessMapping(headings, kind), kind)).toEqual([]);
      expect(guessMapping(headings, kind)).not.toContain(null);
      expect(kindOfSheet(headings)).toBe(kind);
    }
  });
});

test('a mapping is remembered for the headings of its kind, whatever their case', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  Object.assign(globalThis, { localStorage: storage });
  try {
    rememberMapping('produto', ['NCM', 'Nome'], ['ncm', null]);
    expect(rememberedMapping('produto', ['ncm', 'NOME'])).toEqual(['ncm', null]);
    expect(rememberedMapping('fabricante', ['NCM', 'Nome'])).toBeUndefined();
    expect(rememberedMapping('produto', ['NCM'])).toBeUndefined();
  } finally {
    Reflect.deleteProperty(globalThis, 'localStorage');
  }
  expect(rememberedMapping('produto', ['NCM', 'Nome'])).toBeUndefined(); // a browser that keeps nothing
});

describe('rows become items', () => {
  test('whose line in the JSON is their row in the sheet', () => {
    const headings = ['Denominação', 'NCM', 'Modalidade', 'Códigos internos', 'Outro'];
    const rows = [
      { line: 2, cells: [text('A'), number('1012100'), text('importacao'), text('001; 002'), text('x')] },
      { line: 5, cells: [text('B'), text('0101.21.00'), text('AMBOS')] },
    ];
    const mapping = guessMapping(headings, 'produto');
    const json = itemsText(rows, { kind: 'produto', mapping, cpfCnpjRaiz: '12345678', forms: NO_FORMS });
    expect(JSON.parse(json)).toEqual([
      {
        ...{ seq: 1, cpfCnpjRaiz: '12345678', denominacao: 'A', ncm: '01012100', modalidade: 'IMPORTACAO' },
        codigosInterno: ['001', '002'],
      },
      { seq: 2, cpfCnpjRaiz: '12345678', denominacao: 'B', ncm: '01012100', modalidade: 'AMBOS' },
    ]);
    const lineOf = (part: string): number => json.slice(0, json.indexOf(part)).split('\n').length;
    expect([lineOf('"A"'), lineOf('"B"')]).toEqual([2, 5]);
  });

  test('and attributes go into the list where they belong, their values as the table writes them', () => {
    const dominio = [
      { codigo: '01', descricao: 'Aço inoxidável' },
      { codigo: '02', descricao: 'Latão' },
    ];
    const forms = new Map([
      form('ATT_1', { formaPreenchimento: 'LISTA_ESTATICA', dominio }),
      form('ATT_2', { formaPreenchimento: 'LISTA_ESTATICA', dominio, multivalorado: true }),
      form('ATT_3', { formaPreenchimento: 'BOOLEANO' }),
      form('ATT_4', { formaPreenchimento: 'NUMERO_REAL', partOf: { codigo: 'ATT_9', multivalorado: false } }),
      form('ATT_5', { formaPreenchimento: 'DATA', partOf: { codigo: 'ATT_9', multivalorado: false } }),
    ]);
    const cells = new Map([
      ['ATT_1', number('1')],
      ['ATT_2', text('latao; 01 - Aço inoxidável')],
      ['ATT_3', text('sim')],
      ['ATT_4', text('1,5')],
      ['ATT_5', text('31/12/2026')],
      ['ATT_6', text('')],
    ]);
    expect(attributeLists(cells, forms)).toEqual({
      atributos: [
        { atributo: 'ATT_1', valor: '01' },
        { atributo: 'ATT_3', valor: 'true' },
      ],
      atributosMultivalorados: [{ atributo: 'ATT_2', valores: ['02', '01'] }],
      atributosCompostos: [
        {
          atributo: 'ATT_9',
          valores: [
            { atributo: 'ATT_4', valor: '1.5' },
            { atributo: 'ATT_5', valor: '2026-12-31' },
          ],
        },
      ],
    });
  });
});
