/** The connection by which a start inspects a database before the lock, and which it uses after the lock. */
import { statSync } from 'node:fs';
import { type Db, openForInspection } from './open.ts';

/**
 * An open connection to a database. It is handed over once, because opening a second one and parsing the schema
 * again would be a twentieth of a start. Dispose closes it unless it was handed over.
 */
export class Inspection implements Disposable {
  readonly db: Db & Disposable;
  readonly #file: string;
  readonly #stamp: string;
  #isHandedOver = false;

  /** Throws SQLite's error when the database cannot be opened. */
  constructor(file: string) {
    this.#file = file;
    this.#stamp = stampOf(file);
    this.db = openForInspection(file);
  }

  /**
   * Returns the connection, which its new owner closes. `undefined`: it is closed, because it only reads, or
   * because the file was replaced or written to since, so that its cached pages may be wrong.
   */
  handOver(): (Db & Disposable) | undefined {
    const isUsable = this.db.open && !this.db.readonly && this.#stamp === stampOf(this.#file);
    if (!isUsable) this[Symbol.dispose]();
    this.#isHandedOver = isUsable;
    return isUsable ? this.db : undefined;
  }

  [Symbol.dispose](): void {
    if (!this.#isHandedOver) this.db.close();
  }
}

/** Returns another text for each content of a database file and of its log. */
const stampOf = (file: string): string =>
  [file, `${file}-wal`]
    .map((path) => statSync(path, { throwIfNoEntry: false, bigint: true }))
    .map((stat) =>
      stat === undefined || stat.size === 0n ? '' : [stat.dev, stat.ino, stat.size, stat.mtimeNs].join(),
    )
    .join(';');
