/**
 * `catp service`: the server as a service of the machine, by systemd (contract section 16) or by Windows
 * (section 23).
 */
import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { command, dataFlags } from './command.ts';
import { type ServiceHome, DEFAULT_NAME } from './service-home.ts';
import { SYSTEMD } from './service-systemd.ts';
import { WINDOWS } from './service-windows.ts';

const isWindows = process.platform === 'win32';
const home: ServiceHome = isWindows ? WINDOWS : SYSTEMD;

export function serviceCommand(): Command {
  const install = withNameOption(
    dataFlags(command('install', 'instala o serviço, ou o atualiza, e o inicia'), home.folder),
  );
  // Windows creates an account for each service.
  if (!isWindows)
    install.option(
      '--user <usuário>',
      'usuário do sistema que executa o serviço; criado se não existir',
      'catp',
    );
  return command('service', 'instala e controla o servidor como serviço do systemd ou do Windows')
    .addCommand(install.option('--print', 'só mostra o que seria gravado e executado').action(home.install))
    .addCommand(
      withNameOption(command('uninstall', 'para o serviço e o remove; os dados ficam'))
        .option('--print', 'só mostra o que seria executado e apagado')
        .action(home.uninstall),
    )
    .addCommand(
      withNameOption(command('start', 'inicia o serviço e espera que ele atenda')).action(home.start),
    )
    .addCommand(withNameOption(command('stop', 'para o serviço e espera que ele termine')).action(home.stop))
    .addCommand(
      withNameOption(
        command('status', 'mostra o estado do serviço; código de saída 1 quando não está em execução'),
      )
        .option('--json', 'imprime em JSON')
        .action(home.status),
    );
}

const withNameOption = (made: Command): Command =>
  made.option('--name <nome>', 'nome do serviço, um para cada instância', nameFrom, DEFAULT_NAME);

function nameFrom(text: string): string {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(text))
    throw new UsageError(
      `--name: recebido '${text}'; aceita letras minúsculas, algarismos e hífens, por exemplo catp-filial.`,
    );
  return text;
}
