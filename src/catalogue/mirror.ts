/** A catalogue moved from elsewhere keeps its codes and versions (contract section 7, `modo=espelho`). */
import { type Problem, shown, unprocessable } from '../errors.ts';
import { violated } from './codes.ts';
import { LARGEST_LEAP, LAST_FAMILY, type VersionNumber, parseVersion, versionText } from './version.ts';

/** The highest version that comes along: a record whose versions are numbered to the end could never be changed again. */
export const LAST_MIRRORED_FAMILY = LAST_FAMILY - LARGEST_LEAP;

/** What keeps a version that comes along from being stored: it leaves too few numbers for those to come. */
export function mirroredVersionProblems(number: VersionNumber): Problem[] {
  if (number.family <= LAST_MIRRORED_FAMILY) return [];
  const message = `versao: recebido ${versionText(number)}; o modo espelho aceita até ${LAST_MIRRORED_FAMILY}, para que restem números para as próximas versões. Traga o registro com uma versão menor.`;
  return [violated('tooFewNumbers', '/versao', message)];
}

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
