/** `catp completion`: what makes a shell complete our words, made from the commands as they are. */
import { Argument, type Command } from 'commander';
import { bashCompletion } from './completion/bash.ts';
import { fishCompletion } from './completion/fish.ts';
import { placeOf } from './completion/tree.ts';
import { zshCompletion } from './completion/zsh.ts';
import { command } from './options.ts';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

const HOW = `
Para ligar:
  bash  catp completion bash |
          sudo tee /usr/share/bash-completion/completions/catp > /dev/null
  zsh   catp completion zsh |
          sudo tee /usr/local/share/zsh/site-functions/_catp > /dev/null
  fish  catp completion fish > ~/.config/fish/completions/catp.fish
O pacote .deb já traz as três.`;

/** `commands`: all of them. */
export function completionCommand(commands: () => Promise<Command[]>): Command {
  return command('completion', 'completa comandos, opções e valores no bash, no zsh ou no fish')
    .addArgument(new Argument('<shell>', 'para qual').choices(Object.keys(SHELLS)))
    .addHelpText('after', HOW)
    .action(async (shell: keyof typeof SHELLS) => {
      const root = command('catp', '').version('', '-V, --version', 'mostra a versão');
      for (const one of await commands()) root.addCommand(one);
      process.stdout.write(SHELLS[shell](placeOf(root)));
    });
}
