/** The XLSX files that catp writes (contract section 24): read by another program, and by catp. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import readExcelFile from 'read-excel-file/node';
import type { Cell } from '../../src/files/csv.ts';
import { zipWith } from '../../src/files/zip-out.ts';
import { SHEET_PART, partsAround, sheetXml } from '../../src/sheet/xlsx/write.ts';
import { fileOf, textsOf } from './support.ts';

async function written(headings: readonly string[], rows: readonly (readonly Cell[])[]): Promise<Uint8Array> {
  async function* texts() {
    yield* sheetXml(headings, rows);
  }
  return new Response(zipWith(partsAround('Produtos & mais'), SHEET_PART, texts(), 0)).bytes();
}

test('another program reads one sheet with all texts unchanged', async () => {
  const rows = [
    ['01012100', '=1+1', 'a "b" <c> & d'],
    ['x', null, 'com\nlinhas'],
  ];
  const [sheet] = await readExcelFile(fileOf(await written(['NCM', 'Fórmula', 'Texto'], rows)));
  expect(sheet).toEqual({ sheet: 'Produtos & mais', data: [['NCM', 'Fórmula', 'Texto'], ...rows] });
});

test('the headings are frozen with a filter, and the columns are as wide as their content', async () => {
  const files = unzipSync(
    await written(
      ['NCM', 'Nome'],
      [
        ['1', 'x'.repeat(30)],
        ['2', 'y'.repeat(500)],
      ],
    ),
  );
  const xml = strFromU8(files[SHEET_PART] as Uint8Array);
  expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
  expect(xml).toContain('<autoFilter ref="A1:B3"/>');
  expect([...xml.matchAll(/ width="(\d+)"/g)].map(([, width]) => width)).toEqual(['8', '60']);
});

test('an export is read back, for any texts', async () => {
  const text = fc
    .oneof(fc.string({ unit: 'binary', maxLength: 15 }), fc.constant('_x000D_'), fc.constant('a\r\nb\tc'))
    .filter((one) => one.isWellFormed() && !one.startsWith('#'))
    .map((one) => `x${one}`);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(text, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 10 }),
      async (rows) => {
        expect((await textsOf(await written(['Um', 'Dois', 'Três'], rows))).slice(1)).toEqual(rows);
      },
    ),
    { numRuns: 50 },
  );
});
