/** What commands on a data folder share: its flags, the check of what was given, the answer. */
import type { TSchema } from '@sinclair/typebox';
import type { Command } from 'commander';
import { malformed } from '../errors.ts';
import { decode } from '../validation/decode.ts';
import { asSchema } from '../validation/schema.ts';
import { visibleLines } from '../validation/text.ts';
import { type OpenFolder, withFolder } from './open.ts';
import { asOwner } from './owner.ts';
import { command, folderFlags } from './command.ts';
import { type FolderFlags } from './options.ts';

export type FolderWork<Flags> = (open: OpenFolder, flags: Flags, ...names: string[]) => Promise<void> | void;

/** A subcommand on the data folder. `usage` is its name and arguments. */
export function folderCommand<Flags = object>(
  usage: string,
  about: string,
  work: FolderWork<Flags>,
  exitCodes?: string,
): Command {
  const [name = '', ...names] = usage.split(' ');
  const made = asOwner(folderFlags(command(name, about, exitCodes)));
  for (const argument of names) made.argument(argument);
  return made.action(async (...received: unknown[]) => {
    // commander hands over the arguments, then the options, then the command.
    const flags = received[names.length] as Flags & FolderFlags;
    const given = received.slice(0, names.length) as string[];
    await withFolder(flags, (open) => work(open, flags, ...given));
  });
}

/** Checks what the command line gave as the API would. Throws the API's refusal. */
export function checked<S extends TSchema>(schema: S, value: object): S['static'] {
  const given = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
  const { value: decoded, problems } = decode(asSchema(schema), given);
  if (problems.length > 0) throw malformed(problems);
  return decoded;
}

export function say(text: string): void {
  process.stdout.write(`${visibleLines(text)}\n`);
}
