/** Spreadsheets that were sent: kept for an hour, seen by their sender while it represents their company, looked through in a Worker. */
import { type Clock, MINUTE_MS, SECOND_MS } from '../../clock.ts';
import type { Writer } from '../../db/writer.ts';
import { notFound, unprocessable } from '../../errors.ts';
import { mayWrite, requireWrite } from '../../session/guard.ts';
import type { Caller } from '../../session/model.ts';
import type { Holder } from '../../fair-shares.ts';
import { CostlyWork, tooMuchTime } from '../../reading/costly-work.ts';
import type { Reads } from '../../reading/pool.ts';
import { dayOf } from '../../validation/calendar.ts';
import { violated } from '../codes.ts';
import type { ImportFolder } from '../import/folder.ts';
import type { Upload } from '../import/upload.ts';
import type { ImportKind } from '../import/model.ts';
import { chosenSheet } from './chosen-sheet.ts';
import type { PlacedSheet, SheetLookRead, SheetLooked } from './look.ts';
import type { SheetStore, StoredSheet } from './store.ts';

/** A look takes no longer (contract section 16). */
const LOOK_MS = 30 * SECOND_MS;

/** How long a sheet is kept (contract section 24). */
const KEPT_MS = 60 * MINUTE_MS;

/** Of one sender; the oldest goes. */
const KEPT_OF_USER = 20;

export interface SheetServiceParts {
  readonly store: SheetStore;
  readonly folder: ImportFolder;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly reads: Reads<SheetLookRead>;
}

/** Which of a file's sheets is looked at, and where its headings are. */
export interface Where {
  readonly table?: number | undefined;
  readonly headerRow?: number | undefined;
}

export interface LookedFile {
  readonly id: number;
  /** The one that is imported unless another is named. */
  readonly table: number;
  readonly sheets: readonly PlacedSheet[];
}

const lookedFile = (id: number, tipo: ImportKind, sheets: readonly PlacedSheet[]): LookedFile => ({
  id,
  table: chosenSheet(tipo, sheets, {}).table,
  sheets: sheets.map(({ sum: _sum, ...sheet }) => sheet),
});

export class SheetService {
  readonly #parts: SheetServiceParts;

  constructor(parts: SheetServiceParts) {
    this.#parts = parts;
  }

  /** Keeps a sheet that can be read. Throws 403, 422; then nothing of it is left. */
  async add(
    caller: Caller,
    holder: Holder,
    cpfCnpjRaiz: string,
    tipo: ImportKind,
    upload: Upload<unknown>,
  ): Promise<LookedFile> {
    const { store, folder, writer, clock } = this.#parts;
    const { fileName, storedFile, sha256 } = upload;
    const { documento } = caller;
    try {
      requireWrite(caller, cpfCnpjRaiz);
      const sheet = { documento, cpfCnpjRaiz, tipo, fileName, storedFile, sha256 };
      const sheets = await this.lookAt(sheet, holder, {});
      const expiresAt = clock.now() + KEPT_MS;
      const [id, beyond] = await writer.write(() => {
        const inserted = store.insert({ ...sheet, expiresAt });
        const oldest = store.listBeyond(documento, KEPT_OF_USER);
        for (const one of oldest) store.delete(one.id);
        return [inserted, oldest] as const;
      });
      for (const one of beyond) await folder.remove(one.storedFile);
      return lookedFile(id, tipo, sheets);
    } catch (error) {
      // After a failure of the disk nobody knows whether it was kept: then the next start looks.
      if (writer.trouble === undefined || writer.trouble === 'full') await folder.remove(storedFile);
      throw error;
    }
  }

  /** Looks at it anew. Throws 404, 422. */
  async look(caller: Caller, holder: Holder, id: number, where: Where): Promise<LookedFile> {
    const sheet = this.get(caller, id);
    return lookedFile(id, sheet.tipo, await this.lookAt(sheet, holder, where));
  }

  /** Throws 404, also for one that another has sent, or of a company that the caller no longer represents. */
  get(caller: Caller, id: number): StoredSheet {
    const { store, clock } = this.#parts;
    const sheet = store.find(id);
    const isOwn = sheet?.documento === caller.documento && mayWrite(caller, sheet.cpfCnpjRaiz);
    if (!isOwn || sheet.expiresAt <= clock.now())
      throw notFound(
        `Não existe planilha ${id} deste usuário: das enviadas são guardadas as últimas ${KEPT_OF_USER}, cada uma por até uma hora. Envie-a de novo.`,
      );
    return sheet;
  }

  /** Keeps what people chose. */
  remember(choose: () => void): Promise<void> {
    return this.#parts.writer.write(choose);
  }

  /** Forgets what people of a company chose. Throws 403. */
  async forgetChoices(caller: Caller, cpfCnpjRaiz: string, tipo: ImportKind): Promise<void> {
    const { store, writer } = this.#parts;
    requireWrite(caller, cpfCnpjRaiz);
    await writer.write(() => store.forgetChoices(cpfCnpjRaiz, tipo));
  }

  /** Gives up what is too old. */
  async runOnce(): Promise<{ readonly sheets: number }> {
    const { store, folder, writer, clock } = this.#parts;
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
  async lookAt(
    sheet: Pick<StoredSheet, 'cpfCnpjRaiz' | 'tipo' | 'storedFile'>,
    holder: Holder,
    where: Where,
  ): Promise<readonly PlacedSheet[]> {
    const { store, folder, clock, reads } = this.#parts;
    const { cpfCnpjRaiz, tipo, storedFile } = sheet;
    const read = reads.read(
      {
        ...where,
        kind: 'sheetLook',
        tipo,
        cpfCnpjRaiz,
        file: folder.pathOf(storedFile),
        day: dayOf(clock.now()),
        choices: store.choices(cpfCnpjRaiz, tipo),
      },
      holder,
      { ms: LOOK_MS, refusal: () => tooMuchTime(LOOK_MS / SECOND_MS) },
    );
    const chunks = await Array.fromAsync(read).catch(asUnreadable);
    const looked = JSON.parse(Buffer.concat(chunks).toString()) as SheetLooked; // our Worker wrote it
    if (looked.refused !== undefined) throw refusedSheet(looked.refused);
    return looked.sheets;
  }
}

/** Throws what a sheet costs as a refusal of that sheet. */
export function asUnreadable(error: unknown): never {
  throw error instanceof CostlyWork ? refusedSheet(error) : error;
}

const refusedSheet = ({ message }: { readonly message: string }) =>
  unprocessable([violated('unreadableSheet', null, message)]);
