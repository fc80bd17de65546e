/** A file that was chosen, looked at before it is sent: what it is, what may be in it, its sheets. */
import { type AttributeForms } from './sheet/attributes.ts';
import type { Sheet } from './sheet/cell.ts';
import { itemsText } from './sheet/items.ts';
import { type Mapping, guessMapping, kindOfSheet, rememberedMapping } from './sheet/mapping.ts';
import { EmptySheet, readSheets, sheetFormatOf } from './sheet/read.ts';
import type { ImportKind, ImportMode } from './kinds.ts';
import { type Upload, changedSince, isReadable } from './upload.ts';

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
  /** Nobody has said otherwise, now or before: what is learnt of attributes later still counts. */
  readonly isGuessed: boolean;
}

const START_BYTES = 64 * 1024;
const ZIP_START = 'PK';

/** Throws an `Error` whose message is for people. */
export async function lookAt(file: File, kind: ImportKind): Promise<Chosen> {
  if (!(await isReadable(file))) throw new Error(changedSince(file));
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
  const nothing = { seems: undefined, isExport: false, mapping: [], isGuessed: true };
  return withSheet({ ...nothing, file, sheets, sheet: 0 }, 0, kind);
}

/** Another sheet, or another kind: its headings are mapped anew. */
export function withSheet(
  chosen: Chosen,
  sheet: number,
  kind: ImportKind,
  forms: AttributeForms = new Map(),
): Chosen {
  const headings = chosen.sheets[sheet]?.headings ?? [];
  const remembered = rememberedMapping(kind, headings);
  const mapping = remembered ?? guessMapping(headings, kind, forms);
  return { ...chosen, sheet, mapping, seems: kindOfSheet(headings), isGuessed: remembered === undefined };
}

/** Headings that name an attribute without its code are known once the table has told of it. */
export function withForms(chosen: Chosen, kind: ImportKind, forms: AttributeForms): Chosen {
  const { isGuessed, sheets, sheet } = chosen;
  return isGuessed && sheets.length > 0 ? withSheet(chosen, sheet, kind, forms) : chosen;
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
    ...{ sheets: [], sheet: 0, mapping: [], isGuessed: true },
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
  readonly mode: ImportMode;
  readonly cpfCnpjRaiz: string;
  readonly forms: AttributeForms;
}

/** A spreadsheet goes as the JSON that the server reads, under its own name; any other file as it is. */
export function uploadFrom({ file, sheets, sheet, mapping }: Chosen, parts: SendParts): Upload {
  const { kind, mode } = parts;
  const used = sheets[sheet];
  if (used === undefined) return { file, kind, mode };
  const text = itemsText(used.rows, { ...parts, mapping });
  const made = new File([text], file.name, { type: 'application/json' });
  return { file: made, kind, mode, from: { sheet: used, mapping } };
}
