/** Opens an XLSX: its sheets by name, and the data that their cells refer to. */
import type { Entry, ZipFile } from 'yauzl';
import { entriesIn, nameOf, opened, unpacked } from '../../files/zip-members.ts';
import { UnreadableFile, shownBytes } from '../../files/unreadable-file.ts';
import { counted } from '../../validation/text.ts';
import type { Table } from '../cell.ts';
import type { SheetLimits } from '../limits.ts';
import type { FileMeter } from '../meter.ts';
import { ENCRYPTED, UnreadableSheet } from '../unreadable-sheet.ts';
import {
  DAYS_BEFORE_1900,
  DAYS_BEFORE_1904,
  type NumberFormat,
  builtInFormat,
  numberFormatOf,
} from './number-format.ts';
import { rowsOf } from './rows.ts';
import { StringTable } from './string-table.ts';
import { LimitedText } from './limited-text.ts';
import { readXml } from './xml.ts';

export interface OpenWorkbook {
  readonly tables: readonly Table[];
  readonly close: () => void;
}

/** Maximum entries of a normal workbook: one for each sheet and picture. */
const MAX_MEMBERS = 10_000;

/** Maximum number formats, and maximum cell formats, in a spreadsheet. */
const MAX_STYLES = 65_536;

/** Maximum characters of a sheet name. A spreadsheet accepts 31. */
const SHEET_NAME_MAX = 255;

