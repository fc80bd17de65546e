/**
 * Worker side of the protocol. Each read has a read-only connection with its own snapshot, and the reads
 * take turns of about a millisecond. Without credit nothing is read.
 */
import { monotonicMs } from '../clock.ts';
import { type Db, openForReading } from '../db/open.ts';
import { DomainError } from '../errors.ts';
import { systemCode } from '../system/errors.ts';
import { folded } from '../validation/text.ts';
import type { FromReader, ReadRequest, ToReader } from './protocol.ts';

/** The texts of a read. An empty text means: nothing yet, let others run. */
export type Texts =
  Iterator<string | Uint8Array, unknown, undefined> | AsyncIterator<string | Uint8Array, unknown, undefined>;

interface Running {
  readonly db: Db;
  readonly texts: Texts;
  readonly closes: boolean;
  credit: number;
  /** True when a turn is scheduled or under way. */
  isInTurn: boolean;
}

/**
 * Time after which a read with texts lets others run. Most lists take less, so they end in their first turn
 * and leave their connection to the next read: opening one costs more than such a list.
 */
const TURN_MS = 1;

/** Idle connections that are kept. Each has read the schema, and holds a small cache. */
const IDLE_MAX = 8;

export class ReadScheduler<Request extends ReadRequest> {
  readonly #textsOf: (db: Db, request: Request) => Texts;
  readonly #post: (message: FromReader, transfer?: ArrayBuffer[]) => void;
  readonly #running = new Map<number, Running>();
  readonly #encoder = new TextEncoder();
  readonly #idle: Db[] = [];

  constructor(
    textsOf: (db: Db, request: Request) => Texts,
    post: (message: FromReader, transfer?: ArrayBuffer[]) => void,
  ) {
    this.#textsOf = textsOf;
    this.#post = post;
  }

  receive(message: ToReader<Request>): void {
    if (message.type === 'start') this.#start(message);
    else if (message.type === 'credit') this.#give(message.id);
    else void this.#stop(message.id);
  }

  #start(message: Extract<ToReader<Request>, { type: 'start' }>): void {
    const { id, database, request, credit, closes = false } = message;
    try {
      const db = this.#idle.pop() ?? openReader(database);
      db.exec('BEGIN');
      const read = { db, texts: this.#textsOf(db, request), closes, credit, isInTurn: true };
      this.#running.set(id, read);
      void this.#advance(id, read);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #give(id: number): void {
    const read = this.#running.get(id);
    if (read === undefined) return;
    read.credit += 1;
    this.#schedule(id);
  }

  #schedule(id: number): void {
    const read = this.#running.get(id);
    if (read === undefined || read.isInTurn || read.credit === 0) return;
    read.isInTurn = true;
    setImmediate(() => void this.#advance(id, read));
  }

  async #advance(id: number, read: Running): Promise<void> {
    if (this.#running.get(id) !== read) return;
    try {
      const turnEnds = monotonicMs() + TURN_MS;
      let hasText = true;
      while (hasText && read.credit > 0 && monotonicMs() < turnEnds) {
        const step = read.texts.next();
        const { done, value } = step instanceof Promise ? await step : step;
        if (this.#running.get(id) !== read) return;
        if (done === true) {
          await this.#stop(id);
          this.#post({ type: 'end', id });
          return;
        }
        hasText = value !== '';
        if (hasText) this.#send(id, read, value);
      }
      read.isInTurn = false;
      this.#schedule(id);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #send(id: number, read: Running, text: string | Uint8Array): void {
    read.credit -= 1;
    const bytes = typeof text === 'string' ? this.#encoder.encode(text) : new Uint8Array(text);
    this.#post({ type: 'chunk', id, bytes }, [bytes.buffer]);
  }

  /** Ends the snapshot, also of an unfinished read, and keeps its connection for the next read. */
  #stop(id: number): Promise<void> | undefined {
    const read = this.#running.get(id);
    if (read === undefined) return undefined;
    this.#running.delete(id);
    const closing = read.texts.return?.();
    if (closing instanceof Promise) {
      // An asynchronous read may still use the connection, so no other read may.
      const close = (): void => void read.db.close();
      return closing.then(close, close);
    }
    read.db.exec('ROLLBACK');
    if (this.#idle.length < IDLE_MAX && !read.closes) this.#idle.push(read.db);
    else read.db.close();
    return undefined;
  }

  #fail(id: number, error: unknown): void {
    const read = this.#running.get(id);
    this.#running.delete(id);
    read?.db.close();
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const problems = error instanceof DomainError ? error.problems : undefined;
    this.#post({ type: 'error', id, message, code: systemCode(error), problems });
  }
}

/** Opens a connection with the functions that reads use. */
export function openReader(file: string): Db {
  const db = openForReading(file);
  db.function('folded', { deterministic: true }, (text) => (text === null ? null : folded(String(text))));
  return db;
}
