/** Arguments and options that take one of a few words. */
import { UsageError } from '../errors.ts';

/** A parser for commander: gives the word back, or tells which ones are accepted. */
export function choice<const T extends string>(name: string, accepted: readonly T[]): (text: string) => T {
  const parse = (text: string): T => {
    const found = accepted.find((one) => one === text);
    if (found === undefined)
      throw new UsageError(`${name}: recebido ${JSON.stringify(text)}; aceita ${accepted.join(', ')}.`);
    return found;
  };
  return Object.assign(parse, { accepted });
}

/** The words that such a parser accepts; of any other parser nothing is known. */
export const acceptedBy = (parser: unknown): readonly string[] | undefined =>
  typeof parser === 'function' && 'accepted' in parser ? (parser.accepted as readonly string[]) : undefined;
