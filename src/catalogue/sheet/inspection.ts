/**
 * Reads a spreadsheet in a Worker: its content, the targets of its columns, and the reasons for them
 * (contract section 24).
 */
import type { Day } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { Guess } from '../../sheet/column.ts';
import { sheetsToImport } from '../../sheet/form.ts';
import { Guessing } from '../../sheet/guess.ts';
import {
  type ColumnSummary,
  type SheetSummary,
  type ReadColumn,
  readSheet,
  noRowsBelow,
} from '../../sheet/sheet-summary.ts';
import { headingKey } from '../../sheet/read-heading.ts';
import { openSheets } from '../../sheet/read.ts';
import { UnreadableSheet, type UnreadableSheetReason } from '../../sheet/unreadable-sheet.ts';
import type { NcmAttributes } from '../attribute/words/model.ts';
import type { ImportKind } from '../import/model.ts';
import { sheetKind } from './kinds.ts';
import { MEANINGS_MAX } from './model.ts';
import {
  guessAttributeNames,
  guessAttributeValues,
  guessDescriptions,
  guessPairs,
  guessNames,
} from './product-guess.ts';
import { type NamedTarget, kindOfHeadings, targetsOf } from './targets.ts';
import { type Choice, listNumbers, ncmsOfCompany } from './store.ts';
import { parseTarget } from './target.ts';

/** The message to the Worker. */
export interface SheetInspectionRead {
  readonly kind: 'sheetInspection';
  readonly file: string;
  readonly tipo: ImportKind;
  readonly cpfCnpjRaiz: string;
  readonly day: Day;
  readonly choices: readonly Choice[];
  /** The index of the only sheet to read. */
  readonly table?: number | undefined;
  readonly headerRow?: number | undefined;
}

/** The answer of the Worker. A refusal is a value in it. */
export type SheetInspectionAnswer =
  | { readonly sheets: readonly FileSheet[]; readonly refused?: never }
  | { readonly refused: { readonly reason: UnreadableSheetReason; readonly message: string } };

/** A column with the remembered meanings of its values. */
export interface FileSheetColumn extends ColumnSummary {
  readonly meanings: readonly { readonly value: string; readonly meaning: string }[];
}

/** A sheet of the file. `table`: its index, from 0. */
export interface FileSheet extends SheetSummary {
  readonly columns: readonly FileSheetColumn[];
  readonly table: number;
  /** The kind that the headings suggest. `null`: none in particular. */
  readonly seems: ImportKind | null;
  readonly targets: readonly NamedTarget[];
}

/**
 * Returns the names of the attributes of an NCM by the table in force on the day.
 * `undefined`: no table, or not in it.
 */
export type AttributesOn = (day: Day) => ((ncm: string) => NcmAttributes | undefined) | undefined;

export async function* sheetInspectionTexts(
  db: Db,
  request: SheetInspectionRead,
  attributesOn: AttributesOn,
): AsyncGenerator<string> {
  try {
    yield JSON.stringify({
      sheets: await sheetsIn(db, request, attributesOn),
    } satisfies SheetInspectionAnswer);
  } catch (error) {
    if (!(error instanceof UnreadableSheet)) throw error;
    const { reason, message } = error;
    yield JSON.stringify({ refused: { reason, message } } satisfies SheetInspectionAnswer);
  }
}

