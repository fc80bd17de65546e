/** `catp import`: imports a file into the catalogue, with or without a running server. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import { importDirectly, lastDirect } from '../catalogue/import/direct.ts';
import { contentsOf, importLimits, generatedLimits } from '../catalogue/import/feed.ts';
import { brakeOfZip } from '../catalogue/sheet/zipped-sheets.ts';
import { zipRows } from '../assembly/features/sheet-rows.ts';
import { brakeOf } from '../catalogue/sheet/braked.ts';
import { type BrakedPart, expectedIn } from '../catalogue/brake.ts';
import { BrakeCheck } from '../catalogue/import/brake-check.ts';
import { brakedRecords, importAppliers } from '../assembly/features/import.ts';
import type { ItemApplier } from '../catalogue/batch.ts';
import {
  type FileContents,
  IMPORT_KINDS,
  IMPORT_MODES,
  type ImportKind,
  type ItemResult,
  type SheetMembers,
  leftOutNotices,
  sheetMembersOf,
} from '../catalogue/import/model.ts';
import { ERRORS_HEADER, errorRows } from '../catalogue/import/error-rows.ts';
import { ImportStore } from '../catalogue/import/store.ts';
import { columnsInWords } from '../catalogue/sheet/mapping.ts';
import { KEYS } from '../catalogue/sheet/instructions.ts';
import { UnreadableSheet } from '../sheet/unreadable-sheet.ts';
import { monotonicMs } from '../clock.ts';
import { csvOf } from '../files/csv.ts';
import type { FileLimits } from '../files/file-limits.ts';
import { refuseSpecial } from '../files/from-operator.ts';
import type { ItemSource } from '../files/json-members.ts';
import { UnreadableFile } from '../files/unreadable-file.ts';
import { localOperator } from '../session/model.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import { choice, kindWord } from './values.ts';
import { companiesWith } from './known-companies.ts';
import { ImportDisplay } from './import-display.ts';
import {
  type SheetFlags,
  type ZipOnFolder,
  isSheet,
  refuseUnfitFlags,
  refuseSheetFlags,
  sheetToImport,
  readZipOfSheets,
} from './import-sheet.ts';
import { onFolder } from './folder-command.ts';
import type { OpenFolder } from './open.ts';
import { command } from './command.ts';
import type { FolderFlags } from './options.ts';
import { writeCompleteFile } from './complete-file.ts';

interface ImportFlags extends FolderFlags, SheetFlags {
  readonly empresa?: string;
  readonly simular?: true;
  readonly erros?: string;
  readonly resume?: true;
  readonly expected?: string;
}

const SOME_ITEMS_FAILED = 1;
const FILE_IS_UNREADABLE = 2;

const HELP = `De uma planilha (.xlsx ou .csv) cada linha é um registro de uma empresa. O
destino de cada coluna é reconhecido pelo título; --mapping informa o resto em
JSON, como o campo planilha de POST /appliance/api/imports. Campos sem coluna
não mudam.

Um item recusado não impede os outros; se o arquivo não pode ser lido até o fim,
nada é gravado. Itens de empresas que não sejam a de --empresa, ou as
cadastradas, são recusados. Na simulação, cada item é conferido com o catálogo
atual, sem as mudanças que itens anteriores do arquivo fariam. Com Ctrl+C, a
importação para entre dois itens, e o que já foi gravado permanece.

Com --resume, continua de onde parou a última importação do mesmo conteúdo, tipo
e modo, mesmo depois de uma queda: nenhum item é gravado duas vezes. Se ela já
terminou, nada é feito; se não há nenhuma, uma começa.`;

const EXIT_CODES = `Código de saída: 0 sem erros, ${SOME_ITEMS_FAILED} com itens recusados ou se o comando é
recusado, ${FILE_IS_UNREADABLE} se o arquivo não pode ser lido ou o comando é inválido.`;

export function importCommand(): Command {
  const importing = command(
    'import',
    'importa uma planilha, um JSON ou um zip, também com o servidor em execução',
    `${HELP}\n\n${EXIT_CODES}`,
  )
    .argument('<tipo>', IMPORT_KINDS.map(kindWord).join(' | '), choice('tipo', IMPORT_KINDS, kindWord))
    .argument(
      '<arquivo>',
      'uma planilha (.xlsx, .csv), um array JSON de registros, ou um zip de tais arquivos',
    )
    .option('--empresa <cpfCnpjRaiz>', 'só esta empresa (padrão: todas as cadastradas)')
    .option('--mapping <arquivo>', 'mapeamento das colunas de uma planilha, em JSON')
    .option('--key <chave>', `de uma planilha: ${KEYS.join(' | ')}`, choice('--key', KEYS))
    .option(
      '--table <planilha>',
      'qual planilha do arquivo, se há várias: pelo nome ou pela posição, a partir de 0',
    )
    .option('--modo <modo>', IMPORT_MODES.join(' | '), choice('--modo', IMPORT_MODES), 'lote')
    .option('--simular', 'valida todos os itens e não grava nenhum')
    .option('--erros <arquivo.csv>', 'grava nesse arquivo os erros dos itens recusados')
    .option(
      '--expected <n>',
      'confirma quantos registros serão desativados ou trocados por outros, quando são muitos',
    )
    .option('--resume', 'continua uma importação deste arquivo que foi interrompida');
  return onFolder(importing, importFile);
}

/** Returns the exit code. */
async function importFile(
  open: OpenFolder,
  flags: ImportFlags,
  kind: ImportKind,
  file: string,
): Promise<number> {
  refuseUnfitFlags(file, flags);
  refuseSpecial(file);
  const dryRun = flags.simular === true;
  const expected = expectedIn(flags.expected, '--expected');
  const companies = companiesWith(open, flags.empresa);
  const writable = flags.empresa === undefined ? companies : new Set([flags.empresa]);
  const caller = localOperator(writable);
  const display = new ImportDisplay(process.stderr, monotonicMs, isSheet(file));
  const isInterrupted = watchInterrupt();
  try {
    display.printLine('Lendo o arquivo…');
    await using made = await readZipOfSheets(open, kind, file, flags, writable);
    if (made === undefined && !isSheet(file)) refuseSheetFlags(flags);
    const read = isSheet(file)
      ? await readSheet(open, kind, file, flags, writable, display)
      : made === undefined
        ? await readFile(open, kind, file, dryRun, display, isInterrupted)
        : await readZip(open, file, made, dryRun, display, isInterrupted);
    if (read !== undefined) {
      const { total, sha256, source, limits, applier, rows, sheetMembers, brake } = read;
      const store = new ImportStore(open.db);
      const request = { kind, mode: flags.modo, dryRun, sha256 };
      const resumed = flags.resume === true ? lastDirect(store, request) : undefined;
      if (resumed === undefined && brake !== undefined)
        await new BrakeCheck(open.writer, monotonicMs, brakedRecords(open.catalogue)).refuse({
          kind,
          mode: flags.modo,
          applier,
          caller,
          fileName: basename(file),
          rows,
          sheetMembers,
          file: source,
          limits,
          ...brake,
          expected,
          simulates: dryRun,
          byCommand: true,
        });
      display.begin(total, resumed);
      const parts = { ...open, store, limits, stopwatch: monotonicMs };
      const options = { ...request, applier, caller, fileName: basename(file), rows, sheetMembers };
      const results = shownUntilInterrupted(
        importDirectly(parts, source, options, resumed),
        display,
        isInterrupted,
      );
      await (flags.erros === undefined ? drain(results) : writeErrors(flags.erros, results));
    }
    display.end({ dryRun, interrupted: isInterrupted() });
    return display.failed > 0 ? SOME_ITEMS_FAILED : 0;
  } catch (error) {
    const reason = unreadableReason(error, file);
    if (reason === undefined) throw error;
    display.refuse(file, reason);
    return FILE_IS_UNREADABLE;
  }
}

