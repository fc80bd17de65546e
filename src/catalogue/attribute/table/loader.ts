/**
 * Loads a table file (contract section 8): another process parses it and sends batches of rows, each of
 * which is one small transaction. The table is visible only after the last one; a failure before that
 * abandons the whole load.
 */
import { type Actor, type Change, nameOf } from '../../../change.ts';
import type { Writer } from '../../../db/writer.ts';
import { isStorageFailure } from '../../../db/trouble.ts';
import { type Problem, isUnavailable, unprocessable, withLabel } from '../../../errors.ts';
import { formatValue } from '../../../validation/format-value.ts';
import type { FileSource } from '../../../files/file-limits.ts';
import type { LongRead } from '../../../reading/long-read.ts';
import type { Reads } from '../../../reading/pool.ts';
import { linesIn } from '../../../reading/stream.ts';
import { TABLE_CODES } from '../words/codes.ts';
import type { TableBodyStore } from './body-store.ts';
import type { TableLoadRead } from './reading.ts';
import type { AttributeTableStore, RowBatch, StoredTable, TableHead } from './store.ts';

export interface LoadOptions {
  /** Maximum size of the JSON in bytes. */
  readonly maxBytes: number;
  readonly by: Actor;
  /** True if it was fetched automatically: later only its difference is kept (`body-store.ts`). */
  readonly isFetched?: boolean;
}

/** Lines of a file after its head. */
type Lines = AsyncGenerator<string>;

