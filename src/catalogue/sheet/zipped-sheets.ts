/**
 * Imports a zip with spreadsheets (contract section 24). Each spreadsheet is replaced by a JSON member that holds
 * its rows, so that the import reads all members in one way.
 */
import type { EpochMs } from '../../clock.ts';
import { DomainError, type Problem, malformed } from '../../errors.ts';
import type { FileLimits } from '../../files/file-limits.ts';
import { isZip } from '../../files/json-members.ts';
import { UnreadableFile, bytesText } from '../../files/unreadable-file.ts';
import type { ZipContent } from '../../files/zip-out.ts';
import type { PackedMember } from '../../files/zip-members.ts';
import { SHEET_LIMITS } from '../../sheet/limits.ts';
import { UnreadableSheet } from '../../sheet/unreadable-sheet.ts';
import type { Caller } from '../../session/model.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import { withCount } from '../../validation/text.ts';
import type { ItemApplier } from '../batch.ts';
import type { BrakedPart } from '../brake.ts';
import type { ImportFolder } from '../import/folder.ts';
import { type ImportKind, type ZipInstructions, leftOutNotices } from '../import/model.ts';
import type { ZipContentKind } from '../import/upload.ts';
import { brakeOf } from './braked.ts';
import { chosenSheet, isRecognised, sheetNotices } from './chosen-sheet.ts';
import type { FileSheet } from './inspection.ts';
import { columnsInWords, instructionsOf } from './mapping.ts';
import type { SheetOptions, SheetInstructions } from './instructions.ts';
import type { Choice } from './store.ts';

export interface ZipRequest {
  readonly file: string;
  readonly limits: FileLimits;
  readonly tipo: ImportKind;
  readonly cpfCnpjRaiz: string;
  readonly options: SheetOptions;
  /** True if the sender chooses a sheet of a workbook with an option of its own, not with `how`. */
  readonly namesTable?: boolean;
  readonly choices: readonly Choice[];
}

export interface ZippedContext {
  readonly folder: ImportFolder;
  /** Returns the sheets of a file in the folder. */
  readonly inspect: (storedFile: string) => Promise<readonly FileSheet[]>;
  /** Yields the JSON array of the rows of a file in the folder. */
  readonly rowsOf: (
    storedFile: string,
    instructions: SheetInstructions,
  ) => AsyncIterable<string | Uint8Array>;
}

/** A zip whose sheets were read. `Symbol.asyncDispose` removes their unpacked files. */
export interface ZippedSheets extends AsyncDisposable {
  readonly instructions: ZipInstructions<SheetInstructions>;
  readonly notices: readonly string[];
  /** Yields the zip with JSON members only. */
  readonly bytes: (madeAt: EpochMs) => AsyncGenerator<Uint8Array>;
}

/** Member names of Office and LibreOffice documents. A zip with one of them is a document, not a set of files. */
const DOCUMENT_PARTS: ReadonlySet<string> = new Set([
  '[Content_Types].xml',
  'xl/workbook.xml',
  'xl/workbook.bin',
  'content.xml',
]);

/**
 * Returns the kind of the content. `undefined`: the file is no zip, or the zip is a document. Throws
 * `UnreadableFile`.
 */
export async function zipContentsOf(file: string, limits: FileLimits): Promise<ZipContentKind | undefined> {
  if (!(await isZip(file))) return undefined;
  const { packedMembers } = await import('../../files/zip-members.ts'); // loaded with the first zip
  using zip = await packedMembers(file, limits);
  if (zip.others.some((name) => DOCUMENT_PARTS.has(name))) return undefined;
  return zip.members.some(({ isSheet }) => isSheet) ? 'sheets' : 'records';
}

/**
 * Unpacks and reads the sheets. Throws 400, 422, `UnreadableFile` or `UnreadableSheet`. An error about one
 * member names it.
 */
