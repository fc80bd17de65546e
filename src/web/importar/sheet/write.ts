/** Tables to download: CSV as Brazilian spreadsheets open it, XLSX by write-excel-file (20 KB compressed, loaded when used). */
import { csvHead, csvLine } from '../../../files/csv.ts';

export type Table = readonly (readonly string[])[];

/** As the server writes one. */
export const csvOf = ([headings = [], ...rows]: Table): Blob =>
  new Blob([csvHead(headings), ...rows.map(csvLine)], { type: 'text/csv; charset=utf-8' });

/** Every cell is a text: codes keep their zeros. */
export async function xlsxOf(table: Table, sheet: string): Promise<Blob> {
  const { default: writeExcelFile } = await import('write-excel-file/universal');
  const data = table.map((row, index) =>
    row.map((value) => ({ value, type: String, ...(index === 0 && { fontWeight: 'bold' as const }) })),
  );
  return writeExcelFile(data, { sheet, stickyRowsCount: 1 }).toBlob();
}
