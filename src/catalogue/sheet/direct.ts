/**
 * Reads a spreadsheet that the command line imports, in its own process, with the guesses and the instructions of
 * the server (contract section 24).
 */
import { statSync } from 'node:fs';
import type { Clock } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { FileItem, ItemSource } from '../../files/json-members.ts';
import { bytesText } from '../../files/unreadable-file.ts';
import { SHEET_LIMITS } from '../../sheet/limits.ts';
import { headingKey } from '../../sheet/read-heading.ts';
import { openSheets } from '../../sheet/read.ts';
import { UnreadableSheet } from '../../sheet/unreadable-sheet.ts';
import { dayOf } from '../../validation/calendar.ts';
import { formatValue } from '../../validation/format-value.ts';
import type { ImportKind } from '../import/model.ts';
import { type AttributesOn, type FileSheet, sheetsIn } from './inspection.ts';
import { chosenSheet, sheetNotices } from './chosen-sheet.ts';
import { instructionsOf } from './mapping.ts';
import type { SheetOptions, SheetInstructions } from './instructions.ts';
import { type SheetRowsRead, itemsIn } from './rows.ts';
import { SheetStore } from './store.ts';

export interface DirectSheetParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly attributesOn: AttributesOn;
}

export interface DirectSheet {
  readonly sheet: FileSheet;
  readonly instructions: SheetInstructions;
  /** Notices about the content of the file that is not imported. */
  readonly notices: readonly string[];
  readonly items: ItemSource;
}

/**
 * Reads a sheet completely and returns its instructions.
 * `named`: the sheet, by name or position.
 * Throws `UnreadableSheet`, and 400 for targets that the kind does not have.
 */
export async function readDirectly(
  { db, clock, attributesOn }: DirectSheetParts,
  {
    file,
    tipo,
    cpfCnpjRaiz,
  }: { readonly file: string; readonly tipo: ImportKind; readonly cpfCnpjRaiz: string },
  options: SheetOptions,
  sheetName?: string,
): Promise<DirectSheet> {
  refuseSize(statSync(file).size);
  const choices = new SheetStore(db).choices(cpfCnpjRaiz, tipo);
  const { headerRow } = options;
  const table = await tableIndexOf(file, options, sheetName);
  const inspectionRequest = { file, tipo, cpfCnpjRaiz, choices, table, headerRow, day: dayOf(clock.now()) };
  const sheets = await sheetsIn(db, { kind: 'sheetInspection', ...inspectionRequest }, attributesOn);
  const selectedSheet = chosenSheet(tipo, sheets, options);
  const instructions = instructionsOf(tipo, cpfCnpjRaiz, selectedSheet, options, choices);
  return {
    sheet: selectedSheet,
    instructions,
    notices: sheetNotices(sheets, selectedSheet, instructions),
    items: (after) => fileItems({ kind: 'sheetRows', file, instructions }, after?.index ?? -1),
  };
}

/**
 * Returns the index of the sheet to read.
 * `named`: its name or index. `undefined`: the instructions choose, or nothing does.
 * Throws `UnreadableSheet` if the file has no such sheet.
 */
export async function tableIndexOf(
  file: string,
  { table }: Pick<SheetOptions, 'table'>,
  requestedSheet: string | undefined,
): Promise<number | undefined> {
  if (requestedSheet === undefined) return table;
  const { tables, close } = await openSheets(file);
  close();
  const byName = tables.findIndex(({ name }) => headingKey(name) === headingKey(requestedSheet));
  const index = byName === -1 && /^\d{1,4}$/.test(requestedSheet) ? Number(requestedSheet) : byName;
  if (tables[index] !== undefined) return index;
  throw new UnreadableSheet(
    'empty',
    `O arquivo não tem a planilha ${formatValue(requestedSheet)}; tem ${tables.map(({ name }, position) => `${position}: ${name}`).join(', ')}. Diga um destes nomes ou números.`,
  );
}

function refuseSize(size: number): void {
  const { maxBytes } = SHEET_LIMITS;
  if (size > maxBytes)
    throw new UnreadableSheet(
      'tooLarge',
      `A planilha tem ${bytesText(size)}; são aceitos até ${bytesText(maxBytes)}. Divida-a.`,
    );
}

/** Yields the rows after the row `behind`, as the items of any file. */
async function* fileItems(read: SheetRowsRead, behind: number): AsyncGenerator<FileItem, void, undefined> {
  let index = -1;
  for await (const value of itemsIn(read)) {
    index += 1;
    const place = { member: 0, indexInMember: index, line: value.row, end: 0, endLine: value.row };
    if (index > behind) yield { index, value, file: undefined, ...place };
  }
}