export async function readZipped(request: ZipRequest, context: ZippedContext): Promise<ZippedSheets> {
  const { file, limits, tipo, cpfCnpjRaiz, options, namesTable = false, choices } = request;
  const { folder } = context;
  const { packedMembers } = await import('../../files/zip-members.ts');
  const { zipOfTexts } = await import('../../files/zip-out.ts');
  const zip = await packedMembers(file, limits);
  const storedFiles = new Map<PackedMember, string>();
  const dispose = async (): Promise<void> => {
    zip[Symbol.dispose]();
    for (const storedFile of storedFiles.values()) await folder.remove(storedFile);
  };
  try {
    refuseSingleSheetMembers(options, namesTable, zip.members.filter(({ isSheet }) => isSheet).length);
    const instructionsByMember = new Map<PackedMember, SheetInstructions>();
    const notices = [...leftOutNotices(zip.others)];
    for (const member of zip.members.filter(({ isSheet }) => isSheet)) {
      const { name } = member;
      try {
        const storedFile = await unpackToFolder(member, folder, (name) => storedFiles.set(member, name));
        const sheets = await context.inspect(storedFile);
        const sheet = chosenSheet(tipo, sheets, options);
        if (!isRecognised(tipo, sheet, options)) {
          notices.push(`${name}: não importada; nenhuma coluna foi reconhecida.`);
          continue;
        }
        const instructions = instructionsOf(tipo, cpfCnpjRaiz, sheet, options, choices);
        instructionsByMember.set(member, instructions);
        notices.push(
          `${name}: ${columnsInWords(instructions)}`,
          ...sheetNotices(sheets, sheet, instructions).map((notice) => `${name}: ${notice}`),
        );
      } catch (error) {
        throw withMemberName(name, error);
      }
    }
    const importedMembers = zip.members.filter(
      (member) => !member.isSheet || instructionsByMember.has(member),
    );
    if (importedMembers.length === 0)
      throw new UnreadableFile('noJsonMember', `O zip não tem nada a importar. ${notices.join(' ')}`);
    const sheets = importedMembers.flatMap((member, index) => {
      const instructions = instructionsByMember.get(member);
      return instructions === undefined ? [] : [{ member: index, name: member.name, order: instructions }];
    });
    async function* contents(): AsyncGenerator<ZipContent> {
      for (const member of importedMembers) {
        const instructions = instructionsByMember.get(member);
        const storedFile = storedFiles.get(member);
        const text =
          instructions === undefined || storedFile === undefined
            ? member.unpack()
            : context.rowsOf(storedFile, instructions);
        yield { name: member.name, text };
      }
    }
    return {
      instructions: { tipo, cpfCnpjRaiz, sheets },
      notices,
      bytes: (madeAt) => zipOfTexts(contents(), madeAt),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Unpacks a member into a file of the folder and returns its name. Throws `UnreadableSheet` above the size limit. */
async function unpackToFolder(
  { unpack }: PackedMember,
  folder: ImportFolder,
  onCreated: (storedFile: string) => void,
): Promise<string> {
  const { name: storedFile, handle } = await folder.create();
  onCreated(storedFile);
  try {
    let size = 0;
    for await (const chunk of unpack()) {
      size += chunk.length;
      if (size > SHEET_LIMITS.maxBytes)
        throw new UnreadableSheet(
          'tooLarge',
          `a planilha tem mais de ${bytesText(SHEET_LIMITS.maxBytes)}. Divida-a.`,
        );
      await handle.writeFile(chunk);
    }
  } finally {
    await handle.close();
  }
  return storedFile;
}

/** Members of a request that apply to a single sheet. */
const SINGLE_SHEET_MEMBERS = ['table', 'headerRow', 'mapping', 'skip'] as const;

function refuseSingleSheetMembers(options: SheetOptions, namesTable: boolean, sheets: number): void {
  const isNamed = (member: (typeof SINGLE_SHEET_MEMBERS)[number]): boolean =>
    options[member] !== undefined || (member === 'table' && namesTable);
  const extraMembers = sheets < 2 ? [] : SINGLE_SHEET_MEMBERS.filter(isNamed);
  if (extraMembers.length > 0)
    throw malformed(
      extraMembers.map((member) =>
        fieldProblem(
          member,
          `vale para uma planilha, e o zip tem ${sheets}; envie essa planilha fora do zip.`,
        ),
      ),
    );
}

/** Returns the error with the name of the zip member in its messages. */
function withMemberName(name: string, error: unknown): unknown {
  if (error instanceof UnreadableSheet) return new UnreadableSheet(error.reason, `${name}: ${error.message}`);
  if (!(error instanceof DomainError)) return error;
  const problems = error.problems.map(({ label: _, ...unlabelled }): Problem => ({
    ...unlabelled,
    message: `${name}: ${unlabelled.message}`,
  }));
  return new DomainError(error.kind, `${name}: ${error.message}`, { ...error.options, problems });
}

/** Returns an applier that passes the rows of a sheet to the applier of the sheet, and other items to `records`. */
export function zippedApplier(sheets: ReadonlyMap<number, ItemApplier>, records: ItemApplier): ItemApplier {
  const applierOf = (member: number | undefined): ItemApplier =>
    (member === undefined ? undefined : sheets.get(member)) ?? records;
  return {
    apply: (tx, caller, item, mode, reading) =>
      applierOf(reading.member).apply(tx, caller, item, mode, reading),
    mayMeetRecord: (item, member) => applierOf(member).mayMeetRecord?.(item, member) ?? true,
    furtherProblems: (item, problems, member) => applierOf(member).furtherProblems?.(item, problems, member),
  };
}

/** Returns the brake of the whole zip: the check that refuses many changes or deactivations without confirmation. */
export function brakeOfZip(
  { sheets }: ZipInstructions<SheetInstructions>,
  simulates: boolean,
): BrakedPart | undefined {
  const brakes = sheets
    .map(({ order: instructions }) => brakeOf(instructions, simulates))
    .filter((brake) => brake !== undefined);
  const keyColumn = brakes.find((brakedPart) => brakedPart.keyColumn !== undefined)?.keyColumn;
  if (brakes.length > 0) return { checkedItems: 'all', keyColumn };
  return simulates ? undefined : { checkedItems: 'deactivations', keyColumn: undefined };
}

/** Returns the only company of a caller. Throws 400 if it represents none or several. */
export function onlyCompanyOf({ companies }: Caller): string {
  const [company, ...others] = companies.keys();
  if (company !== undefined && others.length === 0) return company;
  throw malformed([
    fieldProblem(
      'cpfCnpjRaiz',
      `o zip tem planilhas, e uma planilha é de uma empresa; o usuário representa ${withCount(companies.size, 'empresa')}: diga qual em cpfCnpjRaiz.`,
    ),
  ]);
}
