import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { csvOf, type Cell, unguarded } from '../../src/files/csv.ts';
import { allOf } from './support.ts';

const text = async (header: readonly string[], rows: readonly (readonly Cell[])[]): Promise<string> =>
  (await allOf(csvOf(header, rows))).join('');
const cell = async (value: Cell): Promise<string> =>
  (await text(['a'], [[value]])).slice('\uFEFFa\r\n'.length, -2);

describe('csv', () => {
  test('a row with another number of cells than the header is refused', async () => {
    await expect(text(['a', 'b'], [[1]])).rejects.toBeInstanceOf(RangeError);
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+55 11', "'+55 11"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠1', "'＠1"],
    ["'=1", "''=1"],
    ['=HYPERLINK("x";"y")', '"\'=HYPERLINK(""x"";""y"")"'],
  ])('a text that starts like a formula is made a text: %j', async (value, written) => {
    expect(await cell(value)).toBe(written);
  });

  test.each<[Cell, string]>([
    [-1, '-1'],
    [10n, '10'],
    [true, 'true'],
    [null, ''],
    ['', ''],
    ['a=b', 'a=b'],
    ['a;b', '"a;b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    [' a ', '" a "'],
    ['a,b', 'a,b'],
  ])('%p is written %j', async (value, written) => {
    expect(await cell(value)).toBe(written);
  });

  test('it begins with a byte order mark and the header, and every line ends with CRLF', async () => {
    expect(await text(['seq', 'erros'], [[1, 'não']])).toBe('\uFEFFseq;erros\r\n1;não\r\n');
    expect(await text(['seq'], [])).toBe('\uFEFFseq\r\n');
  });

  test('any number of rows comes in chunks of bounded size', async () => {
    const chunks = await allOf(
      csvOf(
        ['n'],
        Array.from({ length: 50_000 }, (_, n) => [n]),
      ),
    );
    expect(chunks.length).toBeGreaterThan(5);
    for (const chunk of chunks) expect(chunk.length).toBeLessThan(17 * 1024);
  });

  /** Reads the format independently of the product. */
  function cellsOf(csv: string): string[][] {
    const rows: string[][] = [[]];
    for (const [, quoted, bare = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^;\r\n]*))(;|\r\n)/g)) {
      rows.at(-1)?.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
      if (end === '\r\n') rows.push([]);
    }
    return rows.slice(0, -1);
  }

  test('every text is read back unchanged, with its own apostrophes', async () => {
    const rows = fc.array(
      fc.tuple(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: fc.constantFrom(...Array.from(';"\r\n =a\'')) }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const back = cellsOf((await text(['a', 'b'], cells)).slice(1)).slice(1);
        expect(back.map((row) => row.map(unguarded))).toEqual(cells);
      }),
    );
  });
});
