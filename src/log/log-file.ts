/**
 * Writes a log file that never fills the disk: above a size it is renamed to `.1`, and the oldest is deleted.
 */
import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { OperatorError } from '../errors.ts';
import { reasonOf } from '../system/errors.ts';

/** Readable by the owner only: the log names users and their requests. */
const MODE = 0o600;

export class LogFile {
  readonly #path: string;
  /** Bytes. A single longer line is still written whole. */
  readonly #maxBytes: number;
  /** Number of old files that are kept. */
  readonly #kept: number;
  #file: number;
  #bytes: number;

  /** Continues an existing file. Throws an `OperatorError` when it is not writable. */
  constructor(path: string, maxBytes: number, kept: number) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#kept = kept;
    try {
      this.#file = openSync(path, 'a', MODE);
      this.#bytes = fstatSync(this.#file).size;
    } catch (error) {
      throw new OperatorError(
        `log.arquivo ('${path}') não pode ser escrito (${reasonOf(error)}). Indique outro arquivo, ou retire a configuração: o log sai então em erro padrão.`,
        { cause: error },
      );
    }
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    try {
      if (this.#bytes > 0 && this.#bytes + bytes.length > this.#maxBytes) this.#rotate();
      writeSync(this.#file, bytes);
      this.#bytes += bytes.length;
    } catch (error) {
      // A full disk stops the log but not the server. The error is reported on standard error.
      process.stderr.write(`catp: o log não pôde ser escrito (${reasonOf(error)}): ${line}`);
    }
  }

  #rotate(): void {
    closeSync(this.#file); // Windows renames no file that is open
    try {
      rmSync(`${this.#path}.${this.#kept}`, { force: true });
      for (let number = this.#kept - 1; number >= 1; number -= 1)
        renameIfThere(`${this.#path}.${number}`, `${this.#path}.${number + 1}`);
      if (this.#kept > 0) renameIfThere(this.#path, `${this.#path}.1`);
      else rmSync(this.#path, { force: true });
    } finally {
      this.#file = openSync(this.#path, 'a', MODE);
      this.#bytes = fstatSync(this.#file).size;
    }
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
