/** Each limit of a spreadsheet on both sides of its edge, in an XLSX and in a CSV (contract section 24). */
import { describe, expect, test } from 'bun:test';
import { SHEET_LIMITS, type SheetLimits } from '../../src/sheet/limits.ts';
import { UnreadableSheet } from '../../src/sheet/unreadable-sheet.ts';
import { type HostileXlsx, hostileXlsx, zipOf } from './hostile.ts';
import { read, rowsXml, xlsxOf } from './support.ts';

const readWithin = (content: Uint8Array | string, limits: Partial<SheetLimits> = {}) =>
  read(content, { ...SHEET_LIMITS, ...limits });

async function refusal(content: Uint8Array | string, limits: Partial<SheetLimits> = {}) {
  const error: unknown = await readWithin(content, limits).catch((thrown: unknown) => thrown);
  if (!(error instanceof UnreadableSheet)) throw error instanceof Error ? error : new Error('It was read.');
  return [error.reason, error.message] as const;
}

const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const xlsx = (body: string, times: number, more: Partial<HostileXlsx> = {}) =>
  hostileXlsx({ rows: { body, times }, ...more });

describe('the characters of a row', () => {
  test('are limited to 500,000 in all its cells; the message names the row', async () => {
    const cells = (last: number): string[] => [
      ...Array<string>(15).fill('x'.repeat(32_767)),
      'x'.repeat(last),
    ];
    const forms = [
      (last: number) => `a\n${cells(last).join(';')}\nb`,
      (last: number) =>
        xlsx(`<row>${text('a')}</row><row>${cells(last).map(text).join('')}</row><row>${text('b')}</row>`, 1),
    ];
    for (const content of forms) {
      expect((await readWithin(content(8495)))[0]?.rows).toHaveLength(3);
      const [reason, message] = await refusal(content(8496));
      expect([reason, message]).toEqual([
        'tooLongRow',
        expect.stringMatching(/500\.000 caracteres na linha 2,/),
      ]);
    }
  });

  test('are counted again for each row', async () => {
    const row = Array<string>(15).fill('x'.repeat(32_767)).join(';');
    expect((await readWithin(`${row}\n${row}\n`))[0]?.rows).toHaveLength(2);
  });
});

describe('rows', () => {
  test('are accepted up to 200,000 a sheet', async () => {
    for (const content of [
      (rows: number) => 'x\n'.repeat(rows),
      (rows: number) => xlsx(`<row>${text('x')}</row>`, rows),
    ]) {
      expect((await readWithin(content(200_000)))[0]?.rows).toHaveLength(200_000);
      expect(await refusal(content(200_001))).toEqual([
        'tooManyRows',
        expect.stringContaining('200.000 linhas'),
      ]);
    }
  });

  test('without cells, or of blanks, count beyond a million', async () => {
    const limits = { maxEmptyLines: 10, maxRows: 3 };
    for (const empty of ['\n', ' ; \n', ';;;\r\n']) {
      expect((await readWithin(`a\n${empty.repeat(12)}`, limits))[0]?.rows).toHaveLength(1);
      expect(await refusal(`a\n${empty.repeat(13)}`, limits)).toEqual([
        'tooManyRows',
        expect.stringMatching(/3 linhas.*mais de 10/),
      ]);
    }
    for (const empty of ['<row/>', '<row><c/></row>', `<row>${text(' ')}</row>`]) {
      expect((await readWithin(xlsx(empty, 13), limits))[0]?.rows).toEqual([]);
      expect((await refusal(xlsx(empty, 14), limits))[0]).toBe('tooManyRows');
    }
    expect((await refusal('\n'.repeat(2_000_000)))[1]).toContain('1.000.000');
  });

  test('of another sheet are counted separately', async () => {
    const sheets = ['A', 'B'].map((name) => ({ name, data: rowsXml([['x'], ['y']]) }));
    expect(await readWithin(xlsxOf({ sheets }), { maxRows: 2 })).toHaveLength(2);
  });

  test('with a number that no spreadsheet has make the file broken', async () => {
    for (const row of ['0', '-1', '1.5', '1e300', 'x', '1048577'])
      expect((await refusal(xlsx(`<row r="${row}">${text('x')}</row>`, 1)))[0]).toBe('broken');
    expect((await readWithin(xlsx(`<row r="1048576">${text('x')}</row>`, 1)))[0]?.rows[0]?.row).toBe(
      1_048_576,
    );
  });
});

