/** A zip with spreadsheets is unpacked in the browser; every ignored part is named. */
import { expect, test } from 'bun:test';
import { strToU8, zipSync } from 'fflate';
import { unzipped } from '../../../src/web/importar/unzipped.ts';

const zip = (files: Record<string, string>, name = 'a.zip'): File =>
  new File(
    [zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))],
    name,
  );

test('sheets and JSON become files, and the others are named', async () => {
  const files = {
    'a.json': '[]',
    'pasta/itens.csv': 'Nome',
    'leia-me.txt': 'x',
    '__MACOSX/._itens.csv': 'x',
  };
  const { files: unpacked, leftOut } = await unzipped(zip(files));
  expect(unpacked.map(({ name }) => name)).toEqual(['a.json', 'pasta/itens.csv']);
  expect(await unpacked[1]?.text()).toBe('Nome');
  expect(leftOut).toEqual(['leia-me.txt']);
});

test('a zip without sheets, a broken one and other files are not unpacked', async () => {
  const plain = zip({ 'a.json': '[]', 'leia-me.txt': 'x' });
  const broken = new File(['PK no zip'], 'b.zip');
  const workbook = zip({ 'xl/a.csv': 'x' }, 'c.xlsx');
  for (const file of [plain, broken, workbook])
    expect(await unzipped(file)).toEqual({ files: [file], leftOut: [] });
});
