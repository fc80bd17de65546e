/** The command line; each command has a file in cli/. */
import { accountCommands } from './cli/accounts.ts';
import { attributesCommand } from './cli/attributes.ts';
import { devCommand } from './cli/dev.ts';
import { eventCommand } from './cli/event.ts';
import { exportCommand } from './cli/export.ts';
import { importCommand } from './cli/import.ts';
import { command } from './cli/options.ts';
import { jobCommand } from './cli/job.ts';
import { receiverCommand } from './cli/receiver.ts';
import { serveCommand } from './cli/serve.ts';
import { ConfigError } from './config.ts';
import { DomainError, OperatorError } from './errors.ts';
import { VERSION } from './version.ts';

const FAILURE = 1;

const program = command('catp', 'Catálogo de Produtos do Portal Único Siscomex em um executável')
  .version(VERSION, '-V, --version', 'mostra a versão')
  .helpCommand('help [comando]', 'mostra a ajuda de um comando')
  .addCommand(devCommand())
  .addCommand(serveCommand())
  .addCommand(importCommand())
  .addCommand(exportCommand())
  .addCommand(attributesCommand())
  .addCommand(eventCommand())
  .addCommand(jobCommand())
  .addCommand(receiverCommand());

for (const one of accountCommands()) program.addCommand(one);

try {
  await program.parseAsync(process.argv);
  process.exit(process.exitCode ?? 0);
} catch (error) {
  const isForPeople =
    error instanceof OperatorError || error instanceof ConfigError || error instanceof DomainError;
  process.stderr.write(
    `catp: ${isForPeople ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(FAILURE);
}
