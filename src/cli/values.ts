/** Parsers of arguments and options: one of a few words, a whole number, or a file. */
import type { ImportKind } from '../catalogue/import/model.ts';
import { UsageError } from '../errors.ts';
import { formatValue } from '../validation/format-value.ts';
import { BeyondLimit, MIB, readFileUpTo } from '../system/bounded-file.ts';
import { reasonOf } from '../system/errors.ts';
import { parseHost } from '../system/ipaddr.ts';

/**
 * Makes a parser for commander. It returns one of `accepted`, or throws `UsageError` with the accepted words.
 * `wordOf` returns the word of a value on the command line. The value is accepted as well.
 */
export function choice<const T extends string>(
  name: string,
  accepted: readonly T[],
  wordOf: (one: T) => string = (one) => one,
): (text: string) => T {
  const words = accepted.map(wordOf);
  const parse = (text: string): T => {
    const match = accepted.find((one) => one === text || wordOf(one) === text);
    if (match === undefined)
      throw new UsageError(`${name}: recebido ${formatValue(text)}; aceita ${words.join(', ')}.`);
    return match;
  };
  return Object.assign(parse, { accepted: words });
}

/** Returns the command line word of a kind of records. */
export const kindWord = (kind: ImportKind): string =>
  ({ 'operador-estrangeiro': 'operador', fabricante: 'vinculo' })[kind as string] ?? kind;

/** Returns the words that a parser of `choice` accepts. `undefined`: `choice` did not make this parser. */
export const acceptedWords = (parser: unknown): readonly string[] | undefined =>
  typeof parser === 'function' && 'accepted' in parser ? (parser.accepted as readonly string[]) : undefined;

/** Makes a parser for commander. It returns the number, or throws `UsageError` with the accepted range. */
export const integer =
  (name: string, min: number, max: number) =>
  (text: string): number => {
    if (/^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    throw new UsageError(`${name}: recebido ${formatValue(text)}; aceita um inteiro de ${min} a ${max}.`);
  };

export const port = (name: string) => integer(name, 0, 65_535);

/** Limit for the files that options name: certificates, secrets, mappings, events. Real ones are far smaller. */
const OPTION_FILE_MAX_BYTES = 16 * MIB;

/** Reads the file that an option names. Throws `UsageError` when it cannot be read or is too large. */
export function contentOf(option: string, file: string, remedy = 'Indique outro arquivo.'): Buffer {
  try {
    return readFileUpTo(file, OPTION_FILE_MAX_BYTES);
  } catch (error) {
    if (error instanceof BeyondLimit) throw new UsageError(`${option}: ${file} ${error.message}. ${remedy}`);
    throw new UsageError(`${option}: ${file} não pode ser lido (${reasonOf(error)}). ${remedy}`);
  }
}

export function hostFrom(text: string): string {
  try {
    return parseHost(text);
  } catch (error) {
    throw new UsageError(`--host: recebido ${formatValue(text)}; ${reasonOf(error)}.`);
  }
}
