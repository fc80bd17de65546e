/** The content of an XLSX, as a spreadsheet displays it (contract section 24). */
import { describe, expect, test } from 'bun:test';
import { read, textsOf, xlsxOf } from './support.ts';

const sheet = (data: string, more: object = {}) => xlsxOf({ sheets: [{ name: 'A', data }], ...more });
const row = (cells: string, attributes = ''): string => `<row r="1" ${attributes}>${cells}</row>`;

async function cellOf(xml: string, more: object = {}) {
  const [first] = await read(sheet(row(xml), more));
  return first?.rows[0]?.cells.get(0);
}

const XFS = (ids: readonly number[]): string =>
  `<cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`;

describe('a cell', () => {
  test('may be a shared string, with the parts of its rich text, without phonetic text', async () => {
    const strings = [
      '<t>Parafuso</t>',
      '<r><t>aço </t></r><r><t xml:space="preserve">inox </t></r><rPh><t>x</t></rPh>',
    ];
    expect(await cellOf('<c r="A1" t="s"><v>1</v></c>', { strings })).toEqual({
      text: 'aço inox ',
      from: 'text',
    });
  });

  test('may be inline, the text of a formula, or a boolean', async () => {
    expect(await cellOf('<c t="inlineStr"><is><t>a &amp; b</t></is></c>')).toEqual({
      text: 'a & b',
      from: 'text',
    });
    expect(await cellOf('<c t="str"><f>A2</f><v>soma</v></c>')).toEqual({ text: 'soma', from: 'text' });
    expect(await cellOf('<c t="b"><v>1</v></c>')).toEqual({ text: 'true', from: 'boolean' });
  });

  test('may be an error, in the words of a Portuguese spreadsheet', async () => {
    expect(await cellOf('<c t="e"><v>#N/A</v></c>')).toEqual({ text: '#N/D', from: 'error' });
  });

  test('keeps the characters that XML cannot hold', async () => {
    expect(await cellOf('<c t="inlineStr"><is><t>a_x000D_b_x005F_x000D_</t></is></c>')).toEqual({
      text: 'a\rb_x000D_',
      from: 'text',
    });
  });

  test('with a number has its digits, without rounding noise', async () => {
    expect(await cellOf('<c><v>12.300000000000001</v></c>')).toEqual({ text: '12.3', from: 'number' });
    expect(await cellOf('<c><v>1.2E-5</v></c>')).toEqual({ text: '0.000012', from: 'number' });
    expect(await cellOf('<c><v>12345678901234567890</v></c>')).toMatchObject({
      text: '12345678901234567890',
    });
  });

  test('with zeros in its format is read as displayed', async () => {
    const styles = `<numFmts><numFmt numFmtId="164" formatCode="00000000"/><numFmt numFmtId="165" formatCode="0000&quot;.&quot;00&quot;.&quot;00"/></numFmts>${XFS([0, 164, 165])}`;
    expect(await cellOf('<c s="1"><v>1012100</v></c>', { styles })).toEqual({
      text: '01012100',
      from: 'number',
    });
    expect(await cellOf('<c s="2"><v>1012100</v></c>', { styles })).toMatchObject({ text: '0101.21.00' });
    expect(await cellOf('<c s="0"><v>1012100</v></c>', { styles })).toMatchObject({ text: '1012100' });
  });

  test('may be a day or a moment, by its format; also in a file of 1904', async () => {
    const styles = `<numFmts><numFmt numFmtId="170" formatCode="[$-416]dd/mm/yyyy;@"/><numFmt numFmtId="171" formatCode="0&quot;d&quot;"/></numFmts>${XFS([14, 22, 170, 171])}`;
    expect(await cellOf('<c s="0"><v>46022</v></c>', { styles })).toEqual({
      text: '2025-12-31',
      from: 'day',
    });
    expect(await cellOf('<c s="2"><v>46022</v></c>', { styles })).toEqual({
      text: '2025-12-31',
      from: 'day',
    });
    expect(await cellOf('<c s="1"><v>46022.4375</v></c>', { styles })).toEqual({
      text: '2025-12-31T10:30:00',
      from: 'moment',
      displayText: '31/12/2025 10:30',
    });
    expect(await cellOf('<c s="3"><v>5</v></c>', { styles })).toEqual({
      text: '5',
      from: 'number',
      displayText: '5d',
    });
    expect(await cellOf('<c s="0"><v>44560</v></c>', { styles, date1904: true })).toEqual({
      text: '2025-12-31',
      from: 'day',
    });
    expect(await cellOf('<c s="0"><v>1</v></c>', { styles })).toMatchObject({ text: '1900-01-01' });
    expect(await cellOf('<c s="0"><v>61</v></c>', { styles })).toMatchObject({ text: '1900-03-01' });
  });
});

