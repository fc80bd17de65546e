/**
 * Loads a table file (contract section 8): a Worker reads it and hands its rows over in batches, each of which is one
 * small transaction. Nobody sees the table before the last of them; what fails on the way is given up as a whole.
 *
 * The Worker is not one of the pool's (reading/): it reads no database, its second of work cannot be cut into turns, and
 * those who read lists would wait for it; and with its end the memory of the whole file is given back at once.
 */
import type { Actor } from '../../../change.ts';
import type { Writer } from '../../../db/writer.ts';
import { isStorageFailure } from '../../../db/trouble.ts';
import { type Problem, isUnavailable, unprocessable } from '../../../errors.ts';
import { shown } from '../../../validation/shown.ts';
import type { FileSource } from '../../../files/file-limits.ts';
import { TABLE_CODES } from '../words/codes.ts';
import { Conversation } from './conversation.ts';
import type { TableBodyStore } from './body-store.ts';
import type { AttributeTableStore, StoredTable, TableHead } from './store.ts';
import type { AskTable, TableAnswer } from './messages.ts';

export interface LoaderParts {
  readonly store: AttributeTableStore;
  readonly bodies: TableBodyStore;
  readonly writer: Writer;
}

export interface Loading {
  /** Bytes of the JSON. */
  readonly maxBytes: number;
  readonly by: Actor;
  /** It came by itself: one day its difference is enough (`body-store.ts`). */
  readonly isFetched?: boolean;
}

type Reader = Conversation<AskTable, TableAnswer>;

export class TableLoader {
  readonly #parts: LoaderParts;
  readonly #readers = new Set<Reader>();
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
    for (const reader of this.#readers) reader.end('The loading was ended.');
    await this.#last.catch(() => undefined);
  }

  async #load(file: FileSource, loading: Loading): Promise<StoredTable> {
    if (this.#isClosed) throw new Error('The loader is closed.');
    const reader: Reader = new Conversation(new Worker(new URL('./table.worker.ts', import.meta.url).href));
    this.#readers.add(reader);
    try {
      const isWhole = typeof file !== 'string' && file.byteLength === file.buffer.byteLength;
      const transfer = isWhole && file.buffer instanceof ArrayBuffer ? [file.buffer] : [];
      const answer = await reader.ask({ type: 'read', file, maxBytes: loading.maxBytes }, transfer);
      if (answer.type === 'refused') throw unprocessable(answer.problems);
      if (answer.type !== 'head') throw new Error(`The table reader answered ${answer.type}.`);
      const known = this.#known(answer.head);
      if (known === undefined) return await this.#store(answer.head, reader, loading);
      if (!known.isWhole) return await this.#bringBack(known, answer.head, reader, loading);
      if (known.fetchedAt !== null && loading.isFetched !== true)
        await this.#parts.writer.write(() => this.#parts.bodies.stay(known.id));
      return known;
    } finally {
      this.#readers.delete(reader);
      reader.end();
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
    reader: Reader,
    { by, isFetched = false }: Loading,
  ): Promise<StoredTable> {
    const { store, bodies, writer } = this.#parts;
    await writer.write(() => bodies.beginToCome(id));
    try {
      await this.#insertAll(id, reader);
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

  async #insertAll(id: number, reader: Reader): Promise<void> {
    const { store, writer } = this.#parts;
    for (;;) {
      const answer = await reader.ask({ type: 'next' });
      if (answer.type !== 'batch') return;
      await writer.write(() => store.insertRows(id, answer.batch));
    }
  }

  async #store(head: TableHead, reader: Reader, { by, isFetched = false }: Loading): Promise<StoredTable> {
    const { store, writer } = this.#parts;
    const id = await writer.write(() => store.insert(head));
    try {
      await this.#insertAll(id, reader);
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