export class TableLoader {
  readonly #store: AttributeTableStore;
  readonly #bodies: TableBodyStore;
  readonly #writer: Writer;
  readonly #reads: Reads<TableLoadRead>;
  #reading: LongRead | undefined;
  /** Loads one file at a time: two would need twice the memory. */
  #lastWork: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(
    store: AttributeTableStore,
    bodies: TableBodyStore,
    writer: Writer,
    reads: Reads<TableLoadRead>,
  ) {
    this.#store = store;
    this.#bodies = bodies;
    this.#writer = writer;
    this.#reads = reads;
  }

  /**
   * Loads a file; takes ownership of bytes in memory. A table that is already loaded is returned as it is.
   * Throws 422 for a file that is no table, with the position of each fault, and for other content under a
   * known `versao`.
   */
  load(file: FileSource, options: LoadOptions): Promise<StoredTable> {
    return this.#oneAtATime(() => this.#load(file, options));
  }

  /** Deletes the remaining rows of tables that need only their difference, in small steps. */
  finishRemovals(): Promise<void> {
    return this.#oneAtATime(async () => {
      while (!this.#isClosed && (await this.#writer.write(() => this.#bodies.continueRemoval())));
    });
  }

  #oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#lastWork.catch(() => undefined).then(work);
    this.#lastWork = result;
    result.catch(() => undefined); // the caller receives the error
    return result;
  }

  /**
   * Removes the rows of loads that a crash interrupted, in small steps. Call it at the start of the server.
   */
  async removeLeftovers(): Promise<void> {
    try {
      if (!this.#store.hasUnfinished()) return;
      await this.#writer.write(() => {
        this.#store.abandon();
        this.#bodies.abandonRestore();
      });
      await this.#removeAbandoned();
    } catch (error) {
      // The writer reports the state of the disk; the invisible rows may stay until the next start.
      if (!isUnavailable(error) && !isStorageFailure(error)) throw error;
      this.#writer.readFailed(error);
    }
  }

  /** Ends the running load. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#reading?.fail(new Error('The loading was ended.'));
    await this.#lastWork.catch(() => undefined);
  }

  async #load(file: FileSource, options: LoadOptions): Promise<StoredTable> {
    if (this.#isClosed) throw new Error('The loader is closed.');
    const { maxBytes, by } = options;
    const read = this.#reads.read({ kind: 'tableLoad', file, maxBytes }, { user: nameOf(by) });
    this.#reading = read;
    const lines = linesIn(read);
    try {
      const first = await lines.next();
      if (first.done === true) throw new Error('A table was read without its head.');
      const head = JSON.parse(first.value) as TableHead; // written by our process
      const loadedTable = this.#findLoaded(head);
      if (loadedTable === undefined) return await this.#storeTable(head, lines, options);
      if (!loadedTable.isWhole) return await this.#restore(loadedTable, head, lines, options);
      if (loadedTable.fetchedAt !== null && options.isFetched !== true)
        await this.#writer.write(() => this.#bodies.keepWhole(loadedTable.id));
      return loadedTable;
    } finally {
      this.#reading = undefined;
      await read.return();
    }
  }

  /**
   * Returns the table with that head if it is already loaded. Throws 422 when its `versao` has other
   * content.
   */
  #findLoaded(head: TableHead): StoredTable | undefined {
    const table = this.#store.findByVersao(head.versao);
    if (table !== undefined && table.sha256 !== head.sha256) throw unprocessable([otherContent(head, table)]);
    return table;
  }

  /** Restores all rows of a table that had only its difference. */
  async #restore(
    { id }: StoredTable,
    head: TableHead,
    lines: Lines,
    { by, isFetched = false }: LoadOptions,
  ): Promise<StoredTable> {
    await this.#writer.write(() => this.#bodies.startRestore(id));
    try {
      await this.#insertAll(id, lines);
      return await this.#writer.write((tx) => {
        if (!this.#bodies.finishRestore(id, head, isFetched ? tx.now : null))
          throw new Error(`The loading of table ${id} was abandoned in the meantime.`);
        tx.record(auditEntry(id, head, by));
        return this.#store.find(id) as StoredTable;
      });
    } catch (error) {
      await this.#writer.write(() => this.#bodies.abandonRestore(id)).catch(() => undefined);
      throw error;
    }
  }

  async #insertAll(id: number, lines: Lines): Promise<void> {
    for await (const line of lines) {
      const batch = parseBatch(line);
      await this.#writer.write(() => this.#store.insertRows(id, batch));
    }
  }

  async #storeTable(
    head: TableHead,
    lines: Lines,
    { by, isFetched = false }: LoadOptions,
  ): Promise<StoredTable> {
    const id = await this.#writer.write(() => this.#store.insert(head));
    try {
      await this.#insertAll(id, lines);
      return await this.#writer.write((tx) => {
        // Another process may have loaded the same table in the meantime.
        const loadedTable = this.#findLoaded(head);
        if (loadedTable !== undefined) {
          this.#store.abandon(id);
          return loadedTable;
        }
        if (!this.#store.markLoaded(id, tx.now, isFetched))
          throw new Error(`The loading of table ${id} was abandoned in the meantime.`);
        tx.record(auditEntry(id, head, by));
        return this.#store.find(id) as StoredTable;
      });
    } catch (error) {
      await this.#abandon(id);
      throw error;
    }
  }

  /** Abandons a load. If this fails, the next start removes the rows. */
  async #abandon(id: number): Promise<void> {
    await this.#writer
      .write(() => this.#store.abandon(id))
      .then(
        () => this.#removeAbandoned(),
        () => undefined,
      );
  }

  async #removeAbandoned(): Promise<void> {
    while (!this.#isClosed && (await this.#writer.write(() => this.#store.deleteAbandoned())));
  }
}

const auditEntry = (id: number, { versao }: TableHead, by: Actor): Change => ({
  by,
  action: 'INCLUSAO',
  kind: 'tabela',
  key: String(id),
  before: null,
  after: versao,
});

const otherContent = ({ versao }: TableHead, table: StoredTable): Problem => ({
  code: TABLE_CODES.otherContent.code,
  ...withLabel(
    'versao',
    `recebido ${formatValue(versao)}, que já existe (tabela ${table.id}) com outro conteúdo; uma versão carregada não muda. Dê outra versão ao arquivo.`,
  ),
  field: 'versao',
  path: '/versao',
});

/** Decodes a line of `tableLoadTexts` after the first. */
function parseBatch(line: string): RowBatch {
  const { parts, ...rows } = JSON.parse(line) as Omit<RowBatch, 'parts'> & {
    readonly parts: readonly { readonly part: number; readonly bytes: string }[];
  };
  return { ...rows, parts: parts.map(({ part, bytes }) => ({ part, bytes: Buffer.from(bytes, 'base64') })) };
}
