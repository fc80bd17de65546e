/** Reads a file that the operator names on a command line or in a setting. */
import { accessSync, constants, statSync } from 'node:fs';
import { DomainError, OperatorError, UsageError } from '../errors.ts';
import { reasonOf } from '../system/errors.ts';

/**
 * `what`: `A tabela de atributos`. Throws `UsageError` for a missing file, `OperatorError` with every fault
 * of its content.
 */
export async function fromOperator<Result>(
  path: string,
  what: string,
  load: () => Promise<Result>,
): Promise<Result> {
  refuseUnreadable(path);
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const faults = error.problems.map(({ code, message }) => `\n  - ${code} ${message}`).join('');
    throw new OperatorError(`${what} ${path} foi recusada, e nada mudou:${faults || error.message}`);
  }
}

/** Throws `UsageError` for a missing file, and for one that cannot be read twice. */
export function refuseUnreadable(path: string): void {
  try {
    refuseSpecial(path);
    if (statSync(path).isDirectory()) throw new UsageError(`O arquivo ${path} é uma pasta. Indique outro.`);
    accessSync(path, constants.R_OK);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`O arquivo ${path} não pode ser lido (${reasonOf(error)}). Indique outro.`);
  }
}

/** Throws `UsageError` for a device or a pipe, which has no size and no second reading. */
export function refuseSpecial(path: string): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined || status.isFile() || status.isDirectory()) return;
  throw new UsageError(
    `O arquivo ${path} é um dispositivo ou um pipe, e é lido mais de uma vez. Grave antes o conteúdo em um arquivo, e indique este.`,
  );
}
