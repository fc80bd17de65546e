/** `catp service` on Windows (contract section 23). */
import { existsSync } from 'node:fs';
import { resolve, win32 } from 'node:path';
import { REAL_TIME } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import {
  type WindowsInstallation,
  type WindowsStep,
  startAndWait,
  stopAndWait,
  withWindowsError,
  windowsInstallSteps,
  windowsUninstallSteps,
} from '../service/windows.ts';
import { type ManagedService, serviceOf } from '../windows/service-manager.ts';
import { SERVICE_LOG_FILE } from './as-windows-service.ts';
import { printLine } from './folder-command.ts';
import { configOf, settingsFor } from './options.ts';
import {
  type InstallFlags,
  type NameFlags,
  type ServiceHome,
  type StatusFlags,
  type StepFlags,
  nameWords,
  requirePlainPaths,
  requireServable,
  writtenFolders,
} from './service-home.ts';

export const WINDOWS: ServiceHome = {
  folder: 'C:\\ProgramData\\catp',
  install: (flags) => withWindowsError(() => runInstall(flags)),
  uninstall: (flags) => withWindowsError(() => runUninstall(flags)),
  start: (flags) => withWindowsError(() => runStart(flags)),
  stop: (flags) => withWindowsError(() => runStop(flags)),
  status: (flags) => withWindowsError(() => runStatus(flags)),
};

async function runInstall(flags: InstallFlags): Promise<void> {
  const data = resolve(flags.data);
  const config = flags.config === undefined ? undefined : resolve(flags.config);
  requirePlainPaths([data, config, process.execPath]);
  const settings = settingsFor(flags);
  requireServable(data);
  const writes = writtenFolders(settings, data);
  requirePlainPaths(writes);
  const installation: WindowsInstallation = {
    name: flags.name,
    executable: process.execPath,
    data,
    config,
    missing: writes.filter((path) => !existsSync(path)),
  };
  const steps = windowsInstallSteps(installation, REAL_TIME);
  if (flags.print === true) return show(steps);
  if (/^[a-z]:\\users\\/i.test(installation.executable))
    throw new OperatorError(
      `O executável está em ${installation.executable}, onde um serviço não o alcança. Leve-o antes a C:\\Program Files\\catp\\catp.exe, e execute esse.`,
    );
  await follow(steps);
  const place = settings['tls.porta'] === undefined ? '' : `, TLS na porta ${settings['tls.porta']}`;
  printLine(`
O serviço ${flags.name} está em execução e inicia com a máquina. Ele escuta em ${settings.host}, porta ${settings.porta}${place}.
Em 127.0.0.1 só esta máquina o alcança; para as outras, ponha TLS (tls.porta, tls.certificado, tls.chave) e host = "0.0.0.0" em
${configOf(flags) ?? win32.join(data, 'catp.toml')}, deixe a porta passar pelo firewall e reinicie: catp service stop${nameWords(flags.name)}; catp service start${nameWords(flags.name)}
Seu log: ${settings['log.arquivo'] || win32.join(data, SERVICE_LOG_FILE)}. Como está: catp service status${nameWords(flags.name)}`);
}

async function runUninstall({ name, print }: StepFlags): Promise<void> {
  const steps = windowsUninstallSteps(name, REAL_TIME);
  if (print === true) return show(steps);
  requireService(name);
  await follow(steps);
  printLine(`O serviço ${name} foi removido. A pasta de dados fica, e nela o direito que ele tinha.`);
}

async function runStart({ name }: NameFlags): Promise<void> {
  requireService(name);
  await startAndWait(name, REAL_TIME);
  printLine(`O serviço ${name} está em execução.`);
}

async function runStop({ name }: NameFlags): Promise<void> {
  requireService(name);
  await stopAndWait(name, REAL_TIME);
  printLine(`O serviço ${name} terminou.`);
}

function requireService(name: string): ManagedService {
  const service = serviceOf(name);
  if (service === undefined)
    throw new OperatorError(
      `Não há o serviço ${name}. Instale-o, como administrador, com catp service install.`,
    );
  return service;
}

const show = (steps: readonly WindowsStep[]): void =>
  printLine(steps.map(({ description }) => description).join('\n'));

async function follow(steps: readonly WindowsStep[]): Promise<void> {
  for (const { description, perform } of steps) {
    printLine(description);
    await perform();
  }
}

function runStatus({ name, json }: StatusFlags): void {
  const service = serviceOf(name);
  if (json === true) printLine(JSON.stringify({ name, ...(service ?? { state: null }) }, undefined, 2));
  else
    printLine(
      service === undefined
        ? `Não há o serviço ${name}. Instale-o com catp service install.`
        : statusText(name, service),
    );
  if (service?.state !== 'running') process.exitCode = 1;
}

const WORDS: Readonly<Record<ManagedService['state'], string>> = {
  running: 'em execução',
  starting: 'iniciando',
  stopping: 'terminando',
  stopped: 'parado',
  other: 'em outro estado',
};

const statusText = (
  name: string,
  { state, pid, exitCode, line, account, startsByItself }: ManagedService,
): string =>
  [
    `${name}: ${WORDS[state]}${state === 'stopped' && exitCode !== 0 ? ` (terminou com ${exitCode})` : ''}`,
    `início:     ${startsByItself ? 'com a máquina' : 'à mão'}`,
    `conta:      ${account}`,
    `executa:    ${line}`,
    ...(pid === null ? [] : [`processo:   ${pid}`]),
  ].join('\n');
