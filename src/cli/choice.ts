/** Arguments and options that take one of a few words. */
import { UsageError } from '../errors.ts';

/** A parser for commander: gives the word back, or tells which ones are accepted. */
export function choice<const T extends string>(name: string, accepted: readonly T[]): (text: string) => T {
  return (text) => {
    const found = accepted.find((one) => one === text);
    if (found === undefined)
      throw new UsageError(`${name}: recebido ${JSON.stringify(text)}; aceita ${accepted.join(', ')}.`);
    return found;
  };
}
