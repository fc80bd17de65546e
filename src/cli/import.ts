/** `catp import`: a file into the catalogue, while the server runs or without one. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import { importDirectly, lastDirect } from '../catalogue/import/direct.ts';
import { contentsOf, importLimits } from '../catalogue/import/feed.ts';
import { importAppliers } from '../assembly/features/import.ts';
import {
  IMPORT_KINDS,
  IMPORT_MODES,
  type ImportKind,
  type ImportMode,
  type ItemResult,
} from '../catalogue/import/model.ts';
import { ERRORS_HEADER, errorRows } from '../catalogue/import/service.ts';
import { ImportStore } from '../catalogue/import/store.ts';
import { monotonicMs } from '../clock.ts';
import { csvOf } from '../files/csv.ts';
import type { FileLimits } from '../files/file-limits.ts';
import { UnreadableFile } from '../files/unreadable-file.ts';
import { CATALOGUE_PROFILE, type Caller } from '../session/model.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import { choice } from './values.ts';
import { companiesWith } from './known-companies.ts';
import { ImportDisplay } from './import-display.ts';
import { type OpenFolder, withFolder } from './open.ts';
import { asOwner } from './owner.ts';
import { type FolderFlags, command, folderFlags } from './options.ts';
import { writeWhole } from './whole-file.ts';

interface ImportFlags extends FolderFlags {
  readonly empresa?: string;
  readonly modo: ImportMode;
  readonly simular?: true;
  readonly erros?: string;
  readonly resume?: true;
}

const SOME_ITEMS_FAILED = 1;
const FILE_IS_UNREADABLE = 2;

const HELP = `Um item recusado não impede os outros; de um arquivo que não pode ser lido até o
fim nada é aplicado. Itens de outras empresas, que não a de --empresa ou as
cadastradas, são recusados. Na simulação cada item é julgado contra o catálogo
como ele está, sem o que itens anteriores do arquivo mudariam. Interrompida com
Ctrl+C, a importação para entre dois itens e o que já foi aplicado permanece.

Com --resume continua de onde a última deste conteúdo, tipo e modo parou, por
mais bruscamente que tenha sido cortada: nenhum item é aplicado duas vezes. De
uma que chegou ao fim nada é feito; onde não há nenhuma, ela começa.`;

const EXIT_CODES = `Código de saída: 0 sem erros, ${SOME_ITEMS_FAILED} com itens recusados ou se o comando é
recusado, ${FILE_IS_UNREADABLE} se o arquivo não pode ser lido ou o comando está mal escrito.`;

export function importCommand(): Command {
  const made = command(
    'import',
    'importa um arquivo JSON ou zip, também com o servidor em execução',
    `${HELP}\n\n${EXIT_CODES}`,
  )
    .argument('<tipo>', IMPORT_KINDS.join(' | '), choice('tipo', IMPORT_KINDS))
    .argument('<arquivo>', 'um array JSON de registros, ou um zip de tais arquivos')
    .option('--empresa <cpfCnpjRaiz>', 'só esta empresa (padrão: todas as cadastradas)')
    .option('--modo <modo>', IMPORT_MODES.join(' | '), choice('--modo', IMPORT_MODES), 'lote')
    .option('--simular', 'valida todos os itens e não grava nenhum')
    .option('--erros <arquivo.csv>', 'grava nesse arquivo os erros dos itens recusados')
    .option('--resume', 'continua uma importação deste arquivo que foi interrompida');
  return asOwner(folderFlags(made)).action(async (kind: ImportKind, file: string, flags: ImportFlags) => {
    process.exitCode = await withFolder(flags, (open) => importFile(open, kind, file, flags));
  });
}

/** The exit code. */
async function importFile(
  open: OpenFolder,
  kind: ImportKind,
  file: string,
  flags: ImportFlags,
): Promise<number> {
  const limits = importLimits(open.settings['importacao.maximo']);
  const dryRun = flags.simular === true;
  const caller = localOperator(open, flags.empresa);
  const display = new ImportDisplay(process.stderr, monotonicMs);
  const interrupted = interruption();
  try {
    display.say('Lendo o arquivo…');
    const total = await totalOf(file, limits, interrupted);
    if (total !== undefined) {
      const { db, catalogue } = open;
      const store = new ImportStore(db);
      const asked = { kind, mode: flags.modo, dryRun, sha256: await sha256Of(file) };
      const resumed = flags.resume === true ? lastDirect(store, asked) : undefined;
      display.begin(total, resumed);
      const parts = { ...open, store, limits, stopwatch: monotonicMs };
      const applier = importAppliers(catalogue)[kind];
      const order = { ...asked, applier, caller, fileName: basename(file) };
      const results = watched(importDirectly(parts, file, order, resumed), display, interrupted);
      await (flags.erros === undefined ? drain(results) : writeErrors(flags.erros, results));
    }
    display.end({ dryRun, interrupted: interrupted() });
    return display.failed > 0 ? SOME_ITEMS_FAILED : 0;
  } catch (error) {
    const reason = unreadability(error, file);
    if (reason === undefined) throw error;
    display.refuse(file, reason);
    return FILE_IS_UNREADABLE;
  }
}

/** How many items there are; `undefined` when the operator interrupts. */
async function totalOf(
  file: string,
  limits: FileLimits,
  interrupted: () => boolean,
): Promise<number | undefined> {
  const reading = contentsOf(file, limits);
  for (let turn = await reading.next(); !interrupted(); turn = await reading.next())
    if (turn.done === true) return turn.value.total;
  await reading.return({ total: 0, company: null });
  return undefined;
}

async function sha256Of(file: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256');
  for await (const chunk of Bun.file(file).stream()) hash.update(chunk);
  return hash.digest('hex');
}

/** Whoever has the data folder at hand may write what is in it. Throws when `--empresa` is no company of it. */
function localOperator(open: OpenFolder, company: string | undefined): Caller {
  const known = companiesWith(open, company);
  return {
    documento: '',
    nome: 'Operador local',
    tipo: 'PRIV',
    orgao: null,
    administrador: false,
    perfil: CATALOGUE_PROFILE,
    companies: company === undefined ? known : new Set([company]),
    key: null,
  };
}

/** Shows the results as they come, and ends them when the operator interrupts. */
async function* watched(
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

/** Opened before the first item is applied: where it cannot be written, nothing has happened yet. */
const writeErrors = (file: string, results: AsyncGenerator<ItemResult>): Promise<void> =>
  writeWhole('--erros', file, () => csvOf(ERRORS_HEADER, rowsOf(results)));

async function* rowsOf(results: AsyncGenerator<ItemResult>) {
  for await (const result of results) yield* errorRows([result]);
}

/** The first Ctrl+C asks for an end between two slices; the second one ends the process as ever. */
function interruption(): () => boolean {
  let isInterrupted = false;
  process.once('SIGINT', () => (isInterrupted = true));
  return () => isInterrupted;
}

/** Why the file cannot be read, or `undefined` when it is something else that went wrong. */
function unreadability(error: unknown, file: string): string | undefined {
  if (error instanceof UnreadableFile) return error.message;
  const isOfTheFile = error instanceof Error && 'path' in error && error.path === file;
  const isOfReading = error instanceof Error && 'syscall' in error && error.syscall === 'read';
  if (!isOfTheFile && !isOfReading) return undefined;
  return systemCode(error) === 'ENOENT' ? 'o arquivo não existe.' : `${reasonOf(error)}.`;
}
