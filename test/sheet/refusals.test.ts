/**
 * Files that are no spreadsheet, and those above a limit: each refusal has its reason (contract section
 * 24).
 */
import { describe, expect, test } from 'bun:test';
import { strToU8, zipSync } from 'fflate';
import { SHEET_LIMITS } from '../../src/sheet/limits.ts';
import { UnreadableSheet } from '../../src/sheet/unreadable-sheet.ts';
import { odsOf } from './ods.ts';
import { read, rowsXml, simpleXlsx, textsOf, xlsxOf, xlsxWeighing } from './support.ts';

async function refusal(content: Uint8Array | string, limits?: Partial<typeof SHEET_LIMITS>) {
  const error: unknown = await read(content, { ...SHEET_LIMITS, ...limits }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UnreadableSheet)) throw error instanceof Error ? error : new Error('It was read.');
  return [error.reason, error.message] as const;
}

const strings = (parts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(parts).map(([path, part]) => [path, strToU8(part)]));

const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

describe('a refused file', () => {
  test('is of old Excel, has a password, or is of another program', async () => {
    expect(await refusal(OLE)).toEqual(['xls', expect.stringContaining('.xls')]);
    const locked = Buffer.concat([OLE, Buffer.from('EncryptedPackage', 'utf16le')]);
    expect(await refusal(locked)).toEqual(['encrypted', expect.stringContaining('senha')]);
    expect(await refusal(odsOf([['Nome', 'NCM']]))).toEqual([
      'notASheet',
      'O arquivo é uma planilha do LibreOffice (.ods); salve-a como XLSX ou CSV.',
    ]);
    expect(await refusal(zipSync({ 'xl/workbook.bin': strToU8('x') }))).toEqual([
      'notASheet',
      expect.stringContaining('.xlsb'),
    ]);
    expect(await refusal(zipSync({ 'a.json': strToU8('[]') }))).toEqual([
      'notASheet',
      expect.stringContaining('zip'),
    ]);
  });

  test('is of another office program', async () => {
    const document = {
      '_rels/.rels':
        '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="word/document.xml"/></Relationships>',
      'word/document.xml': '<document/>',
    };
    expect(await refusal(zipSync(strings(document)))).toEqual(['notASheet', expect.stringContaining('zip')]);
  });

  test('lacks one of its parts', async () => {
    const data = '<row><c t="s"><v>3</v></c></row>';
    expect(await refusal(xlsxOf({ sheets: [{ name: 'A', data }] }))).toEqual([
      'broken',
      expect.stringContaining('texto "3"'),
    ]);
    const relations = (inside: string) =>
      xlsxOf({
        sheets: [{ name: 'Peças', data: '' }],
        parts: { 'xl/_rels/workbook.xml.rels': `<Relationships>${inside}</Relationships>` },
      });
    for (const inside of ['', '<Relationship Id="rId0" Type="x/worksheet" Target="worksheets/s9.xml"/>'])
      expect(await refusal(relations(inside))).toEqual([
        'broken',
        expect.stringContaining('falta o conteúdo de "Peças"'),
      ]);
  });

  test('has a quotation mark that is not closed; the message names its cell', async () => {
    expect(await refusal('NCM;Nome\n1;"x\n2;y\n')).toEqual([
      'broken',
      expect.stringContaining('B2 não se fecham'),
    ]);
    expect(await read('NCM;Nome\n1;"x"\n2;y "z\n')).toHaveLength(1);
  });

  test('has an undoubled quotation mark in a cell that would take in other cells', async () => {
    const undoubled = (text: string) => refusal(`Nome;NCM\n${text}`);
    for (const row of [
      '"Tubo" de aço;1\nX;2\n"Y";3\n',
      '"Tubo" de aço;"1"\n',
      '"Tubo 3/4"";"1"\n',
      '"Tubo 3/4""\n"Cano";1\n',
    ])
      expect(await undoubled(row)).toEqual([
        'broken',
        expect.stringContaining('célula A2 não estão dobradas'),
      ]);
    // The ends of these cells are known.
    expect(await textsOf('"Tubo 1/2" aço; reto";1\n')).toEqual([['Tubo 1/2" aço; reto', '1']]);
    expect(await textsOf('"a ""b""\nc;""d";1\n')).toEqual([['a "b"\nc;"d', '1']]);
  });

  test('is UTF-8 with a byte of another encoding; the message names its line', async () => {
    const sheet = (...lines: readonly (string | Buffer)[]) =>
      Buffer.concat(lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from('\n')])));
    const strange = Buffer.from('Peça', 'latin1');
    for (const [line, content] of [
      [4, sheet('Nome', 'Café', 'Aço', strange)],
      [2, sheet('\uFEFFNome', strange)],
    ] as const)
      expect(await refusal(content)).toEqual([
        'broken',
        expect.stringContaining(`a linha ${line} tem um byte`),
      ]);
    expect(await textsOf(sheet('Nome', strange, strange))).toEqual([['Nome'], ['Peça'], ['Peça']]);
  });

  test('is no sheet', async () => {
    expect(await refusal('%PDF-1.7\0')).toEqual(['notASheet', expect.stringContaining('PDF')]);
    expect(await refusal('<html><table></table></html>')).toEqual([
      'notASheet',
      expect.stringContaining('HTML'),
    ]);
    expect(await refusal('[{"seq":1}]')).toEqual(['notASheet', expect.any(String)]);
    expect(await refusal('')).toEqual(['empty', expect.any(String)]);
  });

  test('is broken in its zip or its XML', async () => {
    const good = simpleXlsx([['a'], ['b']]);
    expect(await refusal(good.subarray(0, good.length - 30))).toEqual([
      'broken',
      expect.stringContaining('danificada'),
    ]);
    expect(await refusal(xlsxOf({ sheets: [{ name: 'A', data: '<row><c>' }] }))).toEqual([
      'broken',
      expect.stringContaining('XML'),
    ]);
  });

  test('inflates to more than it declares', async () => {
    const bomb = xlsxOf({ sheets: [{ name: 'A', data: ' '.repeat(11 * 1024 * 1024) }] });
    expect(await refusal(bomb)).toEqual(['zipBomb', expect.stringContaining('1:200')]);
    expect(await refusal(bomb, { maxInflated: 1024 * 1024 })).toEqual([
      'tooLarge',
      expect.stringContaining('1 MiB'),
    ]);
    // A high compression ratio is allowed in a small file.
    expect(await read(xlsxOf({ sheets: [{ name: 'A', data: ' '.repeat(9 * 1024 * 1024) }] }))).toEqual([
      { name: 'A', rows: [] },
    ]);
  });
});

