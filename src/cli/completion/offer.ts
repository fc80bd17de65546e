/** Computes the completions at the cursor from the commands, so that they are always current. */
import type { Argument, Command, Option } from 'commander';
import { acceptedWords } from '../values.ts';
import { SETTINGS } from '../../settings/settings.ts';

/** The completions. `unfinished`: the next characters follow such a word without a space. */
export interface Offer {
  readonly kind: 'words' | 'unfinished' | 'files' | 'folders';
  /** The words, with a description if there is one. */
  readonly words: readonly (readonly [word: string, about?: string])[];
}

/**
 * Returns the completions. `words`: the line up to the cursor, split into words. The last one is incomplete
 * and may be empty.
 */
export function offerFor(program: Command, words: readonly string[]): Offer {
  const before = words.slice(1, -1);
  const current = words.at(-1) ?? '';
  const command = before.reduce<Command>(
    (at, word) => at.commands.find((one) => one.name() === word) ?? at,
    program,
  );
  const help = command.createHelp();
  const options = help.visibleOptions(command);
  const pendingOption = options.find(({ long, short }) => [long, short].includes(before.at(-1)));
  const offer =
    pendingOption?.required === true || pendingOption?.optional === true
      ? valuesOf(pendingOption.flags, pendingOption, current)
      : current.startsWith('-')
        ? wordsOf(options.flatMap((one) => namesOf(one).map((name) => [name, one.description] as const)))
        : command.commands.length > 0
          ? wordsOf(help.visibleCommands(command).map((one) => [one.name(), one.description()]))
          : valuesOfArguments(command.registeredArguments, current);
  return { ...offer, words: offer.words.filter(([word]) => word.startsWith(current)) };
}

const wordsOf = (words: Offer['words']): Offer => ({ kind: 'words', words });

const namesOf = ({ long, short }: Option): string[] => [long, short].filter((name) => name != null);

/** Returns the first fixed words, else files. The position of the argument is not counted. */
function valuesOfArguments(all: readonly Argument[], current: string): Offer {
  const offers = all.map((argument) => valuesOf(`<${argument.name()}>`, argument, current));
  return (
    offers.find(({ words }) => words.length > 0) ?? offers.find(({ kind }) => kind !== 'words') ?? wordsOf([])
  );
}

/** Returns the completions of a value. `usage`: its form in the help, which names the kind of value. */
function valuesOf(usage: string, { argChoices, parseArg }: Option | Argument, current: string): Offer {
  const fixed = argChoices ?? acceptedWords(parseArg);
  if (fixed !== undefined) return wordsOf(fixed.map((word) => [word]));
  if (usage.includes('<nome=valor>')) return settingsFor(current);
  if (/<arquivos?(\.\.\.)?>/.test(usage)) return { kind: 'files', words: [] };
  return { kind: usage.includes('<pasta>') ? 'folders' : 'words', words: [] };
}

/** Returns setting names, or after a name its values when they are fixed. */
function settingsFor(current: string): Offer {
  const [name = ''] = current.split('=', 1);
  if (name === current)
    return {
      kind: 'unfinished',
      words: Object.entries(SETTINGS).map(([one, { about }]) => [`${one}=`, about]),
    };
  const setting = Object.entries(SETTINGS).find(([one]) => one === name)?.[1];
  const accepted = setting !== undefined && 'accepted' in setting ? setting.accepted : undefined;
  return wordsOf((accepted ?? []).map((value) => [`${name}=${value}`]));
}
