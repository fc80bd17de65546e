/** A file that was chosen, looked at before it is imported: what may be in it, and of a spreadsheet where its columns go. */
import type { Sheets, SheetImport } from '../api/answers.ts';
import { api } from '../api/api.ts';
import type { Asking } from '../api/client.ts';
import { type Result, faultOf } from '../api/result.ts';
import type { ImportKind } from './kinds.ts';
import { changedSince, isReadable } from './upload.ts';

export interface Chosen {
  readonly file: File;
  /** What seems to be in it; `null`: nothing tells. */
  readonly seems: ImportKind | null;
  /** Whether its items carry codes and versions, as those of an export do. */
  readonly isExport: boolean;
  readonly sheet?: ChosenSheet;
}

/** Whose rows a sheet has, and of which kind. */
interface SheetOwner {
  readonly cpfCnpjRaiz: string;
  readonly tipo: ImportKind;
}

/** A file of spreadsheets, as the server has looked through it, and what a person has chosen. */
export interface ChosenSheet extends SheetOwner {
  readonly looked: Sheets;
  /** Which of them is imported: its place among `looked.sheets`. */
  readonly at: number;
  /** Where columns go that a person has put elsewhere, by their `index`. */
  readonly mapping: ReadonlyMap<number, string | null>;
  /** Of members without a column, a value for all rows. */
  readonly constants: Readonly<Record<string, string>>;
  /** By what a row finds its record; '': as the server chooses. */
  readonly key: NonNullable<SheetImport['key']> | '';
  /** Whether an empty cell empties. */
  readonly empties: boolean;
  /** Whether what is deactivated is activated. */
  readonly reactivates: boolean;
}

const START_BYTES = 64 * 1024;
const ZIP_START = 'PK';
const SHEET_NAME = /\.(?:xls[xm]?|csv|tsv|txt)$/i;

/** A spreadsheet goes to the server, which keeps it for an hour; of other files the beginning is read here. */
export async function lookAt(
  file: File,
  tipo: ImportKind,
  cpfCnpjRaiz: string,
  asking: Asking = {},
): Promise<Result<Chosen>> {
  if (!(await isReadable(file))) return { ok: false, error: faultOf(changedSince(file)) };
  if (!SHEET_NAME.test(file.name)) return lookedFile(file);
  const body = new FormData();
  body.set('file', file);
  const query = { cpfCnpjRaiz, tipo };
  const answer = await api.post<Sheets>('/appliance/api/sheets', body, { ...asking, query });
  if (!answer.ok) return answer;
  return { ...answer, value: withLooked(file, answer.value, query) };
}

/** The same with headings in another row: where its columns go is guessed anew. */
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

/** The same once what people of the company chose before is forgotten. */
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

/** The place of the sheet that the server would import. */
const placeOf = ({ sheets, table }: Sheets): number =>
  Math.max(
    0,
    sheets.findIndex((one) => one.table === table),
  );

export function withLooked(
  file: File,
  looked: Sheets,
  { cpfCnpjRaiz, tipo }: SheetOwner,
  at = placeOf(looked),
): Chosen {
  const asked = { mapping: new Map(), constants: {}, key: '', empties: false, reactivates: false } as const;
  const sheet: ChosenSheet = { looked, at, cpfCnpjRaiz, tipo, ...asked };
  return { file, seems: looked.sheets[at]?.seems ?? null, isExport: false, sheet };
}

/** What is asked of the server to import it. */
export function orderOf(sheet: ChosenSheet): SheetImport {
  const { looked, at, mapping, constants, key, empties, reactivates } = sheet;
  const { table = 0, headerRow = 1 } = looked.sheets[at] ?? {};
  const moved = [...mapping].map(([index, target]) => ({ index, ...(target !== null && { target }) }));
  const given = Object.fromEntries(Object.entries(constants).filter(([, value]) => value !== ''));
  return {
    sheet: looked.id,
    table,
    headerRow,
    mapping: moved,
    constants: given,
    ...(key !== '' && { key }),
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

/** Names of members of a zip stand as they are; an export says what it is. */
function kindByName(start: string): ImportKind | null {
  if (/CATALOGO_PRODUTOS/i.test(start)) return 'produto';
  if (/OPERADORES_ESTRANGEIROS/i.test(start)) return 'operador-estrangeiro';
  return /VINCULOS_FABRICANTES/i.test(start) ? 'fabricante' : null;
}

/** Members that only one kind has. */
function kindByMembers(start: string): ImportKind | null {
  const has = (member: string): boolean => start.includes(`"${member}"`);
  if (has('numeroAto')) return 'ato-concessorio';
  if (has('conhecido')) return 'fabricante';
  if (has('nomeCidade') || has('logradouro')) return 'operador-estrangeiro';
  return has('denominacao') ? 'produto' : null;
}
