/**
 * `catp completion`: prints the script with which a shell completes command lines. It reads the words from
 * the commands.
 */
import { Argument, type Command, Option } from 'commander';
import { text } from 'node:stream/consumers';
import { offerFor } from './completion/offer.ts';
import { SCRIPTS } from './completion/scripts.ts';
import { command } from './command.ts';

const HOW = `
Para ativar:
  bash  catp completion bash |
          sudo tee /usr/share/bash-completion/completions/catp > /dev/null
  zsh   catp completion zsh |
          sudo tee /usr/local/share/zsh/site-functions/_catp > /dev/null
  fish  catp completion fish > ~/.config/fish/completions/catp.fish
  PowerShell  catp completion powershell | Add-Content -Encoding utf8 $PROFILE
O pacote .deb já traz as três primeiras.`;

/** `commands`: loads all commands. */
export function completionCommand(commands: () => Promise<Command[]>): Command {
  return command(
    'completion',
    'imprime o script que completa comandos, opções e valores no bash, no zsh, no fish ou no PowerShell',
  )
    .addArgument(new Argument('<shell>', 'para qual').choices(Object.keys(SCRIPTS)))
    .addOption(new Option('--offer', 'o que cabe no fim da linha recebida').hideHelp())
    .addHelpText('after', HOW)
    .action(async (shell: keyof typeof SCRIPTS, { offer }: { readonly offer?: true }) => {
      process.stdout.write(offer === true ? await offerText(commands) : SCRIPTS[shell]);
    });
}

async function offerText(commands: () => Promise<Command[]>): Promise<string> {
  const program = command('catp', '').version('', '-V, --version', 'mostra a versão');
  for (const one of await commands()) program.addCommand(one);
  // PowerShell ends lines as Windows does; `--set perfil=p` comes from bash in four pieces.
  const received = (await text(process.stdin)).replaceAll('\r\n', '\n');
  const line = received.replace(/\n$/, '').replaceAll(/\n=/g, '=').replaceAll(/=\n/g, '=');
  const { kind, words } = offerFor(program, line.split('\n'));
  return [kind, ...words.map((fields) => fields.join('\t').replaceAll('\n', ' ')), ''].join('\n');
}