test('is a zip whose parts overlap', async () => {
  const zip = Buffer.from(xlsxWeighing([['a']], 300_000)); // stored, not compressed
  const directory = zip.readUInt32LE(zip.length - 22 + 16);
  const picture = zip.indexOf('xl/media/', directory, 'latin1') - 46;
  const first = directory;
  for (const at of [16, 20, 24, 42]) zip.writeUInt32LE(zip.readUInt32LE(picture + at), first + at);
  expect(await refusal(zip)).toEqual(['broken', expect.stringContaining('mais bytes comprimidos')]);
});

test('has one row or one cell more than the limit', async () => {
  const rows = Array.from({ length: 5 }, (_, at) => [`a${at}`, 'b']);
  const five = xlsxOf({ sheets: [{ name: 'Aço', data: rowsXml(rows) }] });
  expect((await read(five, { ...SHEET_LIMITS, maxRows: 5, maxCells: 10 }))[0]?.rows).toHaveLength(5);
  expect(await refusal(five, { maxRows: 4 as never })).toEqual([
    'tooManyRows',
    expect.stringMatching(/“Aço”.*4 linhas/),
  ]);
  expect(await refusal(five, { maxCells: 9 as never })).toEqual([
    'tooManyCells',
    expect.stringContaining('9 células'),
  ]);
  expect(await refusal('a;b\nc;d\n', { maxRows: 1 as never })).toEqual(['tooManyRows', expect.any(String)]);
});
