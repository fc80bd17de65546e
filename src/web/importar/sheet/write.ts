/** Tables to download: CSV as Brazilian spreadsheets open it, XLSX by write-excel-file (20 KB compressed, loaded when used). */

export type Table = readonly (readonly string[])[];

/** With `;` and a byte order mark; what a spreadsheet would take for a formula gets an apostrophe. */
export const csvOf = (table: Table): Blob =>
  new Blob([`\uFEFF${table.map((row) => row.map(csvCell).join(';')).join('\r\n')}\r\n`], {
    type: 'text/csv; charset=utf-8',
  });

function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Every cell is a text: codes keep their zeros. */
export async function xlsxOf(table: Table, sheet: string): Promise<Blob> {
  const { default: writeExcelFile } = await import('write-excel-file/universal');
  const data = table.map((row, index) =>
    row.map((value) => ({ value, type: String, ...(index === 0 && { fontWeight: 'bold' as const }) })),
  );
  return writeExcelFile(data, { sheet, stickyRowsCount: 1 }).toBlob();
}
