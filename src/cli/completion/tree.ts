/** The command line as a completion needs it: read from the commands themselves, so that it never lags behind them. */
import type { Argument, Command, Option } from 'commander';
import { acceptedBy } from '../values.ts';
import { SETTINGS } from '../../settings/settings.ts';

/** What may stand as a value. `settings`: `name=value`. */
export type Values =
  | { readonly kind: 'any' | 'file' | 'folder' | 'settings' }
  | { readonly kind: 'words'; readonly words: readonly string[] };

export interface Flag {
  /** `--data`; the short one beside it. */
  readonly names: readonly string[];
  readonly about: string;
  /** Absent: it takes none. */
  readonly values?: Values;
}

export interface Place {
  /** `user add`; empty for `catp` itself. */
  readonly path: string;
  readonly about: string;
  readonly flags: readonly Flag[];
  readonly values: Values;
  readonly children: readonly Place[];
}

export function placeOf(command: Command, above: readonly string[] = []): Place {
  const help = command.createHelp();
  const children = command.commands.map((child) => placeOf(child, [...above, child.name()]));
  const names = children.map(({ path }) => path.split(' ').at(-1) ?? '');
  return {
    path: above.join(' '),
    about: command.description(),
    flags: help.visibleOptions(command).map(flagOf),
    values:
      names.length > 0
        ? { kind: 'words', words: [...names, 'help'] }
        : valuesOfArguments(command.registeredArguments),
    children,
  };
}

/** Every place, from the first. */
export const placesOf = (place: Place): readonly Place[] => [place, ...place.children.flatMap(placesOf)];

function flagOf(option: Option): Flag {
  const names = [option.long, option.short].filter((name) => name != null);
  const about = option.description;
  if (!option.required && !option.optional) return { names, about };
  const words = option.argChoices ?? acceptedBy(option.parseArg);
  return { names, about, values: words === undefined ? valuesNamed(option.flags) : { kind: 'words', words } };
}

/** The first words that are fixed, else a file: which argument is being written is not counted. */
function valuesOfArguments(given: readonly Argument[]): Values {
  const words = given.flatMap((one) => one.argChoices ?? acceptedBy(one.parseArg) ?? []);
  if (words.length > 0 && given.every((one) => valuesNamed(`<${one.name()}>`).kind === 'any'))
    return { kind: 'words', words };
  return (
    given.map((one) => valuesNamed(`<${one.name()}>`)).find(({ kind }) => kind !== 'any') ?? { kind: 'any' }
  );
}

function valuesNamed(usage: string): Values {
  if (usage.includes('<nome=valor>')) return { kind: 'settings' };
  if (/<arquivos?(\.\.\.)?>/.test(usage)) return { kind: 'file' };
  return { kind: usage.includes('<pasta>') ? 'folder' : 'any' };
}

/** Each setting, with the words that it takes where they are fixed. */
export const SETTING_WORDS: readonly (readonly [name: string, accepted: readonly string[]])[] =
  Object.entries(SETTINGS).map(([name, setting]) => [
    name,
    ('accepted' in setting ? setting.accepted : undefined) ?? [],
  ]);