describe('a number', () => {
  test.each([
    ['0.00%', '0.125', '12,50%'],
    ['0&quot; mm&quot;', '12', '12 mm'],
    ['General&quot; mm&quot;', '12.5', '12,5 mm'],
    ['[$R$-416] #,##0.00', '1234.5', 'R$ 1.234,50'],
    ['0;(0)', '-5', '(5)'],
    ['0,', '12345', '12'],
    ['&quot;Sim&quot;;;&quot;Não&quot;', '0', 'Não'],
    ['# ?/?', '1.5', '1 1/2'],
    ['0.00E+00', '123456', '1,23E+05'],
  ])('in the format %s is kept next to its displayed text', async (code, value, expected) => {
    const styles = `<numFmts><numFmt numFmtId="170" formatCode="${code}"/></numFmts>${XFS([170])}`;
    expect(await cellOf(`<c s="0"><v>${value}</v></c>`, { styles })).toEqual({
      text: value,
      from: 'number',
      displayText: expected,
    });
  });

  test.each([
    [';;;', '5', undefined],
    ['0;-0;', '0', undefined],
    ['0;-0;', '5', '5'],
    ['#', '0', undefined],
    ['#', '7', '7'],
    ['0', '0', '0'],
  ])('in the format %s, %s is an empty cell where the format shows nothing', async (code, value, digits) => {
    const styles = `<numFmts><numFmt numFmtId="170" formatCode="${code}"/></numFmts>${XFS([170])}`;
    const cell = await cellOf(`<c s="0"><v>${value}</v></c><c><v>1</v></c>`, { styles });
    expect(cell).toEqual(digits === undefined ? undefined : { text: digits, from: 'number' });
  });

  test('that is displayed as an hour is an hour', async () => {
    const styles = `<numFmts><numFmt numFmtId="170" formatCode="[h]:mm"/></numFmts>${XFS([170, 20])}`;
    expect(await cellOf('<c s="0"><v>1.5</v></c>', { styles })).toEqual({
      text: '1.5',
      from: 'time',
      displayText: '36:00',
    });
    expect(await cellOf('<c s="1"><v>0.5</v></c>', { styles })).toMatchObject({
      from: 'time',
      displayText: '12:00',
    });
  });

  test('is displayed in a format of 255 characters, and as a plain number in one of 256', async () => {
    const inFormat = (length: number) =>
      cellOf('<c s="0"><v>5</v></c>', {
        styles: `<numFmts><numFmt numFmtId="170" formatCode="0&quot;${'m'.repeat(length - 3)}&quot;"/></numFmts>${XFS([170])}`,
      });
    expect(await inFormat(255)).toMatchObject({ displayText: `5${'m'.repeat(252)}` });
    expect(await inFormat(256)).toEqual({ text: '5', from: 'number' });
  });
});

describe('a formula', () => {
  test('without a stored result differs from one whose result is an empty text', async () => {
    for (const xml of ['<c><f>A2*2</f></c>', '<c><f>A2*2</f><v></v></c>', '<c><f>A2*2</f><v/></c>'])
      expect(await cellOf(xml)).toEqual({ text: '=A2*2', from: 'formula' });
    expect(await cellOf('<c t="str"><f>IF(A2,"x","")</f><v></v></c><c><v>1</v></c>')).toBeUndefined();
    expect(await cellOf('<c><f>A2*2</f><v>4</v></c>')).toEqual({ text: '4', from: 'number' });
  });
});

