/** A file that exists while requests are served, and holds the address. For test suites. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { OperatorError } from '../errors.ts';
import { reasonOf } from '../system/errors.ts';

export interface Ready {
  readonly url: string;
  readonly port: number;
  /** `null` without TLS. */
  readonly tlsUrl: string | null;
  readonly pid: number;
}

/** Writes the file atomically. */
export function writeReadyFile(path: string, ready: Ready): void {
  const unfinished = `${path}.${ready.pid}`;
  explainErrors(path, () => {
    writeFileSync(unfinished, `${JSON.stringify(ready)}\n`);
    renameSync(unfinished, path);
  });
}

/**
 * Removes the file at the start, because one left by a killed process names a dead address, and at the end.
 */
export function removeReadyFile(path: string): void {
  explainErrors(path, () => rmSync(path, { force: true }));
}

function explainErrors(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new OperatorError(
      `--ready-file: ${path} não pode ser gravado (${reasonOf(error)}). Indique um arquivo em uma pasta que exista e seja sua.`,
      { cause: error },
    );
  }
}
