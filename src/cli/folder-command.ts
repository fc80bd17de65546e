/** What commands on a data folder share: its flags, the check of what was given, the answer. */
import type { TSchema } from '@sinclair/typebox';
import type { Command } from 'commander';
import { malformed } from '../errors.ts';
import { decode } from '../validation/decode.ts';
import { asSchema } from '../validation/schema.ts';
import { visibleLines } from '../validation/text.ts';
import { type OpenFolder, type OpenOptions, withFolder } from './open.ts';
import { asOwner } from './owner.ts';
import { command, folderFlags } from './command.ts';
import { type FolderFlags } from './options.ts';

/** It may answer an exit code. */
type FolderWork<Flags, Names extends string[] = string[]> = (
  open: OpenFolder,
  flags: Flags,
  ...names: Names
) => Promise<number | void> | number | void;

/** A command that works on the data folder. */
export const onFolder = <Flags, Names extends string[]>(
  made: Command,
  work: FolderWork<Flags, Names>,
  options?: Pick<OpenOptions, 'readsOnly'>,
): Command =>
  asOwner(folderFlags(made)).action(async (...received: unknown[]) => {
    // commander hands over the arguments, then the options, then the command.
    const [flags] = received.splice(made.registeredArguments.length) as [Flags & FolderFlags];
    process.exitCode =
      (await withFolder(flags, (open) => work(open, flags, ...(received as Names)), options)) ?? 0;
  });

/** A subcommand on the data folder. `usage` is its name and arguments. */
export const folderCommand = <Flags = object>(
  usage: string,
  about: string,
  work: FolderWork<Flags>,
  exitCodes?: string,
): Command => onFolder(commandOfUsage(usage, about, exitCodes), work);

/** The same of one that changes nothing: it also works where another machine writes. */
export const readingCommand = <Flags = object>(
  usage: string,
  about: string,
  work: FolderWork<Flags>,
  exitCodes?: string,
): Command => onFolder(commandOfUsage(usage, about, exitCodes), work, { readsOnly: true });

function commandOfUsage(usage: string, about: string, exitCodes?: string): Command {
  const [name = '', ...names] = usage.split(' ');
  const made = command(name, about, exitCodes);
  for (const argument of names) made.argument(argument);
  return made;
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
