/** `catp dev --temporary`: a data folder that is removed at the end of its instance. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { usable } from '../db/folder.ts';
import { OperatorError } from '../errors.ts';

/** Throws when the folder is not empty: only files of this instance may be removed with it. */
export function requireEmpty(folder: string): void {
  if (existsSync(folder) && usable(folder, () => readdirSync(folder)).length > 0)
    throw new OperatorError(
      `--temporary: a pasta ${folder} não está vazia, e seria apagada no fim. Indique em --data uma pasta nova ou vazia.`,
    );
}

/** Removes the folder at every kind of exit, also a normal one. */
export const removedAtEnd = (folder: string): void =>
  void process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