/** The source of an import, read completely once. */
interface Importable {
  readonly total: number;
  /** The hash of the applied content and of how it is read. */
  readonly sha256: string;
  readonly source: string | ItemSource;
  readonly limits: FileLimits;
  readonly applier: ItemApplier;
  /** The items are rows of a sheet. */
  readonly rows: boolean;
  /** The members of a zip that were sheets. */
  readonly sheetMembers?: SheetMembers;
  /** The part of the import that the brake checks; `undefined`: no brake applies. */
  readonly brake: BrakedPart | undefined;
}

/** Returns `undefined` when the operator interrupts. */
async function readFile(
  { settings, catalogue }: OpenFolder,
  kind: ImportKind,
  file: string,
  dryRun: boolean,
  display: ImportDisplay,
  interrupted: () => boolean,
): Promise<Importable | undefined> {
  const limits = importLimits(settings['importacao.maximo']);
  const contents = await contentsIn(file, limits, interrupted);
  if (contents === undefined) return undefined;
  const { total, leftOut } = contents;
  for (const notice of leftOutNotices(leftOut)) display.printLine(notice);
  const applier = importAppliers(catalogue)[kind];
  const brake = dryRun ? undefined : ({ checkedItems: 'deactivations', keyColumn: undefined } as const);
  return { total, sha256: await sha256Of(file), source: file, limits, applier, rows: false, brake };
}

