/**
 * Worker side of the protocol. Each read has a read-only connection with its own snapshot, and the reads
 * take turns, one chunk each. Without credit nothing is read.
 */
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

export interface TurnsParts<Request extends ReadRequest> {
  readonly textsOf: (db: Db, request: Request) => Texts;
  readonly post: (message: FromReader, transfer?: ArrayBuffer[]) => void;
}

export class Turns<Request extends ReadRequest> {
  readonly #parts: TurnsParts<Request>;
  readonly #running = new Map<number, Running>();
  readonly #encoder = new TextEncoder();
  #idle: Db | undefined;

  constructor(parts: TurnsParts<Request>) {
    this.#parts = parts;
  }

  receive(message: ToReader<Request>): void {
    if (message.type === 'start') this.#start(message);
    else if (message.type === 'credit') this.#give(message.id);
    else void this.#stop(message.id);
  }

  #start(message: Extract<ToReader<Request>, { type: 'start' }>): void {
    const { id, database, request, credit, closes = false } = message;
    try {
      const db = this.#idle ?? openReader(database);
      this.#idle = undefined;
      db.exec('BEGIN');
      this.#running.set(id, {
        db,
        texts: this.#parts.textsOf(db, request),
        closes,
        credit,
        isInTurn: false,
      });
      this.#schedule(id);
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
      const { done, value } = await read.texts.next();
      read.isInTurn = false;
      if (this.#running.get(id) !== read) return;
      if (done === true) {
        await this.#stop(id);
        this.#parts.post({ type: 'end', id });
        return;
      }
      if (value !== '') {
        read.credit -= 1;
        const bytes = typeof value === 'string' ? this.#encoder.encode(value) : new Uint8Array(value);
        this.#parts.post({ type: 'chunk', id, bytes }, [bytes.buffer]);
      }
      this.#schedule(id);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /** Ends the snapshot, also of an unfinished read, and keeps one connection for the next read. */
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
    if (this.#idle === undefined && !read.closes) this.#idle = read.db;
    else read.db.close();
    return undefined;
  }

  #fail(id: number, error: unknown): void {
    const read = this.#running.get(id);
    this.#running.delete(id);
    read?.db.close();
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const problems = error instanceof DomainError ? error.problems : undefined;
    this.#parts.post({ type: 'error', id, message, code: systemCode(error), problems });
  }
}

function openReader(file: string): Db {
  const db = openForReading(file);
  db.function('folded', { deterministic: true }, (text) => (text === null ? null : folded(String(text))));
  return db;
}
