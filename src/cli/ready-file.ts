/** For test suites: a file that is there while requests are served, and says where. */
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

/** Whole from the moment it is there. */
export function writeReadyFile(path: string, ready: Ready): void {
  const unfinished = `${path}.${ready.pid}`;
  told(path, () => {
    writeFileSync(unfinished, `${JSON.stringify(ready)}\n`);
    renameSync(unfinished, path);
  });
}

/** At the start, because one that a kill left says where nobody is; and at the end. */
export function removeReadyFile(path: string): void {
  told(path, () => rmSync(path, { force: true }));
}

function told(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new OperatorError(
      `--ready-file: ${path} não pode ser gravado (${reasonOf(error)}). Indique um arquivo em uma pasta que exista e seja sua.`,
      { cause: error },
    );
  }
}
