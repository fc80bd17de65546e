/**
 * Selected file, inspected before the import: its kind and, for a spreadsheet, the mapping of its columns.
 */
import type { Sheets, SheetImport } from '../api/answers.ts';
import { api } from '../api/api.ts';
import type { RequestOptions } from '../api/client.ts';
import { type Result, faultOf, resultOf } from '../api/result.ts';
import { isSheetName, isUnreadSheetName } from '../../validation/sheet-name.ts';
import type { ImportKind } from './kinds.ts';
import { rowNumbersIn } from './row-numbers.ts';
import { changedSince, isReadable } from './upload.ts';

export interface ChosenFile {
  readonly file: File;
  /** Detected kind; `null` if it is unclear. */
  readonly detectedKind: ImportKind | null;
  /** True if its items have codes and versions, as in an export. */
  readonly isExport: boolean;
  readonly sheet?: ChosenSheet;
}

/** Company and kind of the rows of a sheet. */
interface SheetOwner {
  readonly cpfCnpjRaiz: string;
  readonly tipo: ImportKind;
}

/** Spreadsheet file as the server analysed it, with the choices of the user. */
export interface ChosenSheet extends SheetOwner {
  readonly analysis: Sheets;
  /** Index of the selected sheet in `looked.sheets`. */
  readonly sheetIndex: number;
  /** Mapping of the columns that the user changed, by `index`. */
  readonly mapping: ReadonlyMap<number, string | null>;
  /** Value for all rows, by member without a column. */
  readonly constants: Readonly<Record<string, string>>;
  /** Numbers of the rows to leave out, as typed. */
  readonly rowsOut: string;
  /** Member that identifies the record of a row; '' lets the server choose. */
  readonly key: NonNullable<SheetImport['key']> | '';
  /** True if an empty cell clears the value. */
  readonly clearsOnEmpty: boolean;
  /** True to activate deactivated records. */
  readonly reactivates: boolean;
}

const START_BYTES = 64 * 1024;
const ZIP_START = 'PK';
/** Some ERPs export CSV with this extension. The server checks the content. */
const TEXT_NAME = /\.txt$/i;

/**
 * Inspects a file. A spreadsheet is uploaded, and the server keeps it for an hour; other files are read
 * locally, only the beginning.
 */
export async function inspectFile(
  file: File,
  tipo: ImportKind,
  cpfCnpjRaiz: string,
  requestOptions: RequestOptions = {},
): Promise<Result<ChosenFile>> {
  if (!(await isReadable(file))) return { ok: false, error: faultOf(changedSince(file)) };
  const { name } = file;
  if (!isSheetName(name) && !isUnreadSheetName(name) && !TEXT_NAME.test(name)) return inspectLocally(file);
  const body = new FormData();
  body.set('file', file);
  const query = { cpfCnpjRaiz, tipo };
  const answer = await api.post<Sheets>('/appliance/api/sheets', body, { ...requestOptions, query });
  if (!answer.ok) return answer;
  return { ...answer, value: withAnalysis(file, answer.value, query) };
}

/** Inspects the file again with another heading row. The server guesses the mapping again. */
export async function withHeaderRow(
  { file, sheet }: ChosenFile & { readonly sheet: ChosenSheet },
  headerRow: number,
): Promise<Result<ChosenFile>> {
  const table = sheet.analysis.sheets[sheet.sheetIndex]?.table ?? 0;
  const answer = await api.get<Sheets>(`/appliance/api/sheets/${sheet.analysis.id}`, {
    query: { table, headerRow },
  });
  if (!answer.ok) return answer;
  const [newSheet] = answer.value.sheets;
  const sheets =
    newSheet === undefined ? sheet.analysis.sheets : sheet.analysis.sheets.with(sheet.sheetIndex, newSheet);
  return { ...answer, value: withAnalysis(file, { ...sheet.analysis, sheets }, sheet, sheet.sheetIndex) };
}

