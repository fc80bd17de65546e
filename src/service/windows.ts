/** The Windows service: its installation steps, and its state (contract section 23). */
import { mkdirSync } from 'node:fs';
import { MINUTE_MS, type RealTime, SECOND_MS } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import { restrictTo, allowRead } from '../windows/access.ts';
import { windowsLine } from '../windows/command-line.ts';
import { REFUSALS, RefusedByWindows } from '../windows/service-calls.ts';
import {
  type ManagedService,
  putService,
  removeService,
  serviceOf,
  startService,
  stopService,
} from '../windows/service-manager.ts';
import { virtualAccount, virtualAccountSid } from '../windows/virtual-account.ts';

export interface WindowsInstallation {
  readonly name: string;
  /** All paths are absolute. */
  readonly executable: string;
  readonly data: string;
  /** Absent: the file in the data folder. */
  readonly config?: string | undefined;
  /** Missing folders outside the data folder that it writes to, created for this service only. */
  readonly missing: readonly string[];
}

export interface WindowsStep {
  /** Text for people. */
  readonly description: string;
  readonly perform: () => Promise<void> | void;
}

/** Short delays first, then longer ones: a port in use or a disk missing at boot becomes available. */
const RESTARTS_MS = [SECOND_MS, 10 * SECOND_MS, MINUTE_MS];
const FAULTS_FORGOTTEN_SECONDS = 86_400;
/** The privilege to traverse folders; the service drops all other default privileges. */
const PRIVILEGES = ['SeChangeNotifyPrivilege'];

const serviceLine = ({ name, executable, data, config }: WindowsInstallation): string =>
  windowsLine([
    ...[executable, 'serve', '--data', data, ...(config === undefined ? [] : ['--config', config])],
    ...['--windows-service', name],
  ]);

/** Returns the installation steps. An existing service is updated and restarted. */
export function windowsInstallSteps(wanted: WindowsInstallation, realTime: RealTime): readonly WindowsStep[] {
  const { name, data, config, missing } = wanted;
  const [account, sid] = [virtualAccount(name), virtualAccountSid(name)];
  const line = serviceLine(wanted);
  return [
    ...[data, ...missing].map((path) => ({
      description: `dá ${path} só a ${account}, ao sistema e aos administradores`,
      perform: () => {
        mkdirSync(path, { recursive: true });
        restrictTo(path, [sid]);
      },
    })),
    ...(config === undefined
      ? []
      : [{ description: `deixa ${account} ler ${config}`, perform: () => allowRead(config, [sid]) }]),
    { description: `para o serviço ${name}, se existe`, perform: () => stopIfThere(name, realTime) },
    {
      description: `faz o serviço ${name}, que inicia com a máquina e depois de uma falha, com a conta ${account}: ${line}`,
      perform: () =>
        putService({
          name,
          line,
          account,
          privileges: PRIVILEGES,
          title: name === 'catp' ? 'catp: Catálogo de Produtos' : `catp: Catálogo de Produtos (${name})`,
          about: 'Catálogo de Produtos do Portal Único Siscomex',
          restartsMs: RESTARTS_MS,
          forgottenSeconds: FAULTS_FORGOTTEN_SECONDS,
        }),
    },
    { description: `inicia o serviço ${name}`, perform: () => startAndWait(name, realTime) },
  ];
}

export const windowsUninstallSteps = (name: string, realTime: RealTime): readonly WindowsStep[] => [
  { description: `para o serviço ${name}`, perform: () => stopIfThere(name, realTime) },
  { description: `retira o serviço ${name}`, perform: () => removeService(name) },
];

const stopIfThere = async (name: string, realTime: RealTime): Promise<void> => {
  if (serviceOf(name) !== undefined) await stopAndWait(name, realTime);
};

/** Time limit of a stop: the deadline of the server plus a margin for a busy machine. */
const STOPPED_WITHIN_MS = 15 * SECOND_MS;
/** Time limit of a start. A new schema needs a backup and a migration. */
const STARTED_WITHIN_MS = 30 * MINUTE_MS;
const LOOK_EVERY_MS = 100;

/** Resolves when the service runs. Throws when it stopped instead. */
export async function startAndWait(name: string, realTime: RealTime): Promise<void> {
  startService(name);
  const state = await settled(name, STARTED_WITHIN_MS, 'starting', realTime);
  if (state?.state !== 'running')
    throw new OperatorError(
      `O serviço ${name} terminou ao iniciar${state === undefined ? '' : ` (código ${state.exitCode})`}. O que ele disse está em seu log: catp.log na pasta de dados, ou log.arquivo.`,
    );
}

export async function stopAndWait(name: string, realTime: RealTime): Promise<void> {
  stopService(name);
  const state = await settled(name, STOPPED_WITHIN_MS, 'stopping', realTime);
  if (state !== undefined && state.state !== 'stopped')
    throw new OperatorError(`O serviço ${name} não terminou em ${STOPPED_WITHIN_MS / SECOND_MS} s.`);
}

/** Returns the service once it has left its transition, or its current state after `ms`. */
async function settled(
  name: string,
  ms: number,
  onTheWay: ManagedService['state'],
  realTime: RealTime,
): Promise<ManagedService | undefined> {
  const until = realTime.now() + ms;
  for (;;) {
    const service = serviceOf(name);
    const isOnTheWay =
      service?.state === onTheWay || (onTheWay === 'stopping' && service?.state === 'running');
    if (!isOnTheWay || realTime.now() > until) return service;
    await new Promise<void>((resolve) => void realTime.after(LOOK_EVERY_MS, resolve));
  }
}

const REASONS: Readonly<Record<number, string>> = {
  [REFUSALS.denied]:
    'Um serviço é instalado, iniciado e parado por quem administra a máquina. Abra o PowerShell como administrador.',
  [REFUSALS.missing]: 'Não há um serviço com esse nome. Instale-o com catp service install.',
  [REFUSALS.goingAway]: 'O serviço está sendo retirado. Feche services.msc e espere que ele termine.',
};

/** Runs `work` and converts a Windows refusal to an operator error. */
export async function withWindowsError<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RefusedByWindows)) throw error;
    throw new OperatorError(
      REASONS[error.code] ??
        `O gerenciador de serviços do Windows recusou (código ${error.code}; net helpmsg ${error.code} diz o que é).`,
      { cause: error },
    );
  }
}