/** Opens the sheets of a workbook, hidden ones last. Throws `UnreadableSheet`. */
export async function openXlsx(file: string, meter: FileMeter): Promise<OpenWorkbook> {
  const { limits } = meter;
  const zip = await withRefusal(opened(file));
  try {
    const members = await withRefusal(membersOf(zip, limits));
    const part = (name: string) => partOf(zip, members, name);
    const { sheets, daysBefore } = await sheetsOf(part, limits);
    refuseInflated(members, sheets, limits);
    const book = { strings: await stringsOf(part, limits), formats: await formatsOf(part), daysBefore };
    const tables = sheets
      .toSorted((a, b) => Number(a.isHidden) - Number(b.isHidden))
      .map(({ name, path }) => ({
        name,
        rows: () => broken(rowsOf(part(path) ?? nothing(), book, meter.sheet(name))),
      }));
    return { tables, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

type Part = (name: string) => AsyncIterable<Uint8Array> | undefined;

async function membersOf(zip: ZipFile, limits: SheetLimits): Promise<ReadonlyMap<string, Entry>> {
  const members = new Map<string, Entry>();
  if (zip.entryCount > MAX_MEMBERS) throw brokenSheet(`o zip tem ${zip.entryCount} partes`);
  for await (const entry of entriesIn(zip))
    members.set(nameOf(entry).replace(/^\//, '').toLowerCase(), entry);
  if (members.has('xl/workbook.bin')) throw new UnreadableSheet('notASheet', XLSB);
  if ([...members.keys()].some((name) => name === 'content.xml')) throw new UnreadableSheet('notASheet', ODS);
  if (!members.has('xl/workbook.xml')) throw new UnreadableSheet('notASheet', OTHER_ZIP);
  refuseBomb([...members.values()], limits);
  return members;
}

/**
 * Checks the compression of each member separately. Otherwise an incompressible member would hide another
 * one.
 */
function refuseBomb(members: readonly Entry[], limits: SheetLimits): void {
  refuseLarge(
    members.reduce((all, { uncompressedSize }) => all + uncompressedSize, 0),
    limits,
  );
  for (const { uncompressedSize: inflated, compressedSize: packed } of members)
    if (inflated > limits.ratioCountsFrom && inflated > limits.maxRatio * packed)
      throw new UnreadableSheet(
        'zipBomb',
        `A planilha tem uma parte com compressão de mais de 1:${limits.maxRatio} (${shownBytes(packed)} viram ${shownBytes(inflated)}); parece uma bomba zip. Salve-a de novo e envie-a outra vez.`,
      );
}

/** Counts the part of a sheet for each sheet that refers to it. */
function refuseInflated(
  members: ReadonlyMap<string, Entry>,
  sheets: readonly NamedSheet[],
  limits: SheetLimits,
): void {
  const sizes = sheets.map(({ path }) => members.get(path.toLowerCase())?.uncompressedSize ?? 0);
  refuseLarge(
    sizes.reduce((all, size) => all + size, 0),
    limits,
  );
}

function refuseLarge(inflated: number, { maxInflated }: SheetLimits): void {
  if (inflated > maxInflated)
    throw new UnreadableSheet(
      'tooLarge',
      `A planilha tem ${shownBytes(inflated)} descompactada; são aceitos até ${shownBytes(maxInflated)}. Divida-a.`,
    );
}

function partOf(
  zip: ZipFile,
  members: ReadonlyMap<string, Entry>,
  name: string,
): AsyncIterable<Uint8Array> | undefined {
  const member = members.get(name.toLowerCase());
  return member && unpacked(zip, member);
}

interface NamedSheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly path: string;
}

async function sheetsOf(
  part: Part,
  { maxSheets }: SheetLimits,
): Promise<{ readonly sheets: readonly NamedSheet[]; readonly daysBefore: number }> {
  const targets = new Map<string, string>();
  await readPart(part('xl/_rels/workbook.xml.rels'), (name, { Id = '', Target = '' }) => {
    if (name !== 'Relationship') return;
    if (targets.size === MAX_MEMBERS) throw brokenSheet(`mais de ${MAX_MEMBERS} relações entre partes`);
    targets.set(Id, Target);
  });
  const sheets: NamedSheet[] = [];
  let daysBefore = DAYS_BEFORE_1900;
  await readPart(part('xl/workbook.xml'), (tag, attributes) => {
    if (tag === 'workbookPr' && isTrue(attributes['date1904'])) daysBefore = DAYS_BEFORE_1904;
    if (tag !== 'sheet') return;
    const [, id = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
    const target = targets.get(id);
    // A sheet of charts or macros has no rows.
    if (target === undefined || !/worksheets\//i.test(target)) return;
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`;
    const { name = '', state = 'visible' } = attributes;
    sheets.push({ name: name.slice(0, SHEET_NAME_MAX), isHidden: state !== 'visible', path });
    if (sheets.length > maxSheets)
      throw new UnreadableSheet(
        'tooManySheets',
        `O arquivo tem mais de ${counted(maxSheets, 'planilha')}; divida-o.`,
      );
  });
  return { sheets, daysBefore };
}

/**
 * Reads the shared strings. A string above the cell limit is cut one character above it, and the cell that
 * refers to it is refused.
 */
async function stringsOf(
  part: Part,
  { maxCells, maxCharacters, maxCellCharacters }: SheetLimits,
): Promise<StringTable> {
  const strings = new StringTable();
  const text = new LimitedText(maxCellCharacters);
  let [isText, isAside] = [false, false];
  await withRefusal(
    readXml(part('xl/sharedStrings.xml') ?? nothing(), {
      open(name) {
        if (name === 'si') text.clear();
        else if (name === 't') isText = !isAside;
        else if (name === 'rPh') isAside = true; // phonetic text
      },
      close(name) {
        if (name === 'si') {
          strings.add(text.unescaped);
          if (strings.size > maxCells || strings.characters > maxCharacters)
            throw new UnreadableSheet(
              'tooManyCharacters',
              `O arquivo tem mais de ${counted(maxCells, 'texto')} ou mais de ${counted(maxCharacters, 'caractere')} em suas células; divida-o.`,
            );
        } else if (name === 't') isText = false;
        else if (name === 'rPh') isAside = false;
      },
      text(more) {
        if (isText) text.add(more);
      },
    }),
  );
  return strings;
}

async function formatsOf(part: Part): Promise<readonly NumberFormat[]> {
  const own = new Map<number, NumberFormat>();
  const formats: NumberFormat[] = [];
  let isOfCells = false;
  await readPart(
    part('xl/styles.xml'),
    (name, { numFmtId = '0', formatCode = '' }) => {
      if (own.size > MAX_STYLES || formats.length > MAX_STYLES)
        throw brokenSheet(`mais de ${MAX_STYLES} formatos`);
      if (name === 'numFmt') own.set(Number(numFmtId), numberFormatOf(formatCode));
      else if (name === 'cellXfs') isOfCells = true;
      else if (name === 'xf' && isOfCells)
        formats.push(own.get(Number(numFmtId)) ?? builtInFormat(Number(numFmtId)));
    },
    (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  );
  return formats;
}

const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true';

const readPart = (
  pieces: AsyncIterable<Uint8Array> | undefined,
  open: (name: string, attributes: Readonly<Record<string, string>>) => void,
  close: (name: string) => void = () => undefined,
): Promise<void> => withRefusal(readXml(pieces ?? nothing(), { open, close }));

/** Yields a minimal well-formed part, in place of a missing one. */
async function* nothing(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('<nothing/>');
}

const brokenSheet = (what: string, cause?: unknown): UnreadableSheet =>
  new UnreadableSheet(
    'broken',
    `A planilha está danificada (${what}); abra-a e salve-a de novo como XLSX.`,
    cause,
  );

/** Converts an error of the file to a refusal. A failure of the machine stays unchanged. */
function refusalOf(error: unknown): unknown {
  if (error instanceof UnreadableSheet || !(error instanceof Error) || 'syscall' in error) return error;
  if (error instanceof UnreadableFile && error.reason === 'encrypted')
    return new UnreadableSheet('encrypted', ENCRYPTED, error);
  return brokenSheet(
    error instanceof UnreadableFile ? error.message.replace(/[.;].*$/s, '') : 'XML inválido',
    error,
  );
}

const withRefusal = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw refusalOf(error);
  });

async function* broken<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* rows;
  } catch (error) {
    throw refusalOf(error);
  }
}

const XLSB = 'O arquivo é uma planilha binária do Excel (.xlsb); salve-a como XLSX ou CSV.';
const ODS = 'O arquivo é uma planilha do LibreOffice (.ods); salve-a como XLSX ou CSV.';
const OTHER_ZIP = 'O arquivo é um zip, e não uma planilha; envie um XLSX ou um CSV.';