/** Inspects the file again after the earlier choices of the company were deleted. */
export async function withoutChoices(
  chosen: ChosenFile & { readonly sheet: ChosenSheet },
): Promise<Result<ChosenFile>> {
  const { cpfCnpjRaiz, tipo } = chosen.sheet;
  const deletion = await api.delete<void>('/appliance/api/sheets/choices', undefined, {
    query: { cpfCnpjRaiz, tipo },
  });
  if (!deletion.ok) return deletion;
  return withHeaderRow(chosen, chosen.sheet.analysis.sheets[chosen.sheet.sheetIndex]?.headerRow ?? 1);
}

/** Returns the index of the sheet that the server suggests. */
const placeOf = ({ sheets, table }: Sheets): number =>
  Math.max(
    0,
    sheets.findIndex((sheet) => sheet.table === table),
  );

export function withAnalysis(
  file: File,
  analysis: Sheets,
  { cpfCnpjRaiz, tipo }: SheetOwner,
  index = placeOf(analysis),
): ChosenFile {
  const defaults = {
    mapping: new Map(),
    constants: {},
    rowsOut: '',
    key: '',
    clearsOnEmpty: false,
    reactivates: false,
  } as const;
  const sheet: ChosenSheet = { analysis, sheetIndex: index, cpfCnpjRaiz, tipo, ...defaults };
  return { file, detectedKind: analysis.sheets[index]?.seems ?? null, isExport: false, sheet };
}

/** Returns the import request for the server. */
export function sheetImportOf(sheet: ChosenSheet): SheetImport {
  const { analysis, sheetIndex, mapping, constants, rowsOut, key, clearsOnEmpty, reactivates } = sheet;
  const { table = 0, headerRow = 1 } = analysis.sheets[sheetIndex] ?? {};
  const changedColumns = [...mapping].map(([index, target]) => ({
    index,
    ...(target !== null && { target }),
  }));
  const filledConstants = Object.fromEntries(Object.entries(constants).filter(([, value]) => value !== ''));
  const skip = rowNumbersIn(rowsOut) ?? [];
  return {
    sheet: analysis.id,
    table,
    headerRow,
    mapping: changedColumns,
    constants: filledConstants,
    ...(key !== '' && { key }),
    ...(skip.length > 0 && { skip: [...skip] }),
    empty: clearsOnEmpty ? 'apagar' : 'manter',
    ...(reactivates && { reactivate: true }),
  };
}

async function inspectLocally(file: File): Promise<Result<ChosenFile>> {
  const start = await file.slice(0, START_BYTES).text();
  const isZip = start.startsWith(ZIP_START);
  if (!isZip && !/^\s*[[{]/.test(start) && !/\.json$/i.test(file.name))
    return { ok: false, error: faultOf(`“${file.name}” não é um arquivo JSON, ZIP, XLSX nem CSV.`) };
  const value = {
    file,
    detectedKind: isZip ? kindByName(start) : kindByMembers(start),
    isExport: isZip
      ? kindByName(start) !== null
      : /"codigo"\s*:\s*"?\w+/.test(start) && /"versao"\s*:\s*"\d/.test(start),
  };
  return resultOf(value);
}

/**
 * Detects the kind by a name at the start of the file: zip stores member names uncompressed, and an export
 * names its kind.
 */
function kindByName(start: string): ImportKind | null {
  if (/CATALOGO_PRODUTOS/i.test(start)) return 'produto';
  if (/OPERADORES_ESTRANGEIROS/i.test(start)) return 'operador-estrangeiro';
  return /VINCULOS_FABRICANTES/i.test(start) ? 'fabricante' : null;
}

/** Detects the kind by members that only one kind has. */
function kindByMembers(start: string): ImportKind | null {
  const has = (member: string): boolean => start.includes(`"${member}"`);
  if (has('numeroAto')) return 'ato-concessorio';
  if (has('conhecido')) return 'fabricante';
  if (has('nomeCidade') || has('logradouro')) return 'operador-estrangeiro';
  return has('denominacao') ? 'produto' : null;
}
