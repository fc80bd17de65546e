/**
 * Loads a table file (contract section 8): it is read aside and handed over in batches of rows, each of which is one small
 * transaction. Nobody sees the table before the last of them; what fails on the way is given up as a whole.
 */
import { type Actor, nameOf } from '../../../change.ts';
import type { Writer } from '../../../db/writer.ts';
import { isStorageFailure } from '../../../db/trouble.ts';
import { type Problem, isUnavailable, unprocessable } from '../../../errors.ts';
import { shown } from '../../../validation/shown.ts';
import type { FileSource } from '../../../files/file-limits.ts';
import type { LongRead } from '../../../reading/long-read.ts';
import type { Reads } from '../../../reading/pool.ts';
import { linesIn } from '../../../reading/stream.ts';
import { TABLE_CODES } from '../words/codes.ts';
import type { TableBodyStore } from './body-store.ts';
import type { TableLoadRead } from './reading.ts';
import { batchIn } from './row-batch.ts';
import type { AttributeTableStore, StoredTable, TableHead } from './store.ts';

export interface LoaderParts {
  readonly store: AttributeTableStore;
  readonly bodies: TableBodyStore;
  readonly writer: Writer;
  readonly reads: Reads<TableLoadRead>;
}

export interface Loading {
  /** Bytes of the JSON. */
  readonly maxBytes: number;
  readonly by: Actor;
  /** It came by itself: one day its difference is enough (`body-store.ts`). */
  readonly isFetched?: boolean;
}

/** The lines of a file behind its head. */
type Lines = AsyncGenerator<string>;

export class TableLoader {
  readonly #parts: LoaderParts;
  #reading: LongRead | undefined;
  /** One file at a time: two would need twice the memory. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(parts: LoaderParts) {
    this.#parts = parts;
  }

  /**
   * Loads a file; bytes in memory are taken over. A table that is there already is given as it is. Throws 422 for a file
   * that is no table, with the place of each fault, and for other content under a known `versao`.
   */
  load(file: FileSource, loading: Loading): Promise<StoredTable> {
    return this.#inTurn(() => this.#load(file, loading));
  }

  /** Deletes what is left of tables whose difference is enough, in small steps. */
  removeGone(): Promise<void> {
    return this.#inTurn(async () => {
      const { bodies, writer } = this.#parts;
      while (!this.#isClosed && (await writer.write(() => bodies.deleteSome())));
    });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.catch(() => undefined).then(work);
    this.#last = result;
    result.catch(() => undefined); // the caller is told; nobody else need be
    return result;
  }

  /** Removes what a crash left of earlier loadings, in small steps. To be called at the start of the one server. */
  async removeLeftovers(): Promise<void> {
    const { store, bodies, writer } = this.#parts;
    try {
      if (!store.hasUnfinished()) return;
      await writer.write(() => {
        store.abandon();
        bodies.giveUp();
      });
      await this.#removeAbandoned();
    } catch (error) {
      // The writer tells what is wrong with the disk: what nobody sees may stay until the next start.
      if (!isUnavailable(error) && !isStorageFailure(error)) throw error;
      writer.readFailed(error);
    }
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#reading?.fail(new Error('The loading was ended.'));
    await this.#last.catch(() => undefined);
  }

  async #load(file: FileSource, loading: Loading): Promise<StoredTable> {
    if (this.#isClosed) throw new Error('The loader is closed.');
    const { maxBytes, by } = loading;
    const read = this.#parts.reads.read({ kind: 'tableLoad', file, maxBytes }, { user: nameOf(by) });
    this.#reading = read;
    const lines = linesIn(read);
    try {
      const first = await lines.next();
      if (first.done === true) throw new Error('A table was read without its head.');
      const head = JSON.parse(first.value) as TableHead; // our process wrote it
      const known = this.#known(head);
      if (known === undefined) return await this.#store(head, lines, loading);
      if (!known.isWhole) return await this.#bringBack(known, head, lines, loading);
      if (known.fetchedAt !== null && loading.isFetched !== true)
        await this.#parts.writer.write(() => this.#parts.bodies.stay(known.id));
      return known;
    } finally {
      this.#reading = undefined;
      await read.return();
    }
  }

  /** The table of that head where it is loaded already. Throws 422 when its `versao` stands for something else. */
  #known(head: TableHead): StoredTable | undefined {
    const known = this.#parts.store.findByVersao(head.versao);
    if (known !== undefined && known.sha256 !== head.sha256) throw unprocessable([otherContent(head, known)]);
    return known;
  }

  /** Of a table of which only the difference was left, everything is there again. */
  async #bringBack(
    { id }: StoredTable,
    head: TableHead,
    lines: Lines,
    { by, isFetched = false }: Loading,
  ): Promise<StoredTable> {
    const { store, bodies, writer } = this.#parts;
    await writer.write(() => bodies.beginToCome(id));
    try {
      await this.#insertAll(id, lines);
      return await writer.write((tx) => {
        if (!bodies.haveCome(id, head, isFetched ? tx.now : null))
          throw new Error(`The loading of table ${id} was given up meanwhile.`);
        tx.record({ by, action: 'INCLUSAO', kind: 'tabela', key: String(id), after: head.versao });
        return store.find(id) as StoredTable;
      });
    } catch (error) {
      await writer.write(() => bodies.giveUp(id)).catch(() => undefined);
      throw error;
    }
  }

  async #insertAll(id: number, lines: Lines): Promise<void> {
    const { store, writer } = this.#parts;
    for await (const line of lines) {
      const batch = batchIn(line);
      await writer.write(() => store.insertRows(id, batch));
    }
  }

  async #store(head: TableHead, lines: Lines, { by, isFetched = false }: Loading): Promise<StoredTable> {
    const { store, writer } = this.#parts;
    const id = await writer.write(() => store.insert(head));
    try {
      await this.#insertAll(id, lines);
      return await writer.write((tx) => {
        // Another process may have loaded the same meanwhile.
        const known = this.#known(head);
        if (known !== undefined) {
          store.abandon(id);
          return known;
        }
        if (!store.markLoaded(id, tx.now, isFetched))
          throw new Error(`The loading of table ${id} was given up meanwhile.`);
        tx.record({ by, action: 'INCLUSAO', kind: 'tabela', key: String(id), after: head.versao });
        return store.find(id) as StoredTable;
      });
    } catch (error) {
      await this.#giveUp(id);
      throw error;
    }
  }

  /** Best effort: what stays is removed at the next start. */
  async #giveUp(id: number): Promise<void> {
    const { store, writer } = this.#parts;
    await writer
      .write(() => store.abandon(id))
      .then(
        () => this.#removeAbandoned(),
        () => undefined,
      );
  }

  async #removeAbandoned(): Promise<void> {
    const { store, writer } = this.#parts;
    while (!this.#isClosed && (await writer.write(() => store.deleteAbandoned())));
  }
}

const otherContent = ({ versao }: TableHead, known: StoredTable): Problem => ({
  code: TABLE_CODES.otherContent.code,
  message: `versao: recebido ${shown(versao)}, que já existe (tabela ${known.id}) com outro conteúdo; uma versão carregada não muda. Dê outra versão ao arquivo.`,
  field: 'versao',
  path: '/versao',
});
