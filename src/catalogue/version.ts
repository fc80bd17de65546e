/** Versions of records (contract section 6): their texts and their order. */
import type { Day } from '../clock.ts';
import { t } from '../validation/type.ts';

/** Version text "n" is family n, rectification 0; "n.m" is rectification m of family n. */
export interface VersionNumber {
  readonly family: number;
  readonly rectification: number;
}

const VERSION_MAX_CHARACTERS = 8;
/** Highest family that has a text. */
export const LAST_FAMILY = 10 ** VERSION_MAX_CHARACTERS - 1;
const VERSION_FORM = /^([1-9]\d*)(?:\.([1-9]\d*))?$/;

/**
 * Largest gap that numbering follows. A number from elsewhere (contract section 7, `modo=espelho`) further
 * after the last one does not move the numbering: otherwise one item with the highest code would end all
 * inclusions. New records continue the old numbering, and skip existing codes.
 */
export const LARGEST_LEAP = 1_000_000;

export const versionText = ({ family, rectification }: VersionNumber): string =>
  rectification === 0 ? String(family) : `${family}.${rectification}`;

/** Returns true if a number has a text: a version without one could never be requested again. */
export const hasText = (number: VersionNumber): boolean =>
  versionText(number).length <= VERSION_MAX_CHARACTERS;

/** Returns the number of a version text, or `undefined` when it is not one. */
export function parseVersion(text: string): VersionNumber | undefined {
  const match = text.length <= VERSION_MAX_CHARACTERS ? VERSION_FORM.exec(text) : null;
  return match === null ? undefined : { family: Number(match[1]), rectification: Number(match[2] ?? 0) };
}

/** Returns the number of a text that the schema `Versao` has accepted. */
export function versionNumber(versao: string): VersionNumber {
  const number = parseVersion(versao);
  if (number === undefined) throw new Error(`Not a version: ${versao}`);
  return number;
}

/**
 * Returns true if `a` was made later than `b`: a higher family, or a later rectification of the same one.
 */
export const isLater = (a: VersionNumber, b: VersionNumber): boolean =>
  a.family !== b.family ? a.family > b.family : a.rectification > b.rectification;

export const Versao = t.String({
  maxLength: VERSION_MAX_CHARACTERS,
  'x-code': true,
  pattern: VERSION_FORM.source,
  'x-domain': `versão n ou n.m, sem zeros à esquerda, com no máximo ${VERSION_MAX_CHARACTERS} caracteres`,
  description: 'Versão original (n) ou retificada (n.m).',
  examples: ['1', '1.1'],
});

export const laterOf = (a: Day, b: Day): Day => (a > b ? a : b);
