/** The command line; each command has a file in cli/. */
import { commandsFor } from './cli/commands.ts';
import { command } from './cli/options.ts';
import { ConfigError } from './config.ts';
import { DomainError, OperatorError } from './errors.ts';
import { VERSION } from './version.ts';

const FAILURE = 1;

const program = command('catp', 'Catálogo de Produtos do Portal Único Siscomex em um executável')
  .version(VERSION, '-V, --version', 'mostra a versão')
  .helpCommand('help [comando]', 'mostra a ajuda de um comando');

for (const one of await commandsFor(process.argv[2])) program.addCommand(one);

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