/** Reads the sheets. Throws `UnreadableSheet`. */
export async function sheetsIn(
  db: Db,
  request: SheetInspectionRead,
  attributesOn: AttributesOn,
): Promise<readonly FileSheet[]> {
  const { file, tipo, day, choices, table: only, headerRow } = request;
  const { tables, close } = await openSheets(file);
  try {
    const kind = sheetKind(tipo);
    const chosenTargets = new Map(
      choices.flatMap(({ heading, target }) => (target === undefined ? [] : [[heading, target] as const])),
    );
    // Products only. All sheets share the look-ups.
    const attributesOf = tipo === 'produto' ? attributesOn(day) : undefined;
    const sheets: FileSheet[] = [];
    for (const [table, sheetTable] of sheetsToImport(tables).entries()) {
      if (only !== undefined && table !== only) continue;
      let [seems, ncmAttributes]: [ImportKind | null, readonly NcmAttributes[]] = [null, []];
      const guess = (headedColumns: readonly ReadColumn[]): readonly Guess[] => {
        seems = kindOfHeadings(headedColumns);
        const isNumbered = (place: number): boolean =>
          areCatalogueNumbers(db, request, headedColumns[place]?.distinct ?? new Map());
        const guessing = new Guessing(headedColumns, kind, { choices: chosenTargets, isNumbered });
        guessing.byName();
        guessing.byWords();
        if (tipo === 'produto') {
          guessDescriptions(guessing);
          guessPairs(guessing);
        }
        if (attributesOf !== undefined) {
          ncmAttributes = attributesIn(db, request, attributesOf, headedColumns, guessing.placeOf('ncm'));
          guessAttributeNames(guessing, ncmAttributes);
        }
        guessing.byParts();
        guessing.byValues();
        if (tipo === 'produto') guessNames(guessing);
        guessAttributeValues(guessing, ncmAttributes);
        return guessing.result();
      };
      const content = await readSheet(sheetTable, { kind, headerRow, guess });
      if (content === undefined) continue;
      const pairs = content.columns.filter(
        ({ target }) => target !== null && parseTarget(target).kind === 'pair',
      );
      const targets = [...targetsOf(tipo, ncmAttributes), ...pairs.flatMap(pairTargetOf)];
      const columns = content.columns.map((column) => ({
        ...column,
        meanings: meaningsFor(column, choices),
      }));
      sheets.push({ table, ...content, columns, seems, targets });
    }
    if (sheets.length === 0) throw noRowsBelow();
    return sheets;
  } finally {
    close();
  }
}

/** Returns the first of the meanings that an import of the column applies. */
function meaningsFor(
  { heading, target }: ColumnSummary,
  choices: readonly Choice[],
): FileSheetColumn['meanings'] {
  const choice = choices.find((rememberedChoice) => rememberedChoice.heading === headingKey(heading));
  if (choice?.meanings === undefined || choice.meanings.target !== target) return [];
  return Object.entries(choice.meanings.values)
    .slice(0, MEANINGS_MAX)
    .map(([value, meaning]) => ({ value, meaning }));
}

/** Returns a column of a pair as a target that people choose. */
const pairTargetOf = ({ target, heading }: SheetSummary['columns'][number]): readonly NamedTarget[] =>
  target === null ? [] : [{ target, heading: `${heading} (em par)`, isRequired: false }];

/** Maximum NCMs whose attribute names are looked up. */
const NCMS_MAX = 2000;

/**
 * Returns the names in the table for the NCMs that the sheet names. If it names none, uses the NCMs of the
 * company.
 */
function attributesIn(
  db: Db,
  { cpfCnpjRaiz }: SheetInspectionRead,
  attributesOf: NonNullable<ReturnType<AttributesOn>>,
  headed: readonly ReadColumn[],
  ncmColumn: number,
): readonly NcmAttributes[] {
  const ncmAttributes = [...(headed[ncmColumn]?.distinct.keys() ?? [])]
    .map((text) => text.replaceAll(/\D/g, '').padStart(8, '0'))
    .filter((digits) => digits.length === 8);
  const ncms =
    ncmColumn === -1 ? ncmsOfCompany(db, cpfCnpjRaiz) : [...new Set(ncmAttributes)].slice(0, NCMS_MAX);
  return ncms.map(attributesOf).filter((attributes) => attributes !== undefined);
}

/**
 * Minimum share of cells with codes of this catalogue. Below it, the column holds codes of another system.
 */
const CATALOGUE_NUMBERS_SHARE = 0.9;

function areCatalogueNumbers(
  db: Db,
  { tipo, cpfCnpjRaiz }: SheetInspectionRead,
  cells: ReadonlyMap<string, number>,
): boolean {
  const count = (texts: Iterable<string>): number =>
    [...texts].reduce((sum, text) => sum + (cells.get(text) ?? 0), 0);
  const numbers = listNumbers(db, tipo, cpfCnpjRaiz, [...cells.keys()]);
  return cells.size > 0 && count(numbers) >= count(cells.keys()) * CATALOGUE_NUMBERS_SHARE;
}
