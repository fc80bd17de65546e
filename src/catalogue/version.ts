/** Versions of records (contract section 6): their texts, and which one is in force on which day. */
import { Type as t } from '@sinclair/typebox';
import type { Day } from '../clock.ts';

/** Version text "n" is family n, rectification 0; "n.m" is rectification m of family n. */
export interface VersionNumber {
  readonly family: number;
  readonly rectification: number;
}

const VERSION_MAX_CHARACTERS = 8;
/** The highest family that has a text. */
export const LAST_FAMILY = 10 ** VERSION_MAX_CHARACTERS - 1;
const VERSION_FORM = /^([1-9]\d*)(?:\.([1-9]\d*))?$/;

/**
 * A number that comes from elsewhere (contract section 7, `modo=espelho`) so far after the last one does not carry the
 * numbering with it: one item with the last code of all would end inclusions for ever. New records are numbered on from
 * where they were, past codes that are there.
 */
export const LARGEST_LEAP = 1_000_000;

export const versionText = ({ family, rectification }: VersionNumber): string =>
  rectification === 0 ? String(family) : `${family}.${rectification}`;

/** Whether a number has a text at all: one that has none could never be asked for again. */
export const hasText = (number: VersionNumber): boolean =>
  versionText(number).length <= VERSION_MAX_CHARACTERS;

/** The number of a version text, or `undefined` when it is not one. */
export function parseVersion(text: string): VersionNumber | undefined {
  const match = text.length <= VERSION_MAX_CHARACTERS ? VERSION_FORM.exec(text) : null;
  return match === null ? undefined : { family: Number(match[1]), rectification: Number(match[2] ?? 0) };
}

/** The number of a text that the schema `Versao` let through. */
export function versionNumber(versao: string): VersionNumber {
  const number = parseVersion(versao);
  if (number === undefined) throw new Error(`Not a version: ${versao}`);
  return number;
}

/** Whether `a` was made later than `b`: a higher family, or a later rectification of the same one. */
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
