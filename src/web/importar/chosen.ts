/** A file that was chosen, looked at before it is sent: what it is, what may be in it, its sheets. */
import { type AttributeForms } from './sheet/attributes.ts';
import type { Sheet } from './sheet/cell.ts';
import { itemsText } from './sheet/items.ts';
import { type Mapping, guessMapping, kindOfSheet, rememberedMapping } from './sheet/mapping.ts';
import { EmptySheet, readSheets, sheetFormatOf } from './sheet/read.ts';
import type { ImportKind } from './model.ts';

export interface Chosen {
  readonly file: File;
  /** What seems to be in it; `undefined`: nothing tells. */
  readonly seems: ImportKind | undefined;
  /** Whether its items carry codes and versions, as those of an export do. */
  readonly isExport: boolean;
  /** Of a spreadsheet: its sheets, and the one that is used. */
  readonly sheets: readonly Sheet[];
  readonly sheet: number;
  readonly mapping: Mapping;
}

const START_BYTES = 64 * 1024;
const ZIP_START = 'PK';

/** Throws an `Error` whose message is for people. */
export async function lookAt(file: File, kind: ImportKind): Promise<Chosen> {
  const format = sheetFormatOf(file.name);
  if (format === undefined) return looked(file);
  const sheets = await readSheets(file, format).catch((error: unknown) => {
    throw new Error(
      error instanceof EmptySheet
        ? `“${file.name}” não tem linhas abaixo de um cabeçalho. A primeira linha traz os nomes das colunas.`
        : `“${file.name}” não pôde ser lido como planilha. Salve-o de novo como XLSX ou CSV, sem senha.`,
      { cause: error },
    );
  });
  return withSheet({ file, seems: undefined, isExport: false, sheets, sheet: 0, mapping: [] }, 0, kind);
}

/** Another sheet, or another kind: its headings are mapped anew. */
export function withSheet(
  chosen: Chosen,
  sheet: number,
  kind: ImportKind,
  forms: AttributeForms = new Map(),
): Chosen {
  const headings = chosen.sheets[sheet]?.headings ?? [];
  const mapping = rememberedMapping(kind, headings) ?? guessMapping(headings, kind, forms);
  return { ...chosen, sheet, mapping, seems: kindOfSheet(headings) };
}

async function looked(file: File): Promise<Chosen> {
  const start = await file.slice(0, START_BYTES).text();
  if (!start.startsWith(ZIP_START) && !/^\s*[[{]/.test(start) && !/\.json$/i.test(file.name))
    throw new Error(`“${file.name}” não é um arquivo JSON, ZIP, XLSX nem CSV.`);
  const isZip = start.startsWith(ZIP_START);
  return {
    file,
    seems: isZip ? kindByName(start) : kindByMembers(start),
    isExport: isZip
      ? kindByName(start) !== undefined
      : /"codigo"\s*:\s*"?\w+/.test(start) && /"versao"\s*:\s*"\d/.test(start),
    sheets: [],
    sheet: 0,
    mapping: [],
  };
}

/** Names of members of a zip stand as they are; an export says what it is. */
function kindByName(start: string): ImportKind | undefined {
  if (/CATALOGO_PRODUTOS/i.test(start)) return 'produto';
  if (/OPERADORES_ESTRANGEIROS/i.test(start)) return 'operador-estrangeiro';
  return /VINCULOS_FABRICANTES/i.test(start) ? 'fabricante' : undefined;
}

/** Members that only one kind has. */
function kindByMembers(start: string): ImportKind | undefined {
  const has = (member: string): boolean => start.includes(`"${member}"`);
  if (has('numeroAto')) return 'ato-concessorio';
  if (has('conhecido')) return 'fabricante';
  if (has('nomeCidade') || has('logradouro')) return 'operador-estrangeiro';
  return has('denominacao') ? 'produto' : undefined;
}

export interface SendParts {
  readonly kind: ImportKind;
  readonly cpfCnpjRaiz: string;
  readonly forms: AttributeForms;
}

/** A spreadsheet as the JSON that the server reads, under its own name; any other file as it is. */
export function fileToSend({ file, sheets, sheet, mapping }: Chosen, parts: SendParts): File {
  const used = sheets[sheet];
  if (used === undefined) return file;
  return new File([itemsText(used.rows, { ...parts, mapping })], file.name, { type: 'application/json' });
}
