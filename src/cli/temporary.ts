/** Removal of data folders: of `catp dev --temporary` at its end, and of a start that failed. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { withUsableFolder } from '../db/folder.ts';
import { OperatorError } from '../errors.ts';
import { reasonOf } from '../system/errors.ts';

/** Throws when the folder is not empty: only files of this instance may be removed with it. */
export function requireEmpty(folder: string): void {
  if (existsSync(folder) && withUsableFolder(folder, () => readdirSync(folder)).length > 0)
    throw new OperatorError(
      `--temporary: a pasta ${folder} não está vazia, e seria apagada no fim. Indique em --data uma pasta nova ou vazia.`,
    );
}

/** Removes the folder when the process exits, normally or after an error. */
export const removeAtEnd = (folder: string): void =>
  void process.once('exit', () => removeOrReport([folder]));

/** Removes files and folders. Reports the first that the system refuses to remove. Never throws. */
export function removeOrReport(paths: readonly string[]): void {
  for (const path of paths)
    try {
      rmSync(path, { recursive: true, force: true });
    } catch (error) {
      process.stderr.write(`catp: Ficou ${path}, que não pôde ser apagado (${reasonOf(error)}). Apague-o.\n`);
      return;
    }
}
