/** `catp licencas`: prints the licence texts of everything inside the executable. */
import type { Command } from 'commander';
import { command } from './command.ts';
import { licencesText } from './licences-text.ts';

export function licencesCommand(): Command {
  return command('licencas', 'imprime as licenças do catp e de tudo o que o executável contém').action(() => {
    process.stdout.write(licencesText());
  });
}
