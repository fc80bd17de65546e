/**
 * Writes a table as the parts of an XLSX, with the rows in chunks: frozen headings with a filter, widths by
 * content, and text cells, so that codes keep their zeros and no text becomes a formula. No library streams
 * all of this.
 */
import type { Cell } from '../../files/csv.ts';
import { columnLetters } from '../cell.ts';

/** Number of first rows that determine the widths. */
const MEASURED_ROWS = 200;
const WIDTH_MIN = 8;
const WIDTH_MAX = 60;
const CHUNK_CHARACTERS = 64 * 1024;

const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Returns the path of a sheet. `at`: its index, from 0. */
export const sheetPart = (index: number): string => `xl/worksheets/sheet${index + 1}.xml`;
export const SHEET_PART = sheetPart(0);

export interface NamedSheet {
  readonly name: string;
  readonly isHidden?: boolean;
}

/** Returns all parts except the rows of the sheet, and of the sheets next to it. */
export const partsAround = (
  ...sheets: readonly [string, ...NamedSheet[]]
): readonly (readonly [name: string, text: string])[] => [
  [
    '[Content_Types].xml',
    `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>${sheets.map((_, index) => `<Override PartName="/${sheetPart(index)}" ContentType="${TYPES}.worksheet+xml"/>`).join('')}<Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `${HEAD}<workbook xmlns="${NAMESPACE}" xmlns:r="${RELATIONS}"><sheets>${sheets.map(sheetTag).join('')}</sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${sheets.map((_, index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}<Relationship Id="rId${sheets.length + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  ],
  [
    'xl/styles.xml',
    `${HEAD}<styleSheet xmlns="${NAMESPACE}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFDDEBF7"/></patternFill></fill><fill><patternFill patternType="solid"><fgColor rgb="FFFFC7CE"/></patternFill></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0" fontId="0" xfId="0"/><xf numFmtId="49" fontId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="49" fontId="1" fillId="2" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/><xf numFmtId="49" fontId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf><xf numFmtId="49" fontId="0" fillId="3" xfId="0" applyNumberFormat="1" applyFill="1"/></cellXfs></styleSheet>`,
  ],
];

const sheetTag = (sheet: string | NamedSheet, index: number): string => {
  const { name, isHidden = false } = typeof sheet === 'string' ? { name: sheet } : sheet;
  return `<sheet name="${escaped(name)}" sheetId="${index + 1}"${isHidden ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`;
};

/** Indexes of the styles above. */
const TEXT = 1;
const HEADING = 2;
const MARKED_HEADING = 3;
const WRAPPED = 4;
const WRONG = 5;

/**
 * A cell, a text by default. A number of a received sheet is written as a number, and a wrong cell is marked.
 */
export type SheetCell =
  Cell | { readonly text: string; readonly type: 'text' | 'number' | 'error'; readonly isWrong: boolean };

/** The properties of a sheet other than its texts. */
export interface SheetLayout {
  /** Headings to highlight, by index. */
  readonly marked?: ReadonlySet<number>;
  /** True if long texts wrap. */
  readonly wraps?: true;
  /** XML after the filter. */
  readonly afterFilter?: string;
}

/** Yields the part with the rows. An empty text lets other work run. */
export async function* sheetXml(
  headings: readonly string[],
  rows: Iterable<readonly SheetCell[] | undefined> | AsyncIterable<readonly SheetCell[] | undefined>,
  { marked, wraps, afterFilter = '' }: SheetLayout = {},
): AsyncGenerator<string, void, undefined> {
  const style = wraps === true ? WRAPPED : TEXT;
  const first: (readonly SheetCell[])[] = [];
  let [chunk, number, isBegun] = ['', 1, false];
  const begin = (): void => {
    isBegun = true;
    chunk = sheetHead(headings, first, marked);
    for (const row of first) chunk += rowXml(row, (number += 1), style);
  };
  for await (const row of rows) {
    if (row === undefined) yield '';
    else if (isBegun) chunk += rowXml(row, (number += 1), style);
    else if (first.push(row) === MEASURED_ROWS) begin();
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (!isBegun) begin();
  const last = `${columnLetters(headings.length - 1)}${number}`;
  yield `${chunk}</sheetData><autoFilter ref="A1:${last}"/>${afterFilter}</worksheet>`;
}

/** Returns the start of the sheet, with widths from the first rows. */
function sheetHead(
  headings: readonly string[],
  first: readonly (readonly SheetCell[])[],
  marked: ReadonlySet<number> | undefined,
): string {
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...first.map((row) => textOf(row[index]).length)),
  );
  const columns = widths.map((width, index) => {
    const clamped = Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width + 2));
    return `<col min="${index + 1}" max="${index + 1}" width="${clamped}" customWidth="1" style="${TEXT}"/>`;
  });
  return `${HEAD}<worksheet xmlns="${NAMESPACE}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>${rowXml(headings, 1, HEADING, marked)}`;
}

const isTypedCell = (cell: SheetCell | undefined) => typeof cell === 'object' && cell !== null;
const textOf = (cell: SheetCell | undefined): string => String((isTypedCell(cell) ? cell.text : cell) ?? '');

function rowXml(
  cells: readonly SheetCell[],
  row: number,
  defaultStyle: number,
  marked?: ReadonlySet<number>,
): string {
  let text = `<row r="${row}">`;
  for (const [index, cell] of cells.entries()) {
    const [cellText, typedCell] = [textOf(cell), isTypedCell(cell) ? cell : undefined];
    const style =
      marked?.has(index) === true ? MARKED_HEADING : typedCell?.isWrong === true ? WRONG : defaultStyle;
    const place = `r="${columnLetters(index)}${row}" s="${style}"`;
    if (typedCell?.type === 'number') text += `<c ${place}><v>${cellText}</v></c>`;
    else if (typedCell?.type === 'error') text += `<c ${place} t="e"><v>${escaped(cellText)}</v></c>`;
    else if (cellText !== '')
      text += `<c ${place} t="inlineStr"><is><t xml:space="preserve">${escaped(cellText)}</t></is></c>`;
    else if (style === WRONG) text += `<c ${place}/>`;
  }
  return `${text}</row>`;
}

const SPECIAL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Encodes characters that XML cannot hold as `_x000D_`, and a literal `_x000D_` as `_x005F_x000D_`. */
export function escaped(text: string): string {
  return text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[&<>"]/g, (sign) => SPECIAL[sign] ?? sign)
    .replaceAll(
      // oxlint-disable-next-line no-control-regex -- these are what XML cannot hold
      /[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]/g,
      (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    );
}