describe('columns', () => {
  test('are accepted up to 16,384, for any cell reference', async () => {
    const last = (letters: string) => xlsx(`<row><c r="${letters}1"><v>1</v></c></row>`, 1);
    expect([...((await readWithin(last('XFD')))[0]?.rows[0]?.cells.keys() ?? [])]).toEqual([16_383]);
    for (const letters of ['XFE', 'ZZZZZZZZ', 'A'.repeat(100_000)])
      expect(await refusal(last(letters))).toEqual([
        'tooManyColumns',
        expect.stringContaining('16.384 colunas'),
      ]);
    expect((await refusal(last('')))[0]).toBe('broken');
    expect((await readWithin(`${';'.repeat(16_383)}x`))[0]?.rows[0]?.cells.size).toBe(1);
    expect((await refusal(`${';'.repeat(16_384)}x`))[0]).toBe('tooManyColumns');
    expect((await readWithin(`x${';'.repeat(20_000)}`))[0]?.rows[0]?.cells.size).toBe(1);
  });
});

describe('sheets', () => {
  test('are accepted up to 100, also if they all refer to one part', async () => {
    const rows = { body: `<row>${text('x')}</row>` };
    expect(await readWithin(hostileXlsx({ sheets: 100, rows }))).toHaveLength(100);
    expect(await refusal(hostileXlsx({ sheets: 101, rows }))).toEqual([
      'tooManySheets',
      expect.stringContaining('100 planilhas'),
    ]);
  });

  test('that refer to one part count its cells, characters and bytes once each', async () => {
    const content = hostileXlsx({ sheets: 3, rows: { body: `<row>${text('abc')}</row>`, times: 2 } });
    expect(await readWithin(content, { maxCells: 6, maxCharacters: 18 })).toHaveLength(3);
    expect((await refusal(content, { maxCells: 5 }))[1]).toContain('5 células');
    expect((await refusal(content, { maxCharacters: 17 }))[1]).toContain('17 caracteres');
    const large = hostileXlsx({ sheets: 3, rows: { body: ' ', times: 1000 } });
    expect(await readWithin(large, { maxInflated: 4000 })).toHaveLength(3);
    expect((await refusal(large, { maxInflated: 3000 }))[0]).toBe('tooLarge');
  });
});

describe('a cell', () => {
  test('has up to 32,767 characters, in any encoding', async () => {
    const longest = 'x'.repeat(32_767);
    const one = (cell: string, more: Partial<HostileXlsx> = {}) => xlsx(`<row>${cell}</row>`, 1, more);
    const shared = (value: string) =>
      one('<c t="s"><v>0</v></c>', { strings: { body: `<si><t>${value}</t></si>` } });
    const runs = (value: string) =>
      one(`<c t="inlineStr"><is><r><t>${value.slice(0, 9)}</t></r><r><t>${value.slice(9)}</t></r></is></c>`);
    const plain = (value: string) => one(text(value));
    const escaped = (value: string) => one(text(value.replaceAll('x', '_x0078_')));
    const quoted = (value: string) => `"${value}"`;
    const doubled = (value: string) => `"${value.replaceAll('x', '""')}"`;
    const guarded = (value: string) => `="${value}"`;
    for (const written of [
      plain,
      runs,
      escaped,
      shared,
      quoted,
      doubled,
      guarded,
      (value: string) => value,
    ]) {
      expect((await readWithin(written(longest)))[0]?.rows[0]?.cells.get(0)?.text).toHaveLength(32_767);
      expect(await refusal(written(`${longest}x`))).toEqual([
        'tooLongCell',
        expect.stringMatching(/32\.767 caracteres na célula A1/),
      ]);
    }
    // A string that no cell refers to has no effect.
    expect(
      await readWithin(one(text('x'), { strings: { body: `<si><t>${longest}xx</t></si>` } })),
    ).toHaveLength(1);
  });

  test('is cut while it is read', async () => {
    const rows = (times: number) => ({
      head: '<row><c t="inlineStr"><is><t>',
      body: 'x',
      times,
      tail: '</t></is></c></row>',
    });
    const endless = hostileXlsx({ rows: { ...rows(11 * 1024 * 1024), body: 'xyz' } });
    expect((await refusal(endless, { maxRatio: 100_000 }))[1]).toContain('10 MiB');
    const long = 'x'.repeat(50 * 1024 * 1024 - 2);
    expect((await refusal(`"${long}"`))[0]).toBe('tooLongCell');
    expect((await refusal(`"${long}`))[0]).toBe('broken');
  });

  test('may have a format of up to 255 characters; with a longer one it is General', async () => {
    const formatted = (zeros: number) =>
      xlsx('<row><c s="0"><v>7</v></c></row>', 1, {
        styles: `<numFmts><numFmt numFmtId="200" formatCode="${'0'.repeat(zeros)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>`,
      });
    expect((await readWithin(formatted(255)))[0]?.rows[0]?.cells.get(0)?.text).toBe('7'.padStart(255, '0'));
    for (const zeros of [256, 1_000_000])
      expect((await readWithin(formatted(zeros)))[0]?.rows[0]?.cells.get(0)?.text).toBe('7');
  });
});

