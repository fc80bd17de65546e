/** The server as a service of Windows: what is made for it, step by step, and what it is afterwards (contract section 23). */
import { mkdirSync } from 'node:fs';
import { MINUTE_MS, type RealTime, SECOND_MS } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import { giveTo, letRead } from '../windows/access.ts';
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
  /** Absolute, all of them. */
  readonly executable: string;
  readonly data: string;
  /** Absent: the one in the data folder. */
  readonly config?: string | undefined;
  /** Folders outside the data folder that it writes to and that are not there: made, for this service alone. */
  readonly missing: readonly string[];
}

export interface WindowsStep {
  /** As a person would read it. */
  readonly told: string;
  readonly perform: () => Promise<void> | void;
}

/** Soon, then later: a port that is taken or a disk that is missing at the start of the machine comes back. */
const RESTARTS_MS = [SECOND_MS, 10 * SECOND_MS, MINUTE_MS];
const FAULTS_FORGOTTEN_SECONDS = 86_400;
/** The one that walking through folders takes; all others that services have are given away. */
const PRIVILEGES = ['SeChangeNotifyPrivilege'];

const serviceLine = ({ name, executable, data, config }: WindowsInstallation): string =>
  windowsLine([
    ...[executable, 'serve', '--data', data, ...(config === undefined ? [] : ['--config', config])],
    ...['--windows-service', name],
  ]);

/** Also for a service that is there already: it is brought up to date and started anew. */
export function windowsInstallSteps(wanted: WindowsInstallation, realTime: RealTime): readonly WindowsStep[] {
  const { name, data, config, missing } = wanted;
  const [account, sid] = [virtualAccount(name), virtualAccountSid(name)];
  const line = serviceLine(wanted);
  return [
    ...[data, ...missing].map((path) => ({
      told: `dá ${path} só a ${account}, ao sistema e aos administradores`,
      perform: () => {
        mkdirSync(path, { recursive: true });
        giveTo(path, [sid]);
      },
    })),
    ...(config === undefined
      ? []
      : [{ told: `deixa ${account} ler ${config}`, perform: () => letRead(config, [sid]) }]),
    { told: `para o serviço ${name}, se existe`, perform: () => stopIfThere(name, realTime) },
    {
      told: `faz o serviço ${name}, que inicia com a máquina e depois de uma falha, com a conta ${account}: ${line}`,
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
    { told: `inicia o serviço ${name}`, perform: () => startAndWait(name, realTime) },
  ];
}

export const windowsUninstallSteps = (name: string, realTime: RealTime): readonly WindowsStep[] => [
  { told: `para o serviço ${name}`, perform: () => stopIfThere(name, realTime) },
  { told: `retira o serviço ${name}`, perform: () => removeService(name) },
];

const stopIfThere = async (name: string, realTime: RealTime): Promise<void> => {
  if (serviceOf(name) !== undefined) await stopAndWait(name, realTime);
};

/** What an end may take: the server's own deadline, and some for a machine that is busy. */
const STOPPED_WITHIN_MS = 15 * SECOND_MS;
/** A new schema: first the backup, then the migration. */
const STARTED_WITHIN_MS = 30 * MINUTE_MS;
const LOOK_EVERY_MS = 100;

/** Resolves when it serves. Throws when it ended instead. */
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

/** The service as soon as it is no longer on the way; after `ms` as it then is. */
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

/** Does `work`; what Windows refuses is told to the operator. */
export async function toldByWindows<T>(work: () => Promise<T> | T): Promise<T> {
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