/** Reads a zip whose sheets were written to `made` as JSON members. */
async function readZip(
  { settings, catalogue }: OpenFolder,
  file: string,
  made: ZipOnFolder,
  dryRun: boolean,
  display: ImportDisplay,
  interrupted: () => boolean,
): Promise<Importable | undefined> {
  const { instructions, notices } = made;
  for (const notice of notices) display.printLine(notice);
  const limits = generatedLimits(importLimits(settings['importacao.maximo']));
  const contents = await contentsIn(made.file, limits, interrupted);
  if (contents === undefined) return undefined;
  return {
    total: contents.total,
    sha256: await sha256Of(file, JSON.stringify(instructions)),
    source: made.file,
    limits,
    applier: zipRows(catalogue, instructions),
    rows: false,
    sheetMembers: sheetMembersOf(instructions),
    brake: brakeOfZip(instructions, dryRun),
  };
}

async function readSheet(
  open: OpenFolder,
  kind: ImportKind,
  file: string,
  flags: ImportFlags,
  companies: ReadonlySet<string>,
  display: ImportDisplay,
): Promise<Importable> {
  const { items, total, applier, ...sheet } = await sheetToImport(open, kind, file, flags, companies);
  for (const notice of sheet.notices) display.printLine(notice);
  display.printLine(columnsInWords(sheet.instructions));
  // The same rows read with another mapping or key are another import.
  const sha256 = await sha256Of(file, JSON.stringify(sheet.instructions));
  const limits = importLimits(open.settings['importacao.maximo']);
  const brake = brakeOf(sheet.instructions, flags.simular === true);
  return { total, sha256, source: items, limits, applier, rows: true, brake };
}

/** Reads the contents of the file; `undefined`: the operator interrupted. */
async function contentsIn(
  file: string,
  limits: FileLimits,
  interrupted: () => boolean,
): Promise<FileContents | undefined> {
  const reading = contentsOf(file, limits);
  for (let turn = await reading.next(); !interrupted(); turn = await reading.next())
    if (turn.done === true) return turn.value;
  await reading.return({ total: 0, company: null, companies: [], leftOut: [] });
  return undefined;
}

async function sha256Of(file: string, reading = ''): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256').update(reading);
  for await (const chunk of Bun.file(file).stream()) hash.update(chunk);
  return hash.digest('hex');
}

/** Yields the results, shows them, and stops when the operator interrupts. */
async function* shownUntilInterrupted(
  slices: AsyncGenerator<readonly ItemResult[]>,
  display: ImportDisplay,
  interrupted: () => boolean,
): AsyncGenerator<ItemResult> {
  for await (const slice of slices) {
    display.add(slice);
    yield* slice;
    if (interrupted()) return;
  }
}

async function drain(results: AsyncGenerator<ItemResult>): Promise<void> {
  for await (const _ of results);
}

/**
 * Writes the refused items. The file is opened before the first item is applied: if it cannot be written, no
 * record has changed yet.
 */
const writeErrors = (file: string, results: AsyncGenerator<ItemResult>): Promise<void> =>
  writeCompleteFile('--erros', file, () => csvOf(ERRORS_HEADER, rowsOf(results)));

async function* rowsOf(results: AsyncGenerator<ItemResult>) {
  for await (const result of results) yield* errorRows([result]);
}

/** Watches Ctrl+C. The first one requests a stop between two slices. The second one ends the process. */
function watchInterrupt(): () => boolean {
  let isInterrupted = false;
  process.once('SIGINT', () => (isInterrupted = true));
  return () => isInterrupted;
}

/** Returns the reason why the file cannot be read; `undefined`: the error has another cause. */
function unreadableReason(error: unknown, file: string): string | undefined {
  if (error instanceof UnreadableFile || error instanceof UnreadableSheet) return error.message;
  const isOfTheFile = error instanceof Error && 'path' in error && error.path === file;
  const isOfReading = error instanceof Error && 'syscall' in error && error.syscall === 'read';
  if (!isOfTheFile && !isOfReading) return undefined;
  return systemCode(error) === 'ENOENT' ? 'o arquivo não existe.' : `${reasonOf(error)}.`;
}
