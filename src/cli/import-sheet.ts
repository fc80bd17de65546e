/** A spreadsheet for `catp import`: its options, and its rows as items. */
import { sheetRows } from '../assembly/features/sheet-rows.ts';
import { attributesOn } from '../assembly/reading/attributes-on.ts';
import type { ImportKind, ImportMode, ZipInstructions } from '../catalogue/import/model.ts';
import { importLimits } from '../catalogue/import/feed.ts';
import { ImportFolder } from '../catalogue/import/folder.ts';
import { readDirectly, tableIndexOf } from '../catalogue/sheet/direct.ts';
import { sheetsIn } from '../catalogue/sheet/inspection.ts';
import { sheetRowTexts } from '../catalogue/sheet/rows.ts';
import { SheetStore } from '../catalogue/sheet/store.ts';
import { zipContentsOf, readZipped } from '../catalogue/sheet/zipped-sheets.ts';
import { dayOf } from '../validation/calendar.ts';
import { parseSheetOptions } from '../catalogue/sheet/parse-sheet-options.ts';
import type { SheetOptions, SheetKey, SheetInstructions } from '../catalogue/sheet/instructions.ts';
import { UsageError } from '../errors.ts';
import { isSheetName, isUnreadSheetName } from '../validation/sheet-name.ts';
import { withCount } from '../validation/text.ts';
import type { OpenFolder } from './open.ts';
import { contentOf } from './values.ts';

export interface SheetFlags {
  readonly modo: ImportMode;
  readonly mapping?: string;
  readonly key?: SheetKey;
  /** A name, or a position from 0. */
  readonly table?: string;
}

/** A zip whose sheets were read, and the file with their rows. Its end removes that file. */
export interface ZipOnFolder extends AsyncDisposable {
  readonly instructions: ZipInstructions<SheetInstructions>;
  readonly notices: readonly string[];
  readonly file: string;
}

/** Reads the sheets of a zip. `undefined`: the file is no zip with sheets. */
export async function readZipOfSheets(
  { db, clock, folder: data, settings }: OpenFolder,
  tipo: ImportKind,
  file: string,
  flags: SheetFlags,
  companies: ReadonlySet<string>,
): Promise<ZipOnFolder | undefined> {
  const { modo, table } = flags;
  const limits = importLimits(settings['importacao.maximo']);
  if (modo === 'espelho' || isSheet(file) || (await zipContentsOf(file, limits)) !== 'sheets')
    return undefined;
  const cpfCnpjRaiz = companyOf(companies);
  const folder = new ImportFolder(data.imports);
  const choices = new SheetStore(db).choices(cpfCnpjRaiz, tipo);
  const options = readingOf(flags);
  const { headerRow } = options;
  const lookRequest = {
    kind: 'sheetInspection',
    tipo,
    cpfCnpjRaiz,
    choices,
    headerRow,
    day: dayOf(clock.now()),
  } as const;
  await using zip = await readZipped(
    { file, limits, tipo, cpfCnpjRaiz, options, namesTable: table !== undefined, choices },
    {
      folder,
      inspect: async (stored) => {
        const unpacked = folder.pathOf(stored);
        const tableIndex = await tableIndexOf(unpacked, options, table);
        return sheetsIn(db, { ...lookRequest, file: unpacked, table: tableIndex }, attributesOn(db));
      },
      rowsOf: (stored, sheetInstructions) =>
        sheetRowTexts({ kind: 'sheetRows', file: folder.pathOf(stored), instructions: sheetInstructions }),
    },
  );
  const { name, handle } = await folder.create();
  try {
    for await (const chunk of zip.bytes(clock.now())) await handle.writeFile(chunk);
  } finally {
    await handle.close();
  }
  const { instructions, notices } = zip;
  return {
    instructions,
    notices,
    file: folder.pathOf(name),
    [Symbol.asyncDispose]: () => folder.remove(name),
  };
}

/** Recognises a spreadsheet by its extension. All other files are JSON, or a zip of it. */
export const isSheet = (file: string): boolean => isSheetName(file) || isUnreadSheetName(file);

export function refuseUnfitFlags(file: string, flags: SheetFlags): void {
  if (!isSheet(file) && !/\.zip$/i.test(file)) refuseSheetFlags(flags);
  if (isSheet(file) && flags.modo === 'espelho')
    throw new UsageError('--modo: recebido "espelho"; uma planilha é importada em lote.');
}

/** Throws `UsageError` for options of sheets. */
export function refuseSheetFlags({ mapping, key, table }: SheetFlags): void {
  for (const [flag, value] of Object.entries({ '--mapping': mapping, '--key': key, '--table': table }))
    if (value !== undefined)
      throw new UsageError(
        `${flag}: só vale para uma planilha, um arquivo .xlsx ou .csv, ou para um zip com elas; tire a opção.`,
      );
}

/** Returns the company of a sheet. Throws `UsageError` unless there is only one. */
function companyOf(companies: ReadonlySet<string>): string {
  const [cpfCnpjRaiz, ...others] = companies;
  if (cpfCnpjRaiz !== undefined && others.length === 0) return cpfCnpjRaiz;
  throw new UsageError(
    `--empresa: uma planilha é de uma empresa, e esta pasta de dados tem ${withCount(companies.size, 'empresa')}; diga qual.`,
  );
}

function readingOf({ mapping, key }: SheetFlags): SheetOptions {
  const text = mapping === undefined ? undefined : contentOf('--mapping', mapping).toString('utf8');
  return { ...parseSheetOptions(text), ...(key !== undefined && { key }) };
}

/** Opens the sheet. `companies`: those that may be written. A sheet belongs to one company. */
export async function sheetToImport(
  { catalogue, db, clock }: OpenFolder,
  tipo: ImportKind,
  file: string,
  flags: SheetFlags,
  companies: ReadonlySet<string>,
) {
  const cpfCnpjRaiz = companyOf(companies);
  const sheet = await readDirectly(
    { db, clock, attributesOn: attributesOn(db) },
    { file, tipo, cpfCnpjRaiz },
    readingOf(flags),
    flags.table,
  );
  const total = sheet.sheet.rows - (sheet.instructions.skip?.length ?? 0);
  return { ...sheet, total, applier: sheetRows(catalogue, sheet.instructions) };
}
