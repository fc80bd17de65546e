/**
 * A spreadsheet as rows of texts: XLSX by read-excel-file (17 KB compressed), CSV by papaparse (7 KB), both loaded with the
 * first file that needs them.
 */
import { unguarded } from '../../../files/csv.ts';
import { type Cell, EMPTY, type Sheet, type SheetRow, isEmptyRow } from './cell.ts';

/** No sheet in it has a heading and a row below. */
export class EmptySheet extends Error {}

/** It is no XLSX, or one that is damaged or protected by a password. */
export class UnreadableSheet extends Error {}

export type SheetFormat = 'xlsx' | 'csv';

/** By its first bytes and its name: an XLSX is a zip, and so is an export of ours. */
export function sheetFormatOf(name: string): SheetFormat | undefined {
  if (/\.xls[xm]$/i.test(name)) return 'xlsx';
  return /\.(?:csv|tsv|txt)$/i.test(name) ? 'csv' : undefined;
}

/** The sheets of a file that have rows. Throws `EmptySheet`, `UnreadableSheet`. */
export async function readSheets(file: Blob, format: SheetFormat): Promise<readonly [Sheet, ...Sheet[]]> {
  const raw = format === 'xlsx' ? await readXlsx(file) : [{ name: '', rows: await readCsv(file) }];
  const [first, ...others] = raw.flatMap(({ name, rows }) => withHeading(name, rows) ?? []);
  if (first === undefined) throw new EmptySheet();
  return [first, ...others];
}

/** The first row that has anything in it is the heading; what has nothing below it is no sheet. */
function withHeading(name: string, all: readonly SheetRow[]): Sheet | undefined {
  const heading = all.find((row) => !isEmptyRow(row));
  if (heading === undefined) return undefined;
  const rows = all.filter((row) => row.line > heading.line && !isEmptyRow(row));
  return rows.length === 0
    ? undefined
    : { name, headings: heading.cells.map(({ text }) => text.trim()), rows };
}

interface RawSheet {
  readonly name: string;
  readonly rows: readonly SheetRow[];
}

/** A number of a sheet as its digits: a `number` would lose those of a long code. */
class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

async function readXlsx(file: Blob): Promise<readonly RawSheet[]> {
  const { default: readExcelFile } = await import('read-excel-file/universal');
  try {
    const sheets = await readExcelFile(file, {
      parseNumber: (text) => new Digits(text) as unknown as number,
    });
    return sheets.map(({ sheet, data }) => ({
      name: sheet,
      rows: data.map((row, index) => ({ line: index + 1, cells: row.map(cellOf) })),
    }));
  } catch (error) {
    throw new UnreadableSheet('', { cause: error });
  }
}

function cellOf(value: unknown): Cell {
  if (value instanceof Digits) return { text: plainDigits(value.text), from: 'number' };
  if (value instanceof Date) return { text: dayText(value), from: 'day' };
  if (typeof value === 'boolean') return { text: String(value), from: 'boolean' };
  return typeof value === 'string' ? { text: value.trim(), from: 'text' } : EMPTY;
}

/** A day of a sheet has no zone; it is read as if it were UTC. */
const dayText = (date: Date): string =>
  [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

/** A sheet writes `1.2E-5` for what it shows as 0,000012. */
const plainDigits = (text: string): string =>
  /e/i.test(text)
    ? Number(text).toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
    : text;

async function readCsv(file: Blob): Promise<readonly SheetRow[]> {
  const { default: Papa } = await import('papaparse/papaparse.min.js');
  const text = textOf(new Uint8Array(await file.arrayBuffer()));
  const { data } = Papa.parse<readonly string[]>(text, { delimiter: delimiterOf(text) });
  return data.map((row, index) => ({
    line: index + 1,
    cells: row.map((text) => ({ text: plain(text.trim()), from: 'text' as const })),
  }));
}

const DELIMITERS = [';', '\t', ',', '|'];

/** The one that parts most headings: the library guesses by all rows, and is led astray by texts. */
function delimiterOf(text: string): string {
  const [heading = ''] = text
    .replaceAll(/"[^"]*"/g, '')
    .replace(/^[\r\n]+/, '')
    .split(/[\r\n]/, 1);
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, times: heading.split(delimiter).length }));
  return counted.reduce((best, next) => (next.times > best.times ? next : best)).delimiter;
}

/** An ERP that does not write UTF-8 writes what Windows does here. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** `="0123"` is how a CSV keeps a spreadsheet from cutting zeros; `'=…` is how ours keeps it from calculating. */
const plain = (text: string): string => /^="(.*)"$/s.exec(text)?.[1] ?? unguarded(text);