test('cells and characters count once for each time that they are displayed', async () => {
  const content = xlsx('<row><c t="s"><v>0</v></c></row>', 10, {
    strings: { body: '<si><t>abcde</t></si>' },
  });
  expect((await readWithin(content, { maxCharacters: 50, maxCells: 10 }))[0]?.rows).toHaveLength(10);
  expect(await refusal(content, { maxCharacters: 49 })).toEqual([
    'tooManyCharacters',
    expect.stringContaining('49 caracteres'),
  ]);
  expect(await refusal(content, { maxCells: 9 })).toEqual([
    'tooManyCells',
    expect.stringContaining('9 células'),
  ]);
  expect((await refusal('abc;d\ne;f\n', { maxCharacters: 5 }))[0]).toBe('tooManyCharacters');
  const formatted = xlsx('<row><c s="0"><v>7</v></c></row>', 2, {
    styles:
      '<numFmts><numFmt numFmtId="200" formatCode="00000"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>',
  });
  expect((await refusal(formatted, { maxCharacters: 9 }))[0]).toBe('tooManyCharacters');
});

describe('a zip', () => {
  const MIB = 1024 * 1024;
  const stored = { name: 'xl/media/foto.png', body: 'x'.repeat(MIB), isStored: true };

  test('is refused by the ratio of each member: an incompressible one hides no other', async () => {
    const spaces = (times: number) => hostileXlsx({ rows: { body: ' ', times }, others: [stored] });
    expect(await readWithin(spaces(9 * MIB))).toHaveLength(1);
    expect(await refusal(spaces(11 * MIB))).toEqual(['zipBomb', expect.stringContaining('1:200')]);
  });

  test('inflates to at most 1 GiB, including members that are not read', async () => {
    const limits = { maxInflated: 2 * MIB };
    const rows = { body: `<row>${text('x')}</row>` };
    expect(await readWithin(hostileXlsx({ rows, others: [stored] }), limits)).toHaveLength(1);
    expect(
      (await refusal(hostileXlsx({ rows, others: [stored, { ...stored, name: 'b' }] }), limits))[1],
    ).toContain('2 MiB');
  });

  test('with endless nesting, relations or styles is broken', async () => {
    expect((await refusal(xlsx('<a>', 101)))[1]).toContain('mais de 100');
    const part = (name: string, body: string, times: number, head = '', tail = '') => [
      { name, head, body, times, tail },
    ];
    const workbook = { name: 'xl/workbook.xml', body: '<workbook/>' };
    const relations = part(
      'xl/_rels/workbook.xml.rels',
      '',
      1,
      `<R>${Array.from({ length: 10_001 }, (_, at) => `<Relationship Id="${at}"/>`).join('')}`,
      '</R>',
    );
    expect((await refusal(zipOf([workbook, ...relations])))[1]).toContain('10000 relações');
    const styles = part('xl/styles.xml', '<xf/>', 65_540, '<s><cellXfs>', '</cellXfs></s>');
    expect((await refusal(zipOf([workbook, ...styles])))[1]).toContain('65536 formatos');
  });
});
