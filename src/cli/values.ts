/** Arguments and options that take one of a few words, a whole number, or a file to be read. */
import { readFileSync } from 'node:fs';
import type { ImportKind } from '../catalogue/import/model.ts';
import { UsageError } from '../errors.ts';
import { shown } from '../validation/shown.ts';
import { reasonOf } from '../system/errors.ts';
import { parseHost } from '../system/ipaddr.ts';

/** A parser for commander: gives the word back, or tells which ones are accepted. `wordOf`: what it is called here; its own name is taken too. */
export function choice<const T extends string>(
  name: string,
  accepted: readonly T[],
  wordOf: (one: T) => string = (one) => one,
): (text: string) => T {
  const words = accepted.map(wordOf);
  const parse = (text: string): T => {
    const found = accepted.find((one) => one === text || wordOf(one) === text);
    if (found === undefined)
      throw new UsageError(`${name}: recebido ${shown(text)}; aceita ${words.join(', ')}.`);
    return found;
  };
  return Object.assign(parse, { accepted: words });
}

/** What a kind of records is called on the command line. */
export const kindWord = (kind: ImportKind): string =>
  ({ 'operador-estrangeiro': 'operador', fabricante: 'vinculo' })[kind as string] ?? kind;

/** The words that such a parser accepts; of any other parser nothing is known. */
export const acceptedBy = (parser: unknown): readonly string[] | undefined =>
  typeof parser === 'function' && 'accepted' in parser ? (parser.accepted as readonly string[]) : undefined;

/** A parser for commander: gives the number, or tells which ones are accepted. */
export const integer =
  (name: string, least: number, most: number) =>
  (text: string): number => {
    if (/^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new UsageError(`${name}: recebido ${shown(text)}; aceita um inteiro de ${least} a ${most}.`);
  };

export const port = (name: string) => integer(name, 0, 65_535);

/** The content of the file that an option names. */
export function contentOf(option: string, file: string, remedy = 'Indique outro arquivo.'): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${option}: ${file} não pode ser lido (${reasonOf(error)}). ${remedy}`);
  }
}

export function hostFrom(text: string): string {
  try {
    return parseHost(text);
  } catch (error) {
    throw new UsageError(`--host: recebido ${shown(text)}; ${reasonOf(error)}.`);
  }
}
