/** Opens an XLSX: its sheets by name, and the data that their cells refer to. */
import type { Entry, ZipFile } from 'yauzl';
import { entriesIn, nameOf, openZip, unpacked } from '../../files/zip-members.ts';
import { UnreadableFile, bytesText } from '../../files/unreadable-file.ts';
import { formatValue } from '../../validation/format-value.ts';
import { withCount } from '../../validation/text.ts';
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
  const zip = await withRefusal(openZip(file));
  try {
    const members = await withRefusal(membersOf(zip, limits));
    const part = (name: string) => partOf(zip, members, name);
    const paths = await pathsOf(part);
    const { sheets, daysBefore } = await sheetsOf(part, paths, limits);
    refuseInflated(members, sheets, limits);
    const book = {
      strings: await stringsOf(part(paths.strings), limits),
      formats: await formatsOf(part(paths.styles)),
      daysBefore,
    };
    const tables = sheets
      .toSorted((a, b) => Number(a.isHidden) - Number(b.isHidden))
      .map(({ name, path }) => ({
        name,
        rows: () => withRefusals(rowsOf(part(path) ?? missingPart(name), book, meter.sheet(name))),
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
  if (!members.has(PACKAGE) && !members.has(USUAL_WORKBOOK))
    throw new UnreadableSheet('notASheet', OTHER_ZIP);
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
        `A planilha tem uma parte com compressão de mais de 1:${limits.maxRatio} (${bytesText(packed)} viram ${bytesText(inflated)}); parece uma bomba zip. Salve-a de novo e envie-a outra vez.`,
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
      `A planilha tem ${bytesText(inflated)} descompactada; são aceitos até ${bytesText(maxInflated)}. Divida-a.`,
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

/** The part that names the workbook. Some writers leave it out. */
const PACKAGE = '_rels/.rels';
const USUAL_WORKBOOK = 'xl/workbook.xml';

/** A part that another one refers to. `type`: the last word of its type, the same in both kinds of OOXML. */
interface Relation {
  readonly type: string;
  readonly path: string;
}

/** The paths of the parts of a workbook. Writers are free to name them. */
interface Paths {
  readonly workbook: string;
  readonly strings: string;
  readonly styles: string;
  /** The parts that the workbook refers to, by id. */
  readonly relations: ReadonlyMap<string, Relation>;
}

/** Follows the relations of the zip to the parts of its workbook. */
async function pathsOf(part: Part): Promise<Paths> {
  const root = await relationsIn(part, PACKAGE, '');
  const workbook = pathIn(root, 'officeDocument') ?? USUAL_WORKBOOK;
  const folder = workbook.slice(0, workbook.lastIndexOf('/') + 1);
  const relations = await relationsIn(part, `${folder}_rels/${workbook.slice(folder.length)}.rels`, folder);
  return {
    workbook,
    strings: pathIn(relations, 'sharedStrings') ?? `${folder}sharedStrings.xml`,
    styles: pathIn(relations, 'styles') ?? `${folder}styles.xml`,
    relations,
  };
}

const pathIn = (relations: ReadonlyMap<string, Relation>, wanted: string): string | undefined =>
  relations.values().find(({ type }) => type === wanted)?.path;

/** Reads a part of relations. `folder`: that of the part that has them. */
async function relationsIn(part: Part, path: string, folder: string): Promise<ReadonlyMap<string, Relation>> {
  const relations = new Map<string, Relation>();
  await readPart(part(path), (name, { Id = '', Type = '', Target = '' }) => {
    if (name !== 'Relationship') return;
    if (relations.size === MAX_MEMBERS) throw brokenSheet(`mais de ${MAX_MEMBERS} relações entre partes`);
    relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), path: resolvePath(Target, folder) });
  });
  return relations;
}

/** Resolves a target: from the root of the zip, or from a folder. */
function resolvePath(target: string, folder: string): string {
  const parts: string[] = [];
  for (const one of (target.startsWith('/') ? target : folder + target).split('/'))
    if (one === '..') parts.pop();
    else if (one !== '' && one !== '.') parts.push(one);
  return parts.join('/');
}

async function sheetsOf(
  part: Part,
  { workbook, relations }: Paths,
  { maxSheets }: SheetLimits,
): Promise<{ readonly sheets: readonly NamedSheet[]; readonly daysBefore: number }> {
  const pieces = part(workbook);
  if (pieces === undefined) throw new UnreadableSheet('notASheet', OTHER_ZIP);
  const sheets: NamedSheet[] = [];
  let isWorkbook = false;
  let daysBefore = DAYS_BEFORE_1900;
  await readPart(pieces, (tag, attributes) => {
    isWorkbook ||= tag === 'workbook';
    if (tag === 'workbookPr' && isTrue(attributes['date1904'])) daysBefore = DAYS_BEFORE_1904;
    if (tag !== 'sheet') return;
    const [, id = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
    const { name: written = '', state = 'visible' } = attributes;
    const name = written.slice(0, SHEET_NAME_MAX);
    const relation = relations.get(id);
    if (relation === undefined) throw withoutPart(name);
    // A sheet of charts or macros has no rows.
    if (relation.type !== 'worksheet') return;
    sheets.push({ name, isHidden: state !== 'visible', path: relation.path });
    if (sheets.length > maxSheets)
      throw new UnreadableSheet(
        'tooManySheets',
        `O arquivo tem mais de ${withCount(maxSheets, 'planilha')}; divida-o.`,
      );
  });
  // Texts and presentations of an office are zips of the same kind.
  if (!isWorkbook) throw new UnreadableSheet('notASheet', OTHER_ZIP);
  return { sheets, daysBefore };
}

/**
 * Reads the shared strings. A string above the cell limit is cut one character above it, and the cell that
 * refers to it is refused.
 */
async function stringsOf(
  pieces: AsyncIterable<Uint8Array> | undefined,
  { maxCells, maxCharacters, maxCellCharacters }: SheetLimits,
): Promise<StringTable> {
  const strings = new StringTable();
  const text = new LimitedText(maxCellCharacters);
  let [isText, isPhonetic] = [false, false];
  await withRefusal(
    readXml(pieces ?? emptyPart(), {
      open(name) {
        if (name === 'si') text.clear();
        else if (name === 't') isText = !isPhonetic;
        else if (name === 'rPh') isPhonetic = true; // phonetic text
      },
      close(name) {
        if (name === 'si') {
          strings.add(text.unescaped);
          if (strings.size > maxCells || strings.characters > maxCharacters)
            throw new UnreadableSheet(
              'tooManyCharacters',
              `O arquivo tem mais de ${withCount(maxCells, 'texto')} ou mais de ${withCount(maxCharacters, 'caractere')} em suas células; divida-o.`,
            );
        } else if (name === 't') isText = false;
        else if (name === 'rPh') isPhonetic = false;
      },
      text(more) {
        if (isText) text.add(more);
      },
    }),
  );
  return strings;
}

async function formatsOf(pieces: AsyncIterable<Uint8Array> | undefined): Promise<readonly NumberFormat[]> {
  const customFormats = new Map<number, NumberFormat>();
  const formats: NumberFormat[] = [];
  let isInCellFormats = false;
  await readPart(
    pieces,
    (name, { numFmtId = '0', formatCode = '' }) => {
      if (customFormats.size > MAX_STYLES || formats.length > MAX_STYLES)
        throw brokenSheet(`mais de ${MAX_STYLES} formatos`);
      if (name === 'numFmt') customFormats.set(Number(numFmtId), numberFormatOf(formatCode));
      else if (name === 'cellXfs') isInCellFormats = true;
      else if (name === 'xf' && isInCellFormats)
        formats.push(customFormats.get(Number(numFmtId)) ?? builtInFormat(Number(numFmtId)));
    },
    (name) => {
      if (name === 'cellXfs') isInCellFormats = false;
    },
  );
  return formats;
}

const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true';

const readPart = (
  pieces: AsyncIterable<Uint8Array> | undefined,
  open: (name: string, attributes: Readonly<Record<string, string>>) => void,
  close: (name: string) => void = () => undefined,
): Promise<void> => withRefusal(readXml(pieces ?? emptyPart(), { open, close }));

/** Yields a minimal well-formed part, in place of a missing one. */
async function* emptyPart(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('<nothing/>');
}

/** Refuses the part of a sheet that the zip lacks. */
const missingPart = (name: string): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(withoutPart(name)) }),
});

const withoutPart = (name: string): UnreadableSheet =>
  brokenSheet(`falta o conteúdo de ${formatValue(name)}`);

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

async function* withRefusals<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* rows;
  } catch (error) {
    throw refusalOf(error);
  }
}

const XLSB = 'O arquivo é uma planilha binária do Excel (.xlsb); salve-a como XLSX ou CSV.';
const ODS = 'O arquivo é uma planilha do LibreOffice (.ods); salve-a como XLSX ou CSV.';
const OTHER_ZIP = 'O arquivo é um zip, e não uma planilha; envie um XLSX ou um CSV.';
