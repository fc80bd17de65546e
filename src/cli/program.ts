/** `catp` itself, as a commander program. */
import type { Command } from 'commander';
import { VERSION } from '../version.ts';
import { command } from './command.ts';
import { commandsFor } from './commands.ts';

/** Returns the program with the command of that name, or with all of them for any other word. */
export async function program(name: string | undefined): Promise<Command> {
  const root = command('catp', 'Catálogo de Produtos do Portal Único Siscomex em um executável')
    .version(VERSION, '-V, --version', 'mostra a versão')
    .helpCommand('help [comando]', 'mostra a ajuda de um comando')
    .addHelpText(
      'after',
      '\nGuias e consulta: o endereço /ajuda de catp dev e de catp serve\n(http://127.0.0.1:8080/ajuda).',
    );
  for (const one of await commandsFor(name)) root.addCommand(one);
  return root;
}
