/** Limits the disk space of the rows of imported spreadsheets, company by company (contract section 24). */
import { statSync } from 'node:fs';
import type { EpochMs } from '../../clock.ts';
import type { Writer } from '../../db/writer.ts';
import { unprocessable } from '../../errors.ts';
import { bytesText } from '../../files/unreadable-file.ts';
import { violated } from '../codes.ts';
import type { CellsStore } from './cells-store.ts';
import type { ImportFolder } from './folder.ts';
import { type ImportJob, isOver } from './model.ts';

/** The rows of one import while they are written. */
export interface CellsBeingWritten {
  /** Throws 422 if no space is left for them. */
  readonly add: (text: string | Uint8Array) => void;
  /**
   * Stores the rows, in the transaction that queues their import. Drops the oldest rows of the company if
   * space is needed.
   */
  readonly keep: (id: number, now: EpochMs) => void;
  /** Ends the writing. `isKept` is false if no import was queued: then no other rows are dropped. */
  readonly end: (isKept: boolean) => Promise<void>;
}

export class KeptCells {
  readonly #store: CellsStore;
  readonly #folder: ImportFolder;
  readonly #writer: Writer;
  /** Setting `planilha.guardadas`. */
  readonly #maxBytes: number;
  /** Bytes of the files that are being written, by company. */
  readonly #writing = new Map<string, number>();

  constructor(store: CellsStore, folder: ImportFolder, writer: Writer, maxBytes: number) {
    this.#store = store;
    this.#folder = folder;
    this.#writer = writer;
    this.#maxBytes = maxBytes;
  }

  /** Measures what an older version stored. Drops the excess if the setting was lowered. */
  async start(): Promise<void> {
    const unmeasured = this.#store.listUnmeasured();
    if (unmeasured.length === 0 && this.#store.largestCompany() <= this.#maxBytes) return;
    const dropped = await this.#writer.write((tx) => {
      for (const { id, storedFile } of unmeasured)
        this.#store.setBytes(
          id,
          statSync(this.#folder.pathOf(storedFile), { throwIfNoEntry: false })?.size ?? 0,
        );
      return this.#store.listCompanies().flatMap((company) => this.#makeRoom(company, tx.now));
    });
    await this.remove(dropped);
  }

  /**
   * Counts the rows of a company from their first byte until their import is queued. `isApproved`: never
   * refuses them, because a proposal with these rows was accepted.
   */
  begin(company: string, isApproved = false): CellsBeingWritten {
    let bytes = 0;
    let dropped: readonly string[] = [];
    return {
      add: (text) => {
        const more = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
        bytes += more;
        this.#grow(company, more, isApproved);
      },
      keep: (id, now) => {
        this.#store.insert(id, company, bytes);
        dropped = this.#makeRoom(company, now);
      },
      end: async (isKept) => {
        this.#writing.set(company, (this.#writing.get(company) ?? 0) - bytes);
        if (this.#writing.get(company) === 0) this.#writing.delete(company);
        if (isKept) await this.remove(dropped);
      },
    };
  }

  /**
   * Keeps the file of a finished dry run that may be proposed, in a transaction. Returns the files that give
   * way to it, for `remove`. A file that no space is left for is not kept.
   */
  keepFile({ id, company, storedFile }: ImportJob, now: EpochMs): readonly string[] {
    const { size } = statSync(this.#folder.pathOf(storedFile), { throwIfNoEntry: false }) ?? {};
    if (company === null || size === undefined) return [];
    const all = size + (this.#writing.get(company) ?? 0) + this.#store.unfinishedBytes(company);
    if (all > this.#maxBytes) return [];
    if (!this.#store.isKept(id)) this.#store.insert(id, company, size);
    return this.#makeRoom(company, now);
  }

  isKept(id: number): boolean {
    return this.#store.isKept(id);
  }

  isDropped(id: number): boolean {
    return this.#store.isDropped(id);
  }

  /** Throws 422 if the bytes do not fit next to those of unfinished imports. */
  #grow(company: string, bytes: number, isApproved: boolean): void {
    const all = (this.#writing.get(company) ?? 0) + bytes;
    this.#writing.set(company, all);
    const unfinished = this.#store.unfinishedBytes(company);
    if (isApproved || all + unfinished <= this.#maxBytes) return;
    const limit = `As linhas das planilhas de uma empresa ocupam até ${bytesText(this.#maxBytes)} no disco`;
    const message =
      unfinished === 0
        ? `${limit}, e as desta ocupariam mais; divida-a.`
        : `${limit}; as que ainda são importadas, ou esperam uma decisão, já ocupam ${bytesText(unfinished)}. Espere que terminem, ou divida esta.`;
    throw unprocessable([violated('noRoomForCells', null, message)]);
  }

  /** Drops the rows of the oldest finished imports until the space suffices. Returns their files. */
  #makeRoom(company: string, now: EpochMs): string[] {
    const keptImports = this.#store.listKept(company);
    let excess = keptImports.reduce((all, { bytes }) => all + bytes, 0) - this.#maxBytes;
    const dropped: string[] = [];
    for (const { id, storedFile, bytes, state } of keptImports) {
      if (excess <= 0) break;
      if (!isOver(state) || state === 'awaiting') continue;
      this.#store.drop(id, now);
      dropped.push(storedFile);
      excess -= bytes;
    }
    return dropped;
  }

  /** Removes the files. The next start removes a file that remains. */
  async remove(dropped: readonly string[]): Promise<void> {
    for (const storedFile of dropped) await this.#folder.remove(storedFile);
  }
}

/** Explains why the rows of an import are no longer available. */
export const cellsDropped = (id: number): string =>
  `A importação ${id} não guarda mais as linhas de sua planilha: deram lugar às de planilhas mais novas da empresa. Envie a planilha de novo.`;
