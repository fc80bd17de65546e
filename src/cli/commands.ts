/**
 * All commands by name. Each is loaded on demand, and commander only for a command line that is not simple: a
 * server evaluates a thousand modules, which no other command should wait for.
 */
import type { Command } from 'commander';
import type { PlainCommand } from './flag.ts';

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  dev: async () => (await import('./dev.ts')).devCommand(everyCommand),
  serve: async () => (await import('./command.ts')).commandOf(await PLAIN.serve()),
  init: async () => (await import('./init.ts')).initCommand(),
  backup: async () => (await import('./backup.ts')).backupCommand(),
  restore: async () => (await import('./restore.ts')).restoreCommand(),
  migrate: async () => (await import('./migrate.ts')).migrateCommand(),
  takeover: async () => (await import('./takeover.ts')).takeoverCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  service: async () => (await import('./service.ts')).serviceCommand(),
  completion: async () => (await import('./completion.ts')).completionCommand(everyCommand),
  audit: async () => (await import('./audit.ts')).auditCommand(),
  import: async () => (await import('./import.ts')).importCommand(),
  export: async () => (await import('./export.ts')).exportCommand(),
  attributes: async () => (await import('./attributes.ts')).attributesCommand(),
  ncm: async () => (await import('./ncm.ts')).ncmCommand(),
  call: async () => (await import('./call.ts')).callCommand(),
  event: async () => (await import('./event.ts')).eventCommand(),
  health: async () => (await import('./command.ts')).commandOf(await PLAIN.health()),
  seed: async () => (await import('./seed.ts')).seedCommand(),
  job: async () => (await import('./job.ts')).jobCommand(),
  openapi: async () => (await import('./openapi.ts')).openApiCommand(everyCommand),
  receiver: async () => (await import('./receiver.ts')).receiverCommand(),
  stubs: async () => (await import('./stubs.ts')).stubsCommand(),
  user: async () => (await import('./accounts.ts')).userCommand(),
  company: async () => (await import('./accounts.ts')).companyCommand(),
  remote: async () => (await import('./remote.ts')).remoteCommand(),
  representation: async () => (await import('./accounts.ts')).representationCommand(),
  key: async () => (await import('./accounts.ts')).keyCommand(),
  licencas: async () => (await import('./licences.ts')).licencesCommand(),
};

const everyCommand = (): Promise<Command[]> => commandsFor(undefined);

/** Commands that run without commander when the command line is plain. */
export const PLAIN = {
  serve: async () => (await import('./serve.ts')).serveCommand(everyCommand),
  health: async () => (await import('./health.ts')).health,
} satisfies Record<string, () => Promise<PlainCommand>>;

/** Returns the command of that name, or all of them for any other word, so that help and hints list them. */
export function commandsFor(word: string | undefined): Promise<Command[]> {
  const wanted = word !== undefined && Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
  return Promise.all((wanted === undefined ? Object.values(COMMANDS) : [wanted]).map((load) => load()));
}
