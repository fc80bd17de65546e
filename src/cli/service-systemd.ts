/** `catp service` on a machine with systemd (contract section 16). */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { OperatorError, UsageError } from '../errors.ts';
import { type ServiceStatus, statusOf } from '../service/status.ts';
import {
  type Installation,
  installSteps,
  perform,
  stepText,
  type Step,
  uninstallSteps,
  unitPath,
} from '../service/steps.ts';
import { run } from '../service/run.ts';
import { formatValue } from '../validation/format-value.ts';
import { printLine } from './folder-command.ts';
import { becomeOwnerOf } from './owner.ts';
import { configOf, settingsFor } from './options.ts';
import {
  type InstallFlags,
  type ServiceHome,
  type StatusFlags,
  type StepFlags,
  nameWords,
  requirePlainPaths,
  requireServable,
  writtenFolders,
} from './service-home.ts';

const FIRST_FREE_PORT = 1024;

export const SYSTEMD: ServiceHome = {
  folder: '/var/lib/catp',
  install: runInstall,
  uninstall: runUninstall,
  start: ({ name }) => changeState('start', name),
  stop: ({ name }) => changeState('stop', name),
  status: runStatus,
};

function runInstall(flags: InstallFlags): void {
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(flags.user))
    throw new UsageError(
      `--user: recebido '${flags.user}'; aceita o nome de um usuário do sistema, por exemplo catp.`,
    );
  requirePlainPaths([flags.data, flags.config, process.cwd(), process.execPath]);
  const onlyPrints = flags.print === true;
  if (onlyPrints) becomeOwnerOf(flags.data);
  else requireSystemd();
  const settings = settingsFor(flags);
  requireServable(resolve(flags.data));
  const writes = writtenFolders(settings, flags.data);
  requirePlainPaths(writes);
  const installation: Installation = {
    name: flags.name,
    user: flags.user,
    isUserThere: run(['id', '-u', flags.user]).code === 0,
    executable: process.execPath,
    data: resolve(flags.data),
    config: flags.config === undefined ? undefined : resolve(flags.config),
    writes,
    missing: writes.filter((path) => !existsSync(path)),
    lowPort: [settings.porta, settings['tls.porta'] ?? 0].some((port) => port > 0 && port < FIRST_FREE_PORT),
  };
  // systemd starts no program of such a name, even with escapes.
  if (/["'\\]/.test(installation.executable))
    throw new OperatorError(
      `O executável está em ${formatValue(installation.executable)}; o systemd não inicia um programa com aspas, apóstrofo ou barra invertida no caminho. Leve-o antes: a /usr/local/bin/catp, e execute esse.`,
    );
  const steps = installSteps(installation);
  if (onlyPrints) return show(steps);
  if (/^\/(home|root|tmp)\//.test(installation.executable))
    throw new OperatorError(
      `O executável está em ${installation.executable}, onde um serviço não o alcança. Leve-o antes: sudo install -m 0755 ${installation.executable} /usr/local/bin/catp, e execute esse.`,
    );
  follow(steps);
  if (statusOf(flags.name)?.active !== true)
    throw new OperatorError(
      `O serviço ${flags.name} foi instalado, mas não está em execução. Veja por quê: systemctl status ${flags.name}`,
    );
  const place = settings['tls.porta'] === undefined ? '' : `, TLS na porta ${settings['tls.porta']}`;
  printLine(`
O serviço ${flags.name} está em execução e inicia com a máquina. Ele escuta em ${settings.host}, porta ${settings.porta}${place}.
Em 127.0.0.1 só esta máquina o alcança; para as outras, ponha TLS (tls.porta, tls.certificado, tls.chave) e host = "0.0.0.0" em
${configOf(flags) ?? `${installation.data}/catp.toml`}, e reinicie: systemctl restart ${flags.name}
Seu log: journalctl -u ${flags.name}. Como está: catp service status${nameWords(flags.name)}`);
}

function runUninstall({ name, print }: StepFlags): void {
  const steps = uninstallSteps(name);
  if (print === true) return show(steps);
  requireSystemd();
  if (!existsSync(unitPath(name))) {
    const { path = null } = statusOf(name) ?? {};
    throw new OperatorError(
      path === null
        ? `Não há o serviço ${name}: ${unitPath(name)} não existe.`
        : `O serviço ${name} é de um pacote (${path}). Remova o pacote: apt remove catp. Para só pará-lo: systemctl disable --now ${name}.`,
    );
  }
  follow(steps);
  printLine(`O serviço ${name} foi removido. A pasta de dados e o usuário ficam.`);
}

function changeState(verb: 'start' | 'stop', name: string): void {
  requireSystemd();
  perform({ kind: 'run', command: ['systemctl', verb, `${name}.service`] });
  printLine(`O serviço ${name} ${verb === 'start' ? 'está em execução' : 'terminou'}.`);
}

function requireSystemd(): void {
  if (process.platform !== 'linux' || !existsSync('/run/systemd/system'))
    throw new OperatorError(
      'Esta máquina não é iniciada pelo systemd, e o serviço é uma unidade dele. Use --print para ver o que seria feito.',
    );
  if (process.getuid?.() !== 0)
    throw new OperatorError(
      'Só quem administra a máquina instala e remove um serviço. Execute com sudo, ou veja antes com --print.',
    );
}

/** Prints the commands, then the file (contract section 16). */
const show = (steps: readonly Step[]): void =>
  printLine(
    [...steps.filter(({ kind }) => kind === 'run'), ...steps.filter(({ kind }) => kind !== 'run')]
      .map(stepText)
      .join('\n'),
  );

function follow(steps: readonly Step[]): void {
  for (const step of steps) {
    printLine(step.kind === 'write' ? `grava ${step.path}` : stepText(step));
    perform(step);
  }
}

function runStatus({ name, json }: StatusFlags): void {
  const status = statusOf(name);
  if (status === undefined)
    throw new OperatorError(
      'O systemd não responde nesta máquina (systemctl show). Sem ele não há serviço: inicie o servidor com catp serve.',
    );
  if (json === true) printLine(JSON.stringify(status, undefined, 2));
  else
    printLine(
      status.path === null
        ? `Não há o serviço ${name}. Instale-o com sudo catp service install.`
        : statusText(status),
    );
  if (!status.active) process.exitCode = 1;
}

const statusText = ({ unit, path, enabled, state, status, since, pid, restarts }: ServiceStatus): string =>
  [
    `${unit}: ${state}${since === null ? '' : ` desde ${since}`}`,
    ...(status === null ? [] : [`servidor:   ${status}`]),
    `unidade:    ${path}, ${enabled ? 'inicia com a máquina' : 'não inicia com a máquina'}`,
    ...(pid === null ? [] : [`processo:   ${pid}`]),
    `reinícios:  ${restarts}`,
  ].join('\n');
