/**
 * Spreadsheets as other programs write them, part by part: the reader must accept forms that our writer
 * never produces.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, unzipSync, zipSync } from 'fflate';
import type { SheetRow } from '../../src/sheet/cell.ts';
import type { SheetLimits } from '../../src/sheet/limits.ts';
import { openSheets } from '../../src/sheet/read.ts';

export interface Parts {
  /** Content of `sheetData`, and the elements after it. */
  readonly sheets: readonly { readonly name: string; readonly data: string; readonly state?: string }[];
  readonly strings?: readonly string[];
  readonly styles?: string;
  readonly date1904?: boolean;
  readonly prefix?: string;
  /** The type of the relations to the sheets. */
  readonly type?: string;
  /** Further parts, by path. They replace others. */
  readonly parts?: Readonly<Record<string, string>>;
}

const WORKSHEET = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';

export function xlsxOf({
  sheets,
  strings = [],
  styles = '',
  date1904 = false,
  prefix = '',
  type = WORKSHEET,
  parts = {},
}: Parts): Uint8Array<ArrayBuffer> {
  const tag = (name: string): string => `${prefix}${name}`;
  const space = `xmlns${prefix === '' ? '' : `:${prefix.slice(0, -1)}`}="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`;
  const files: Record<string, Uint8Array> = {
    'xl/workbook.xml': strToU8(
      `<${tag('workbook')} ${space} xmlns:r="r"><${tag('workbookPr')} date1904="${date1904 ? 1 : 0}"/><${tag('sheets')}>${sheets
        .map(
          ({ name, state = 'visible' }, at) =>
            `<${tag('sheet')} name="${name}" state="${state}" r:id="rId${at}"/>`,
        )
        .join('')}</${tag('sheets')}></${tag('workbook')}>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships>${sheets.map((_, at) => `<Relationship Id="rId${at}" Type="${type}" Target="worksheets/s${at}.xml"/>`).join('')}</Relationships>`,
    ),
    'xl/sharedStrings.xml': strToU8(`<sst>${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`),
    'xl/styles.xml': strToU8(`<styleSheet>${styles}</styleSheet>`),
  };
  for (const [at, { data }] of sheets.entries())
    files[`xl/worksheets/s${at}.xml`] = strToU8(
      `<${tag('worksheet')} ${space}><${tag('sheetData')}>${data}</${tag('sheetData')}></${tag('worksheet')}>`,
    );
  for (const [path, part] of Object.entries(parts)) files[path] = strToU8(part);
  return new Uint8Array(zipSync(files));
}

/** Returns rows of texts, all inline. */
export const rowsXml = (rows: readonly (readonly string[])[]): string =>
  rows
    .map(
      (row, at) =>
        `<row r="${at + 1}">${row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`,
    )
    .join('');

export const simpleXlsx = (rows: readonly (readonly string[])[], name = 'Dados'): Uint8Array<ArrayBuffer> =>
  xlsxOf({ sheets: [{ name, data: rowsXml(rows) }] });

/** Returns an XLSX of exactly this number of bytes: a picture fills the rest. */
export function xlsxWeighing(rows: readonly (readonly string[])[], bytes: number): Uint8Array<ArrayBuffer> {
  const sheet = unzipSync(simpleXlsx(rows));
  const weighing = (picture: number) =>
    zipSync({ ...sheet, 'xl/media/foto.png': new Uint8Array(picture) }, { level: 0 });
  return new Uint8Array(weighing(bytes - weighing(0).length));
}

const folder = mkdtempSync(join(tmpdir(), 'catp-sheet-'));
let count = 0;

export function fileOf(content: Uint8Array | string): string {
  const path = join(folder, `sheet-${(count += 1)}`);
  writeFileSync(path, content);
  return path;
}

/** Reads the rows of each sheet of a file. */
export async function read(
  content: Uint8Array | string,
  limits?: SheetLimits,
): Promise<readonly { readonly name: string; readonly rows: readonly SheetRow[] }[]> {
  const { tables, close } = await openSheets(fileOf(content), limits);
  try {
    const sheets = [];
    for (const table of tables) sheets.push({ name: table.name, rows: await Array.fromAsync(table.rows()) });
    return sheets;
  } finally {
    close();
  }
}

/** Returns the texts of a row by column; '' for an absent cell. */
export function cellTexts({ cells }: SheetRow): string[] {
  return Array.from({ length: Math.max(0, ...cells.keys()) + 1 }, (_, at) => cells.get(at)?.text ?? '');
}

/** Returns the texts of the first sheet. */
export async function textsOf(content: Uint8Array | string): Promise<string[][]> {
  const [first] = await read(content);
  return (first?.rows ?? []).map(cellTexts);
}