describe('rows', () => {
  test('keep their numbers in the spreadsheet, hidden ones are marked, empty ones are left out', async () => {
    const data =
      '<row r="2"><c r="B2" t="inlineStr"><is><t>x</t></is></c></row><row r="4"/><row r="7" hidden="1"><c r="A7"><v>1</v></c></row><row r="9"><c t="inlineStr"><is><t>  </t></is></c></row>';
    const [first] = await read(sheet(data));
    expect(first?.rows.map(({ row: number, isHidden }) => [number, isHidden])).toEqual([
      [2, false],
      [7, true],
    ]);
    expect([...(first?.rows[0]?.cells ?? [])].map(([column, { text }]) => [column, text])).toEqual([
      [1, 'x'],
    ]);
  });

  test('without numbers, and with the prefixes of other writers, are read too', async () => {
    const data =
      '<x:row><x:c t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c><x:c><x:v>2</x:v></x:c></x:row><x:row><x:c><x:v>3</x:v></x:c></x:row>';
    expect(await textsOf(xlsxOf({ sheets: [{ name: 'A', data }], prefix: 'x:' }))).toEqual([
      ['a', '2'],
      ['3'],
    ]);
  });

  test('of a merged cell have its value in the first row', async () => {
    const data =
      '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>9</v></c></row><row r="2"><c r="A2"/><c r="B2"><v>8</v></c></row>';
    expect(await textsOf(sheet(data))).toEqual([
      ['1', '9'],
      ['', '8'],
    ]);
  });
});

test('have the hidden columns of the sheet', async () => {
  const parts = {
    'xl/worksheets/s0.xml': `<worksheet><cols><col min="2" max="3" hidden="1"/><col min="5" max="5"/></cols><sheetData>${row('<c><v>1</v></c>')}</sheetData></worksheet>`,
  };
  const [first] = await read(sheet('', { parts }));
  expect(first?.rows[0]?.hiddenColumns).toEqual([{ first: 1, last: 2 }]);
});

describe('the parts of a workbook', () => {
  const data = row('<c><v>1</v></c>');

  test('are also found by the strict relations', async () => {
    const type = 'http://purl.oclc.org/ooxml/officeDocument/relationships/worksheet';
    expect(await textsOf(sheet(data, { type }))).toEqual([['1']]);
  });

  test('are found by their relations under any name', async () => {
    const parts = {
      '_rels/.rels':
        '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="/pasta/livro.xml"/></Relationships>',
      'pasta/livro.xml': '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="s"/></sheets></workbook>',
      'pasta/_rels/livro.xml.rels':
        '<Relationships><Relationship Id="s" Type="x/worksheet" Target="../folhas/um.xml"/><Relationship Id="t" Type="x/sharedStrings" Target="textos.xml"/></Relationships>',
      'pasta/textos.xml': '<sst><si><t>Aço</t></si></sst>',
      'folhas/um.xml': `<worksheet><sheetData>${row('<c t="s"><v>0</v></c>')}</sheetData></worksheet>`,
    };
    expect(await textsOf(sheet('', { parts }))).toEqual([['Aço']]);
  });

  test('that are sheets of charts have no rows', async () => {
    expect(await read(sheet(data, { type: 'x/chartsheet' }))).toEqual([]);
  });
});

test('hidden sheets come last', async () => {
  const data = '<row><c><v>1</v></c></row>';
  const sheets = [
    { name: 'Listas', data, state: 'hidden' },
    { name: 'Produtos', data },
    { name: 'Mais', data, state: 'veryHidden' },
  ];
  expect((await read(xlsxOf({ sheets }))).map(({ name }) => name)).toEqual(['Produtos', 'Listas', 'Mais']);
});
