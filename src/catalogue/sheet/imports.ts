/**
 * Imports spreadsheets (contract section 24): fills in the guesses, converts rows to items, and applies a dry
 * run as it was shown.
 */
import type { Proposed } from '../../change.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../clock.ts';
import { UnreadableFile } from '../../files/unreadable-file.ts';
import type { AlsoWrite } from '../../idempotency/service.ts';
import { malformed, notFound, unprocessable } from '../../errors.ts';
import { tooLarge } from '../../http/body.ts';
import { hasRight, requireRight } from '../../session/guard.ts';
import type { Caller } from '../../session/model.ts';
import type { QuotaOwner } from '../../fair-shares.ts';
import { tooMuchTime } from '../../reading/costly-work.ts';
import type { Reads } from '../../reading/pool.ts';
import { decode } from '../../validation/decode.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import { asSchema } from '../../validation/schema.ts';
import { SHEET_LIMITS } from '../../sheet/limits.ts';
import { type Expected, expectedIn } from '../brake.ts';
import { violated } from '../codes.ts';
import type { Approval } from '../import/approval.ts';
import { refuseAwaiting } from '../import/awaiting.ts';
import type { ImportFolder } from '../import/folder.ts';
import { type ImportJob, isOver, rightOf, zipInstructionsJson } from '../import/model.ts';
import type { ImportService, GeneratedImportOptions } from '../import/service.ts';
import type { SheetUpload, Upload, UploadedFile, ZipContentKind } from '../import/upload.ts';
import { brakeOf } from './braked.ts';
import { choicesIn } from './choices.ts';
import { parseSheetOptions } from './parse-sheet-options.ts';
import { chosenSheet, sheetNotices, skipNotices } from './chosen-sheet.ts';
import { meaningNotices, instructionsOf } from './mapping.ts';
import { CorrectedRows, type Corrections } from './corrections.ts';
import type { FailedRowsRead } from './failed.ts';
import { type JudgedRow, judgedRows } from './judged.ts';
import { requireCells, storedInstructions } from './stored-instructions.ts';
import { type SheetOptions, SheetImport, type SheetInstructions, instructionsJson } from './instructions.ts';
import { type SheetRowsRead, itemTexts } from './rows.ts';
import { rowsWithShownChanges } from './seen-rows.ts';
import { type SheetService, asUnreadable } from './service.ts';
import type { SheetStore, StoredSheet } from './store.ts';
import { brakeOfZip, onlyCompanyOf, zipContentsOf, readZipped } from './zipped-sheets.ts';

/** Timeout of reading the rows of a sheet (contract section 16). Unlike an inspection, it takes turns with other reads. */
const ROWS_MS = 2 * MINUTE_MS;

/** The import to create from rows. */
interface NewImport {
  readonly kind: 'planilha' | 'correcao';
  readonly source?: number;
  readonly simular: boolean;
  readonly expected: Expected;
  /** Members that corrections fill. */
  readonly correctedMembers?: readonly string[];
  readonly proposal?: Proposed | undefined;
  readonly parts: GeneratedImportOptions;
}

/** The request to carry out a dry run. */
interface DryRunRequest {
  readonly skip: readonly number[];
  readonly expected: Expected;
  readonly proposal?: Proposed | undefined;
}

type SheetSource = Pick<StoredSheet, 'cpfCnpjRaiz' | 'tipo' | 'fileName' | 'storedFile' | 'sha256'>;

export type SheetImports = ReturnType<typeof createSheetImports>;

