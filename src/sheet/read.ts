/**
 * Opens a file as sheets. Its first bytes decide its format, not its name. Names the format of a file that it
 * refuses. The reader of a format is loaded with the first file.
 */
import { lookAlike } from '../files/look-alike.ts';
import type { Table } from './cell.ts';
import { SHEET_LIMITS, type SheetLimits } from './limits.ts';
import { FileMeter } from './meter.ts';
import { ENCRYPTED, UnreadableSheet } from './unreadable-sheet.ts';
import type { OpenWorkbook } from './xlsx/workbook.ts';

/** Returns the sheets of a file, without empty rows. Close the result. Throws `UnreadableSheet`. */
export async function openSheets(file: string, limits: SheetLimits = SHEET_LIMITS): Promise<OpenWorkbook> {
  const { readFile } = await import('node:fs/promises');
  const bytes = await readFile(file);
  const head = bytes.subarray(0, 8).toString('latin1');
  if (bytes.length === 0) throw new UnreadableSheet('empty', 'O arquivo está vazio.');
  if (head.startsWith('PK')) {
    const { openXlsx } = await import('./xlsx/workbook.ts');
    return openXlsx(file, new FileMeter(limits));
  }
  if (head.startsWith('\u00D0\u00CF\u0011\u00E0')) throw oldOfficeRefusal(bytes);
  return { tables: [await csvTable(file, bytes, new FileMeter(limits))], close: () => undefined };
}

/** Returns the refusal of an OLE container, which `.xls` and an XLSX with a password both use. */
const oldOfficeRefusal = (bytes: Buffer): UnreadableSheet =>
  bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))
    ? new UnreadableSheet('encrypted', ENCRYPTED)
    : new UnreadableSheet(
        'xls',
        'O arquivo é uma planilha antiga do Excel (.xls); salve-a como XLSX ou CSV.',
      );

async function csvTable(file: string, bytes: Buffer, meter: FileMeter): Promise<Table> {
  const { csvRows, csvText } = await import('./csv.ts');
  const text = csvText(bytes);
  const likeness =
    text.trimStart().startsWith('<') || text.includes('\0') ? await lookAlike(file) : undefined;
  if (likeness !== undefined || text.includes('\0') || /^\s*[[{]\s*["{\]}]/.test(text))
    throw new UnreadableSheet(
      'notASheet',
      `O arquivo não é uma planilha${likeness === undefined ? '' : `: parece ${likeness}`}; envie um XLSX ou um CSV.`,
    );
  return { name: '', isDelimited: true, rows: () => csvRows(text, meter.sheet('')) };
}
