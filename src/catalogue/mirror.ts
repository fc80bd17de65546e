/** A catalogue moved from elsewhere keeps its codes and versions (contract section 7, `modo=espelho`). */
import { shown, unprocessable } from '../errors.ts';
import { violated } from './codes.ts';
import { type VersionNumber, parseVersion } from './version.ts';

/** The code and version that an item brings along. Throws 422 where one is missing. */
export function mirrorNumbers<T>(item: {
  readonly codigo?: T | undefined;
  readonly versao?: string | undefined;
}): { readonly codigo: T; readonly number: VersionNumber } {
  const { codigo, versao } = item;
  const number = versao === undefined ? undefined : parseVersion(versao);
  if (codigo !== undefined && number !== undefined) return { codigo, number };
  const missing = [codigo === undefined && 'codigo', number === undefined && 'versao'].filter(
    (name) => name !== false,
  );
  throw unprocessable(
    missing.map((name) =>
      violated(
        'mirrorNeedsNumbers',
        `/${name}`,
        `${name}: recebido ${shown(null)}; o modo espelho exige codigo e versao em cada item.`,
      ),
    ),
  );
}