export function createSheetImports({
  imports,
  sheets,
  store,
  folder,
  reads,
  clock,
}: {
  readonly imports: ImportService;
  readonly sheets: SheetService;
  readonly store: SheetStore;
  readonly folder: ImportFolder;
  readonly reads: Reads<SheetRowsRead>;
  readonly clock: Clock;
}) {
  const schema = SheetImport;

  /** Starts an import from the received body. Throws 400, 403, 404, 422. */
  function start(caller: Caller, quotaOwner: QuotaOwner, body: unknown, alsoWrite?: AlsoWrite) {
    const { value, problems } = decode(asSchema(SheetImport), body);
    if (problems.length > 0) throw malformed(problems);
    const { sheet, from, ...options } = value as SheetImport; // the schema guarantees it
    const { expected, skip, ...others } = options;
    const isOnlyFrom = sheet === undefined && Object.keys(others).length === 0;
    if ((sheet === undefined) === (from === undefined) || (from !== undefined && !isOnlyFrom))
      throw malformed([
        fieldProblem(
          'sheet',
          'informe sheet, a planilha enviada, ou from, a simulação a gravar, com skip ou sem nada mais.',
        ),
      ]);
    if (from === undefined)
      return startSheet(caller, quotaOwner, sheets.get(caller, sheet as number), options, alsoWrite);
    const dryRun = { skip: skip ?? [], expected: expectedIn(expected) };
    return startFromDryRun(caller, from, dryRun, (tx, id) => {
      imports.refuseProposed(from);
      alsoWrite?.(tx, id);
    });
  }

  /** Queues all rows of a proposal, each with the changes that it showed. Throws 422. */
  function approve(caller: Caller, { id }: ImportJob, approval: Approval): Promise<number> {
    const { proposal, expected, decide } = approval;
    return startFromDryRun(caller, id, { skip: [], expected, proposal }, decide);
  }

  /**
   * Imports a sheet of the request. Keeps the file only while its rows are read.
   * Throws 413: other kinds of file may be larger.
   */
  async function startUpload(
    caller: Caller,
    quotaOwner: QuotaOwner,
    sheetUpload: SheetUpload & Pick<SheetSource, 'cpfCnpjRaiz'>,
    upload: Upload<unknown>,
    alsoWrite?: AlsoWrite,
  ): Promise<number> {
    const { fileName, storedFile, sha256, bytes } = upload;
    try {
      if (bytes > SHEET_LIMITS.maxBytes) throw tooLarge(SHEET_LIMITS.maxBytes);
      const options = parseSheetOptions(sheetUpload.planilha);
      const simular = sheetUpload.simular || options.simular === true;
      return await startSheet(
        caller,
        quotaOwner,
        { ...sheetUpload, fileName, storedFile, sha256 },
        { ...options, simular, expected: sheetUpload.expected ?? options.expected },
        alsoWrite,
      );
    } finally {
      await folder.remove(storedFile);
    }
  }

  /** Returns what a zip holds. `undefined`: it is no readable zip of files. */
  async function contentKind({ storedFile }: UploadedFile): Promise<ZipContentKind | undefined> {
    try {
      return await zipContentsOf(folder.pathOf(storedFile), imports.limits);
    } catch (error) {
      if (error instanceof UnreadableFile) return undefined; // its import reports it
      throw error;
    }
  }

  /** Imports the sheets of a zip with its JSON members, as one import. Throws 400, 403, 422. */
  async function startZip(
    caller: Caller,
    quotaOwner: QuotaOwner,
    sheetUpload: SheetUpload,
    upload: Upload<unknown>,
    alsoWrite?: AlsoWrite,
  ): Promise<number> {
    const { tipo } = sheetUpload;
    const { fileName, storedFile, sha256 } = upload;
    try {
      const cpfCnpjRaiz = sheetUpload.cpfCnpjRaiz ?? onlyCompanyOf(caller);
      const options = parseSheetOptions(sheetUpload.planilha);
      const simular = sheetUpload.simular || options.simular === true;
      requireRight(caller, cpfCnpjRaiz, rightOf('planilha', simular));
      const choices = store.choices(cpfCnpjRaiz, tipo);
      const file = folder.pathOf(storedFile);
      await using zip = await readZipped(
        { file, limits: imports.limits, tipo, cpfCnpjRaiz, options, choices },
        {
          folder,
          inspect: (unpacked) =>
            sheets.inspect({ cpfCnpjRaiz, tipo, storedFile: unpacked }, quotaOwner, options),
          rowsOf: (unpacked, instructions) => rowsOf(quotaOwner, unpacked, instructions),
        },
      );
      const importRequest = {
        kind: 'arquivo',
        tipo,
        modo: 'lote',
        simular,
        fileName,
        sha256,
        company: null,
        pedido: zipInstructionsJson(zip.instructions),
      } as const;
      const expected = expectedIn(sheetUpload.expected ?? options.expected);
      const brake = brakeOfZip(zip.instructions, simular);
      return await imports.startGenerated(caller, zip.bytes(clock.now()), importRequest, {
        judge: async (_items, itemsFile) => {
          if (brake !== undefined)
            await imports.refuseBraked(caller, { ...importRequest, ...brake, expected }, itemsFile);
        },
        notices: () => zip.notices,
        alsoWrite: (tx, newId) => {
          requireRight(caller, cpfCnpjRaiz, rightOf('planilha', simular)); // the right may have ended while the rows were read
          alsoWrite?.(tx, newId);
        },
      });
    } catch (error) {
      throw error instanceof UnreadableFile
        ? unprocessable([violated('unreadableSheet', null, error.message)])
        : error;
    } finally {
      await folder.remove(storedFile);
    }
  }

  function rowsOf(
    quotaOwner: QuotaOwner,
    storedFile: string,
    instructions: SheetInstructions,
  ): AsyncIterable<Uint8Array> {
    return reads.read({ kind: 'sheetRows', file: folder.pathOf(storedFile), instructions }, quotaOwner, {
      ms: ROWS_MS,
      refusal: () => tooMuchTime(ROWS_MS / SECOND_MS),
    });
  }

  async function startSheet(
    caller: Caller,
    quotaOwner: QuotaOwner,
    sheet: SheetSource,
    options: SheetOptions,
    alsoWrite?: AlsoWrite,
  ): Promise<number> {
    const { cpfCnpjRaiz, tipo, storedFile } = sheet;
    requireRight(caller, cpfCnpjRaiz, rightOf('planilha', options.simular === true));
    const { table, headerRow } = options;
    const all = await sheets.inspect(sheet, quotaOwner, { table, headerRow });
    const content = chosenSheet(tipo, all, options);
    const earlier = store.choices(cpfCnpjRaiz, tipo);
    const instructions = instructionsOf(tipo, cpfCnpjRaiz, content, options, earlier);
    const rows = rowsOf(quotaOwner, storedFile, instructions);
    const id = await startImport(caller, rows, sheet, instructions, {
      kind: 'planilha',
      simular: options.simular === true,
      expected: expectedIn(options.expected),
      parts: {
        alsoWrite,
        notices: () => [
          ...sheetNotices(all, content, instructions),
          ...meaningNotices(instructions, options),
        ],
      },
    }).catch(asUnreadable);
    const choices = choicesIn(options, content, instructions);
    if (choices.length > 0 && hasRight(caller, cpfCnpjRaiz, 'preenchimento'))
      await sheets.storeChoices(() => store.putChoices(cpfCnpjRaiz, tipo, choices));
    return id;
  }

  /** Queues all rows of a dry run, each with the changes that it showed. Throws 404, 422. */
  async function startFromDryRun(
    caller: Caller,
    id: number,
    { skip, expected, proposal }: DryRunRequest,
    alsoWrite: AlsoWrite,
  ): Promise<number> {
    const { family } = imports;
    const job = imports.find(caller, id);
    const instructions = storedInstructions(imports, job);
    requireRight(caller, instructions.cpfCnpjRaiz, rightOf('planilha', false));
    if (proposal === undefined) refuseAwaiting(job);
    if (!job.simular || (job.state !== 'done' && proposal === undefined) || job.forgotten !== 0)
      throw unprocessable([
        violated(
          'notADryRun',
          '/from',
          `a importação ${id} não é uma simulação que terminou e guarda seus resultados; simule com simular=true, espere terminar e envie o id dela.`,
        ),
      ]);
    requireCells(imports.noCellsReason(job));
    family.refuseCarriedOut(id);
    const doneRows = await family.doneByOthers(job, false);
    const options = { skip: new Set(skip), isApproved: proposal !== undefined };
    const rows = itemTexts(rowsWithShownChanges(judgeRows(caller, job), doneRows, options));
    return startImport(caller, rows, job, instructions, {
      kind: 'planilha',
      source: id,
      simular: false,
      expected,
      proposal,
      parts: {
        judge: async () => doneRows.refuseAllDone(),
        notices: () => [...job.notices, ...skipNotices(skip), ...doneRows.notices()],
        alsoWrite: (tx, newId) => {
          alsoWrite(tx, newId);
          family.refuseCarriedOut(id, newId);
          doneRows.check(newId);
        },
      },
    });
  }

  /** Throws 404, also for an import that the caller may not see. */
  function find(caller: Caller, id: number): ImportJob {
    return imports.find(caller, id);
  }

  /** Returns the input to read the failed rows of the sheet in a Worker. Throws 404. */
  function failedRows(caller: Caller, id: number): FailedRowsRead {
    const job = imports.find(caller, id);
    const instructions = storedInstructions(imports, job);
    if (job.forgotten !== 0) throw notFound(`A importação ${id} não guarda mais suas linhas.`);
    requireCells(imports.noCellsReason(job));
    const { processed } = job;
    return { kind: 'sheetFailed', format: 'xlsx', id, processed, instructions, ...imports.rowsOf(job) };
  }

  /**
   * Queues the failed rows again, with other values or unchanged. A dry run made from a dry run has all rows.
   * Throws 400, 403, 404, 422.
   */
  async function correct(
    caller: Caller,
    id: number,
    body: Corrections,
    alsoWrite?: AlsoWrite,
  ): Promise<number> {
    const job = imports.find(caller, id);
    const instructions = storedInstructions(imports, job);
    const simular = body.simular === true;
    requireRight(caller, instructions.cpfCnpjRaiz, rightOf('correcao', simular));
    if (!isOver(job.state) || job.forgotten !== 0)
      throw unprocessable([
        violated(
          'nothingToCorrect',
          null,
          `A importação ${id} ${job.forgotten === 0 ? 'ainda não terminou; espere até que termine' : 'não guarda mais suas linhas; envie a planilha de novo'}.`,
        ),
      ]);
    requireCells(imports.noCellsReason(job));
    if (!simular) refuseAwaiting(job);
    const corrected = new CorrectedRows(instructions, body);
    const doneRows = await imports.family.doneByOthers(job, simular);
    // A dry run changes nothing. The next dry run shows all rows again, because `from` writes what it shows.
    const rows = itemTexts(
      corrected.correctedItems(judgeRows(caller, job), job.simular && simular, doneRows),
    );
    return startImport(caller, rows, job, corrected.instructions(), {
      kind: 'correcao',
      source: id,
      simular,
      expected: expectedIn(body.expected),
      correctedMembers: body.set.map(({ member }) => member),
      parts: {
        judge: async () => {
          corrected.check();
          doneRows.refuseAllDone();
        },
        notices: () => [...corrected.notices(), ...doneRows.notices()],
        alsoWrite: (tx, newId) => {
          if (!simular) imports.refuseProposed(id);
          doneRows.check(newId);
          alsoWrite?.(tx, newId);
        },
      },
    });
  }

  async function* judgeRows(caller: Caller, job: ImportJob): AsyncGenerator<JudgedRow> {
    yield* judgedRows(imports.items(job), imports.results(caller, job.id), job.processed);
  }

  function startImport(
    caller: Caller,
    rows: AsyncIterable<string | Uint8Array>,
    { fileName, sha256 }: Pick<SheetSource, 'fileName' | 'sha256'>,
    instructions: SheetInstructions,
    { kind, source, simular, expected, correctedMembers, proposal, parts }: NewImport,
  ): Promise<number> {
    const { tipo, cpfCnpjRaiz: company } = instructions;
    const pedido = instructionsJson(instructions);
    const file = { fileName, sha256, company, tipo, modo: 'lote' } as const;
    const importRequest = { kind, source, simular, proposal, pedido, ...file };
    const brake = brakeOf(instructions, simular, correctedMembers);
    const { remembered = [] } = instructions;
    const judge = async (items: AsyncIterable<unknown>, storedFile: string): Promise<void> => {
      await parts.judge?.(items, storedFile);
      if (brake !== undefined)
        await imports.refuseBraked(caller, { ...importRequest, ...brake, expected }, storedFile);
    };
    const alsoWrite: AlsoWrite = (tx, newId) => {
      requireRight(caller, company, rightOf(kind, simular)); // the right may have ended while the rows were read
      if (!simular) store.remember(company, tipo, remembered);
      parts.alsoWrite?.(tx, newId);
    };
    return imports.startGenerated(caller, rows, importRequest, { ...parts, judge, alsoWrite });
  }

  return { schema, start, approve, startUpload, contentKind, startZip, find, failedRows, correct };
}
