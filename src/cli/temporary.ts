/** `catp dev --temporary`: a data folder that goes with its instance, where nobody is left who would take it away. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { usable } from '../db/folder.ts';
import { OperatorError } from '../errors.ts';

/** Only what this instance puts there may go with it. Throws where there is anything. */
export function requireEmpty(folder: string): void {
  if (existsSync(folder) && usable(folder, () => readdirSync(folder)).length > 0)
    throw new OperatorError(
      `--temporary: a pasta ${folder} não está vazia, e seria apagada no fim. Indique em --data uma pasta nova ou vazia.`,
    );
}

/** However the process ends, if only by itself. */
export const removedAtEnd = (folder: string): void =>
  void process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
