/** The command line; each command has a file in cli/. */
import { commandsFor } from './cli/commands.ts';
import { runToTheEnd } from './cli/ending.ts';
import { command } from './cli/options.ts';
import { VERSION } from './version.ts';

await runToTheEnd(async () => {
  const program = command('catp', 'Catálogo de Produtos do Portal Único Siscomex em um executável')
    .version(VERSION, '-V, --version', 'mostra a versão')
    .helpCommand('help [comando]', 'mostra a ajuda de um comando')
    .addHelpText(
      'after',
      '\nGuias e consulta: o endereço /ajuda de catp dev e de catp serve\n(http://127.0.0.1:8080/ajuda).',
    );
  for (const one of await commandsFor(process.argv[2])) program.addCommand(one);
  return program;
});
