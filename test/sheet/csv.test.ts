/** A CSV however it was written (contract section 24). */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { csvHead, csvLine } from '../../src/files/csv.ts';
import { read, textsOf } from './support.ts';

test('is split by the delimiter that splits its lines evenly, for any titles and texts', async () => {
  expect(await textsOf('Relatório, de tudo\n\nNCM;Nome\n1;a, b\n2;"c;d"\n')).toEqual([
    ['Relatório, de tudo'],
    ['NCM', 'Nome'],
    ['1', 'a, b'],
    ['2', 'c;d'],
  ]);
  expect(await textsOf('NCM,Nome\n1,a;b\n')).toEqual([
    ['NCM', 'Nome'],
    ['1', 'a;b'],
  ]);
  expect(await textsOf('NCM\tNome\n1\ta\n')).toEqual([
    ['NCM', 'Nome'],
    ['1', 'a'],
  ]);
});

test('is split by the delimiter of its headings, even if its texts contain another sign more often', async () => {
  expect(await textsOf('Nome;NCM\nPORCA, ACO, M8;1\nBARRA, ACO, M9;2\n')).toEqual([
    ['Nome', 'NCM'],
    ['PORCA, ACO, M8', '1'],
    ['BARRA, ACO, M9', '2'],
  ]);
  expect(await textsOf('NCM,Nome\n1,a;b;c\n2,d;e;f\n')).toEqual([
    ['NCM', 'Nome'],
    ['1', 'a;b;c'],
    ['2', 'd;e;f'],
  ]);
  expect(await textsOf('Empresa, Ltda\nNome;NCM;Peso\nA;1;1,5\nB;2;2,5\n')).toEqual([
    ['Empresa, Ltda'],
    ['Nome', 'NCM', 'Peso'],
    ['A', '1', '1,5'],
    ['B', '2', '2,5'],
  ]);
});

test('numbers its rows like a spreadsheet, with blank ones and lines within a cell', async () => {
  const [sheet] = await read('a;b\r\n\r\n"x\ny";2\r\nz;3');
  expect(sheet?.rows.map(({ row, cells }) => [row, cells.get(0)?.text])).toEqual([
    [1, 'a'],
    [3, 'x\ny'],
    [4, 'z'],
  ]);
});

test('is read as UTF-8, else as Windows-1252, and as UTF-16 with a byte order mark', async () => {
  expect(await textsOf('\uFEFFAço;1')).toEqual([['Aço', '1']]);
  expect(await textsOf(Buffer.from('A\xe7o;1\x80', 'latin1'))).toEqual([['Aço', '1€']]);
  expect(await textsOf(Buffer.from('\uFEFFAço\t1', 'utf16le'))).toEqual([['Aço', '1']]);
});

test('is also read as UTF-16 without a byte order mark', async () => {
  const wide = Buffer.from('NCM;Descrição\n39269090;Peça de aço\n', 'utf16le');
  const rows = [
    ['NCM', 'Descrição'],
    ['39269090', 'Peça de aço'],
  ];
  expect(await textsOf(wide)).toEqual(rows);
  expect(await textsOf(Buffer.from(wide).swap16())).toEqual(rows);
  expect(
    await textsOf(Buffer.from('\uFEFFNCM;Descrição\n39269090;Peça de aço\n', 'utf16le').swap16()),
  ).toEqual(rows);
});

test('with errors and with texts that look like formulas', async () => {
  expect(await textsOf(`="0123";'=1+1;#N/D`)).toEqual([['0123', '=1+1', '#N/D']]);
  const [sheet] = await read('#N/D;x');
  expect(sheet?.rows[0]?.cells.get(0)?.from).toBe('error');
});

test('with the signs of a number in a narrow column, which are no text', async () => {
  const [sheet] = await read(`########;#;${csvLine(['####'])}`);
  expect([...(sheet?.rows[0]?.cells.values() ?? [])]).toEqual([
    { text: '########', from: 'error' },
    { text: '#', from: 'text' },
    { text: '####', from: 'text' },
  ]);
});

test('written by catp is read back, for any texts', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((one) => `x${one.replaceAll('\0', '')}`);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(text, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 20 }),
      async (rows) => {
        const written = csvHead(['Um', 'Dois', 'Três']) + rows.map(csvLine).join('');
        expect((await textsOf(written)).slice(1)).toEqual(rows);
      },
    ),
    { numRuns: 100 },
  );
});

/** The reader takes a thousand rows at a time. */
test.each(['\n', '\r\n', '\r'])('has each row once in a large file: lines end in %j', async (end) => {
  for (const quote of ['', '"'])
    for (const rows of [999, 1000, 1001, 2001, 3500])
      for (const last of ['', end]) {
        const texts = Array.from({ length: rows }, (_, at) => [`M${at}`, 'x']);
        const lines = texts.map(([name, text]) => `${quote}${name}${quote};${text}`);
        expect((await textsOf(lines.join(end) + last)).filter(([name]) => name !== '')).toEqual(texts);
      }
});
