/** Converts the refused items of an import to rows of a CSV. */
import type { Cell } from '../../files/csv.ts';
import type { ItemResult } from './model.ts';

/** The columns of `errorRows`. */
export const ERRORS_HEADER = [
  'item',
  'seq',
  'codigo',
  'versao',
  'erro',
  'nome',
  'arquivo',
  'linha',
  'ponteiro',
  'codigoErro',
] as const;

/** Yields a row for each message. `item` counts from 1, like the messages about unreadable files. */
export function* errorRows(results: Iterable<ItemResult>): Generator<readonly Cell[]> {
  for (const { index, seq, codigo, versao, errors, name, file, line, problems } of results)
    for (const [number, error] of errors.entries()) {
      const { path = null, code = null } = problems[number] ?? {};
      yield [index + 1, seq, codigo, versao, error, name, file, line, path, code];
    }
}
