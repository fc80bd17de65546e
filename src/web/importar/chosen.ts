/**
 * Selected file, inspected before the import: its kind and, for a spreadsheet, the mapping of its columns.
 */
import type { Sheets, SheetImport } from '../api/answers.ts';
import { api } from '../api/api.ts';
import type { RequestOptions } from '../api/client.ts';
import { type Result, faultOf } from '../api/result.ts';
import { isSheetName, isUnreadSheetName } from '../../validation/sheet-name.ts';
import type { ImportKind } from './kinds.ts';
import { rowNumbersIn } from './row-numbers.ts';
import { changedSince, isReadable } from './upload.ts';

export interface Chosen {
  readonly file: File;
  /** Detected kind; `null` if it is unclear. */
  readonly seems: ImportKind | null;
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
  readonly looked: Sheets;
  /** Index of the selected sheet in `looked.sheets`. */
  readonly at: number;
  /** Mapping of the columns that the user changed, by `index`. */
  readonly mapping: ReadonlyMap<number, string | null>;
  /** Value for all rows, by member without a column. */
  readonly constants: Readonly<Record<string, string>>;
  /** Numbers of the rows to leave out, as typed. */
  readonly rowsOut: string;
  /** Member that identifies the record of a row; '' lets the server choose. */
  readonly key: NonNullable<SheetImport['key']> | '';
  /** True if an empty cell clears the value. */
  readonly empties: boolean;
  /** True to activate deactivated records. */
  readonly reactivates: boolean;
}

const START_BYTES = 64 * 1024;
const ZIP_START = 'PK';
/** An ERP names its CSV so; the server looks at the content. */
const TEXT_NAME = /\.txt$/i;

/**
 * Inspects a file. A spreadsheet is uploaded, and the server keeps it for an hour; other files are read
 * locally, only the beginning.
 */
export async function lookAt(
  file: File,
  tipo: ImportKind,
  cpfCnpjRaiz: string,
  asking: RequestOptions = {},
): Promise<Result<Chosen>> {
  if (!(await isReadable(file))) return { ok: false, error: faultOf(changedSince(file)) };
  const { name } = file;
  if (!isSheetName(name) && !isUnreadSheetName(name) && !TEXT_NAME.test(name)) return lookedFile(file);
  const body = new FormData();
  body.set('file', file);
  const query = { cpfCnpjRaiz, tipo };
  const answer = await api.post<Sheets>('/appliance/api/sheets', body, { ...asking, query });
  if (!answer.ok) return answer;
  return { ...answer, value: withLooked(file, answer.value, query) };
}

/** Inspects the file again with another heading row. The server guesses the mapping again. */
export async function withHeaderRow(
  { file, sheet }: Chosen & { readonly sheet: ChosenSheet },
  headerRow: number,
): Promise<Result<Chosen>> {
  const table = sheet.looked.sheets[sheet.at]?.table ?? 0;
  const answer = await api.get<Sheets>(`/appliance/api/sheets/${sheet.looked.id}`, {
    query: { table, headerRow },
  });
  if (!answer.ok) return answer;
  const [anew] = answer.value.sheets;
  const sheets = anew === undefined ? sheet.looked.sheets : sheet.looked.sheets.with(sheet.at, anew);
  return { ...answer, value: withLooked(file, { ...sheet.looked, sheets }, sheet, sheet.at) };
}

/** Inspects the file again after the earlier choices of the company were deleted. */
export async function withoutChoices(
  chosen: Chosen & { readonly sheet: ChosenSheet },
): Promise<Result<Chosen>> {
  const { cpfCnpjRaiz, tipo } = chosen.sheet;
  const forgotten = await api.delete<void>('/appliance/api/sheets/choices', undefined, {
    query: { cpfCnpjRaiz, tipo },
  });
  if (!forgotten.ok) return forgotten;
  return withHeaderRow(chosen, chosen.sheet.looked.sheets[chosen.sheet.at]?.headerRow ?? 1);
}

/** Returns the index of the sheet that the server suggests. */
const placeOf = ({ sheets, table }: Sheets): number =>
  Math.max(
    0,
    sheets.findIndex((one) => one.table === table),
  );

export function withLooked(
  file: File,
  looked: Sheets,
  { cpfCnpjRaiz, tipo }: SheetOwner,
  index = placeOf(looked),
): Chosen {
  const defaults = {
    mapping: new Map(),
    constants: {},
    rowsOut: '',
    key: '',
    empties: false,
    reactivates: false,
  } as const;
  const sheet: ChosenSheet = { looked, at: index, cpfCnpjRaiz, tipo, ...defaults };
  return { file, seems: looked.sheets[index]?.seems ?? null, isExport: false, sheet };
}

/** Returns the import request for the server. */
export function sheetImportOf(sheet: ChosenSheet): SheetImport {
  const { looked, at, mapping, constants, rowsOut, key, empties, reactivates } = sheet;
  const { table = 0, headerRow = 1 } = looked.sheets[at] ?? {};
  const moved = [...mapping].map(([index, target]) => ({ index, ...(target !== null && { target }) }));
  const filledConstants = Object.fromEntries(Object.entries(constants).filter(([, value]) => value !== ''));
  const skip = rowNumbersIn(rowsOut) ?? [];
  return {
    sheet: looked.id,
    table,
    headerRow,
    mapping: moved,
    constants: filledConstants,
    ...(key !== '' && { key }),
    ...(skip.length > 0 && { skip: [...skip] }),
    empty: empties ? 'apagar' : 'manter',
    ...(reactivates && { reactivate: true }),
  };
}

async function lookedFile(file: File): Promise<Result<Chosen>> {
  const start = await file.slice(0, START_BYTES).text();
  const isZip = start.startsWith(ZIP_START);
  if (!isZip && !/^\s*[[{]/.test(start) && !/\.json$/i.test(file.name))
    return { ok: false, error: faultOf(`“${file.name}” não é um arquivo JSON, ZIP, XLSX nem CSV.`) };
  const value = {
    file,
    seems: isZip ? kindByName(start) : kindByMembers(start),
    isExport: isZip
      ? kindByName(start) !== null
      : /"codigo"\s*:\s*"?\w+/.test(start) && /"versao"\s*:\s*"\d/.test(start),
  };
  return { ok: true, value, headers: new Headers() };
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
