/** The shared parts of commands on a data folder: flags, the check of the values, the result. */
import type { TSchema } from '@sinclair/typebox';
import type { Command } from 'commander';
import { malformed } from '../errors.ts';
import { decode } from '../validation/decode.ts';
import { asSchema } from '../validation/schema.ts';
import { visibleLines } from '../validation/text.ts';
import { type OpenFolder, type OpenOptions, withFolder } from './open.ts';
import { asOwner } from './owner.ts';
import { command, folderFlags } from './command.ts';
import type { FolderFlags } from './options.ts';

/** The work of a command. It may return an exit code. */
type FolderWork<Flags, Names extends string[] = string[]> = (
  open: OpenFolder,
  flags: Flags,
  ...names: Names
) => Promise<number | void> | number | void;

/** Makes a command that works on the data folder. */
export const onFolder = <Flags, Names extends string[]>(
  made: Command,
  work: FolderWork<Flags, Names>,
  options?: Pick<OpenOptions, 'readsOnly'>,
): Command =>
  asOwner(folderFlags(made)).action(async (...received: unknown[]) => {
    // commander passes the arguments, then the options, then the command.
    const [flags] = received.splice(made.registeredArguments.length) as [Flags & FolderFlags];
    process.exitCode =
      (await withFolder(flags, (open) => work(open, flags, ...(received as Names)), options)) ?? 0;
  });

/** Makes a subcommand on the data folder. `usage` is its name and arguments. */
export const folderCommand = <Flags = object>(
  usage: string,
  about: string,
  work: FolderWork<Flags>,
  exitCodes?: string,
): Command => onFolder(commandOfUsage(usage, about, exitCodes), work);

/** Makes a subcommand that only reads. It also works when another machine writes the folder. */
export const readingCommand = <Flags = object>(
  usage: string,
  about: string,
  work: FolderWork<Flags>,
  exitCodes?: string,
): Command => onFolder(commandOfUsage(usage, about, exitCodes), work, { readsOnly: true });

function commandOfUsage(usage: string, about: string, exitCodes?: string): Command {
  const [name = '', ...names] = usage.split(' ');
  const newCommand = command(name, about, exitCodes);
  for (const argument of names) newCommand.argument(argument);
  return newCommand;
}

/** Checks the values of the command line as the API would. Throws the API's refusal. */
export function checked<S extends TSchema>(schema: S, value: object): S['static'] {
  const members = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
  const { value: decoded, problems } = decode(asSchema(schema), members);
  if (problems.length > 0) throw malformed(problems);
  return decoded;
}

export function printLine(text: string): void {
  process.stdout.write(`${visibleLines(text)}\n`);
}
