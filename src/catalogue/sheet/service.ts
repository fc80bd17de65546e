/**
 * Stores uploaded spreadsheets for an hour. A sheet is visible to its sender while the sender represents its
 * company. A Worker reads it.
 */
import { type Clock, MINUTE_MS, SECOND_MS } from '../../clock.ts';
import type { Writer } from '../../db/writer.ts';
import { notFound, unprocessable } from '../../errors.ts';
import { represents, requireRepresentation, requireRight } from '../../session/guard.ts';
import type { Caller } from '../../session/model.ts';
import type { QuotaOwner } from '../../fair-shares.ts';
import { CostlyWork, tooMuchTime } from '../../reading/costly-work.ts';
import type { Reads } from '../../reading/pool.ts';
import { dayOf } from '../../validation/calendar.ts';
import { violated } from '../codes.ts';
import type { ImportFolder } from '../import/folder.ts';
import type { Upload } from '../import/upload.ts';
import type { ImportKind } from '../import/model.ts';
import { chosenSheet } from './chosen-sheet.ts';
import type { FileSheet, SheetInspectionRead, SheetInspectionAnswer } from './inspection.ts';
import type { SheetStore, StoredSheet } from './store.ts';

/** Timeout of reading a sheet (contract section 16). */
const INSPECTION_MS = 30 * SECOND_MS;

/** Retention time of a sheet (contract section 24). */
const RETENTION_MS = 60 * MINUTE_MS;

/** Maximum stored sheets of one sender. The oldest is dropped. */
const SHEETS_PER_USER = 20;

/** The sheet of a file to read, and the row of its headings. */
export interface SheetSelection {
  readonly table?: number | undefined;
  readonly headerRow?: number | undefined;
}

export interface SheetsOfFile {
  readonly id: number;
  /** The index of the sheet to import by default. */
  readonly table: number;
  readonly sheets: readonly FileSheet[];
}

const sheetsOfFile = (id: number, tipo: ImportKind, sheets: readonly FileSheet[]): SheetsOfFile => ({
  id,
  table: chosenSheet(tipo, sheets, {}).table,
  sheets: sheets.map(({ sum: _sum, hidden: _hidden, ...sheet }) => sheet),
});

export type SheetService = ReturnType<typeof createSheetService>;

export function createSheetService({
  store,
  folder,
  writer,
  clock,
  reads,
}: {
  readonly store: SheetStore;
  readonly folder: ImportFolder;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly reads: Reads<SheetInspectionRead>;
}) {
  /** Stores a readable sheet. Throws 403, 422, and then removes the file. */
  async function add(
    caller: Caller,
    quotaOwner: QuotaOwner,
    cpfCnpjRaiz: string,
    tipo: ImportKind,
    upload: Upload<unknown>,
  ): Promise<SheetsOfFile> {
    const { fileName, storedFile, sha256 } = upload;
    const { documento } = caller;
    try {
      requireRepresentation(caller, cpfCnpjRaiz);
      const sheet = { documento, cpfCnpjRaiz, tipo, fileName, storedFile, sha256 };
      const sheets = await inspect(sheet, quotaOwner, {});
      const expiresAt = clock.now() + RETENTION_MS;
      const [id, dropped] = await writer.write(() => {
        requireRepresentation(caller, cpfCnpjRaiz); // the right may have ended during the inspection
        const inserted = store.insert({ ...sheet, expiresAt });
        const oldest = store.listBeyond(documento, SHEETS_PER_USER);
        for (const storedSheet of oldest) store.delete(storedSheet.id);
        return [inserted, oldest] as const;
      });
      for (const storedSheet of dropped) await folder.remove(storedSheet.storedFile);
      return sheetsOfFile(id, tipo, sheets);
    } catch (error) {
      // The next start removes a sheet that was not stored. After a disk failure, it is unknown whether this
      // one was.
      if (writer.trouble === undefined || writer.trouble === 'full') await folder.remove(storedFile);
      throw error;
    }
  }

  /** Reads the sheet again. Throws 404, 422. */
  async function summarize(
    caller: Caller,
    quotaOwner: QuotaOwner,
    id: number,
    selection: SheetSelection,
  ): Promise<SheetsOfFile> {
    const sheet = get(caller, id);
    return sheetsOfFile(id, sheet.tipo, await inspect(sheet, quotaOwner, selection));
  }

  /** Throws 404, also for a sheet of another sender, or of a company that the caller no longer represents. */
  function get(caller: Caller, id: number): StoredSheet {
    const sheet = store.find(id);
    const isOwn = sheet?.documento === caller.documento && represents(caller, sheet.cpfCnpjRaiz);
    if (!isOwn || sheet.expiresAt <= clock.now())
      throw notFound(
        `Não existe planilha ${id} deste usuário: das enviadas são guardadas as últimas ${SHEETS_PER_USER}, cada uma por até uma hora. Envie-a de novo.`,
      );
    return sheet;
  }

  /** Stores the choices of people. */
  function storeChoices(choose: () => void): Promise<void> {
    return writer.write(choose);
  }

  /** Deletes the choices of people of a company. Throws 403. */
  async function forgetChoices(caller: Caller, cpfCnpjRaiz: string, tipo: ImportKind): Promise<void> {
    requireRight(caller, cpfCnpjRaiz, 'preenchimento');
    await writer.write(() => store.deleteChoices(cpfCnpjRaiz, tipo));
  }

  /** Removes expired sheets. */
  async function runOnce(): Promise<{ readonly sheets: number }> {
    let sheets = 0;
    for (;;) {
      const expired = store.listExpired(clock.now());
      if (expired.length === 0) return { sheets };
      await writer.write(() => {
        for (const { id } of expired) store.delete(id);
      });
      for (const { storedFile } of expired) await folder.remove(storedFile);
      sheets += expired.length;
    }
  }

  /** Throws 422. */
  async function inspect(
    sheet: Pick<StoredSheet, 'cpfCnpjRaiz' | 'tipo' | 'storedFile'>,
    quotaOwner: QuotaOwner,
    selection: SheetSelection,
  ): Promise<readonly FileSheet[]> {
    const { cpfCnpjRaiz, tipo, storedFile } = sheet;
    const read = reads.read(
      {
        ...selection,
        kind: 'sheetInspection',
        tipo,
        cpfCnpjRaiz,
        file: folder.pathOf(storedFile),
        day: dayOf(clock.now()),
        choices: store.choices(cpfCnpjRaiz, tipo),
      },
      quotaOwner,
      { ms: INSPECTION_MS, refusal: () => tooMuchTime(INSPECTION_MS / SECOND_MS) },
    );
    const chunks = await Array.fromAsync(read).catch(asUnreadable);
    const answer = JSON.parse(Buffer.concat(chunks).toString()) as SheetInspectionAnswer; // written by the Worker
    if (answer.refused !== undefined) throw refusedSheet(answer.refused);
    return answer.sheets;
  }

  return { add, summarize, get, storeChoices, forgetChoices, runOnce, inspect };
}

/** Throws the refusal of a sheet that exceeds the limits of a Worker, or the error itself. */
export function asUnreadable(error: unknown): never {
  throw error instanceof CostlyWork ? refusedSheet(error) : error;
}

const refusedSheet = ({ message }: { readonly message: string }) =>
  unprocessable([violated('unreadableSheet', null, message)]);
