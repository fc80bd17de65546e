/** A spreadsheet for `catp import`: its options, and its rows as items. */
import { sheetRows } from '../assembly/features/sheet-rows.ts';
import { attributesOn } from '../assembly/reading/attributes-on.ts';
import type { ImportKind, ImportMode } from '../catalogue/import/model.ts';
import { readDirectly } from '../catalogue/sheet/direct.ts';
import { howIn } from '../catalogue/sheet/how.ts';
import type { SheetKey, SheetOrder } from '../catalogue/sheet/order.ts';
import { UsageError } from '../errors.ts';
import { counted } from '../validation/text.ts';
import type { OpenFolder } from './open.ts';
import { contentOf } from './values.ts';

export interface SheetFlags {
  readonly modo: ImportMode;
  readonly mapping?: string;
  readonly key?: SheetKey;
  /** A name, or a position from 0. */
  readonly table?: string;
}

/** Recognises a spreadsheet by its extension. All other files are JSON, or a zip of it. */
export const isSheet = (file: string): boolean => /\.(xlsx|xlsm|xlsb|xls|ods|csv|tsv)$/i.test(file);

export function refuseMisfits(file: string, { modo, mapping, key, table }: SheetFlags): void {
  if (isSheet(file)) {
    if (modo === 'espelho')
      throw new UsageError('--modo: recebido "espelho"; uma planilha é importada em lote.');
    return;
  }
  for (const [flag, value] of Object.entries({ '--mapping': mapping, '--key': key, '--table': table }))
    if (value !== undefined)
      throw new UsageError(`${flag}: só vale para uma planilha, um arquivo .xlsx ou .csv; tire a opção.`);
}

/** Opens the sheet. `companies`: those that may be written. A sheet belongs to one company. */
export async function sheetToImport(
  { catalogue, db, clock }: OpenFolder,
  tipo: ImportKind,
  file: string,
  { mapping, key, table }: SheetFlags,
  companies: ReadonlySet<string>,
) {
  const [cpfCnpjRaiz, ...others] = companies;
  if (cpfCnpjRaiz === undefined || others.length > 0)
    throw new UsageError(
      `--empresa: uma planilha é de uma empresa, e esta pasta de dados tem ${counted(companies.size, 'empresa')}; diga qual.`,
    );
  const mappingText = mapping === undefined ? undefined : contentOf('--mapping', mapping).toString('utf8');
  const how = { ...howIn(mappingText), ...(key !== undefined && { key }) };
  const sheet = await readDirectly(
    { db, clock, attributesOn: attributesOn(db) },
    { file, tipo, cpfCnpjRaiz },
    how,
    table,
  );
  const total = sheet.looked.rows - (sheet.order.skip?.length ?? 0);
  return { ...sheet, total, applier: sheetRows(catalogue, sheet.order) };
}

/** Describes the target of each column, so that the operator can check the guesses. */
export function columnsTold({ columns, others, key }: SheetOrder): string {
  const assignments = columns.map(({ heading, target }) => `${heading} → ${target}`);
  const rest =
    others.length === 0 ? '' : ` Deixadas de lado: ${others.map(({ heading }) => heading).join(', ')}.`;
  return `Colunas: ${assignments.join('; ')}.${rest} Chave: ${key}.`;
}
