/**
 * A table as the parts of an XLSX, the rows piece by piece: headings frozen with a filter, widths by content, every cell a
 * text, so that codes keep their zeros and nothing is taken for a formula. No library wrote one as a stream with all of it.
 */
import type { Cell } from '../../files/csv.ts';
import { columnLetters } from '../cell.ts';

/** Widths are those of the first rows. */
const MEASURED_ROWS = 200;
const WIDTH_MIN = 8;
const WIDTH_MAX = 60;
const CHUNK_CHARACTERS = 64 * 1024;

const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export const SHEET_PART = 'xl/worksheets/sheet1.xml';

/** Everything but the rows. */
export const partsAround = (sheet: string): readonly (readonly [name: string, text: string])[] => [
  [
    '[Content_Types].xml',
    `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/${SHEET_PART}" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `${HEAD}<workbook xmlns="${NAMESPACE}" xmlns:r="${RELATIONS}"><sheets><sheet name="${escaped(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  ],
  [
    'xl/styles.xml',
    `${HEAD}<styleSheet xmlns="${NAMESPACE}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" xfId="0"/><xf numFmtId="49" fontId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`,
  ],
];

/** The numbers of the styles above. */
const TEXT = 1;
const HEADING = 2;

/** The part with the rows; an empty text where others may have their turn. */
export function* sheetXml(
  headings: readonly string[],
  rows: Iterable<readonly Cell[] | undefined>,
): Generator<string, void, undefined> {
  const rest = rows[Symbol.iterator]();
  const first: (readonly Cell[])[] = [];
  let next = rest.next();
  for (; next.done !== true && first.length < MEASURED_ROWS; next = rest.next())
    if (next.value === undefined) yield '';
    else first.push(next.value);
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...first.map((row) => String(row[at] ?? '').length)),
  );
  const columns = widths.map((width, at) => {
    const clamped = Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width + 2));
    return `<col min="${at + 1}" max="${at + 1}" width="${clamped}" customWidth="1" style="${TEXT}"/>`;
  });
  let chunk = `${HEAD}<worksheet xmlns="${NAMESPACE}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>${rowXml(headings, 1, HEADING)}`;
  let number = 1;
  for (const row of first) chunk += rowXml(row, (number += 1), TEXT);
  for (; next.done !== true; next = rest.next()) {
    if (next.value === undefined) {
      yield '';
      continue;
    }
    chunk += rowXml(next.value, (number += 1), TEXT);
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  const last = `${columnLetters(headings.length - 1)}${number}`;
  yield `${chunk}</sheetData><autoFilter ref="A1:${last}"/></worksheet>`;
}

function rowXml(cells: readonly Cell[], row: number, style: number): string {
  let text = `<row r="${row}">`;
  for (const [at, cell] of cells.entries())
    if (cell !== null && cell !== '')
      text += `<c r="${columnLetters(at)}${row}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(String(cell))}</t></is></c>`;
  return `${text}</row>`;
}

const SPECIAL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Signs that XML cannot hold stand as `_x000D_`, and what looks like that as `_x005F_x000D_`. */
function escaped(text: string): string {
  return text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[&<>"]/g, (sign) => SPECIAL[sign] ?? sign)
    .replaceAll(
      // oxlint-disable-next-line no-control-regex -- these are what XML cannot hold
      /[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]/g,
      (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    );
}
