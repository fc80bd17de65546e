/** Whoever started the server and watches over it: systemd with `Type=notify` (contract section 16), the service manager of Windows, or nobody. */
import type { RealTime } from '../clock.ts';
import type { Logger } from '../log/log.ts';
import { reasonOf } from '../system/errors.ts';
import type { ServiceControl } from '../windows/service-control.ts';

export interface Supervisor {
  /** It listens, and says so; from now on the watchdog is told, as long as the main loop turns. */
  ready(status: string): void;
  /** Around a reading of the settings anew. */
  reloading(work: () => Promise<void>): Promise<void>;
  stopping(): void;
}

export interface SupervisorParts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly realTime: RealTime;
  readonly log: Logger;
  /** The service manager of Windows, where it started us. */
  readonly manager?: ServiceControl | undefined;
}

const NOBODY: Supervisor = {
  ready: () => undefined,
  reloading: (work) => work(),
  stopping: () => undefined,
};

/** More than an end takes. */
const STOP_HINT_MS = 10_000;

/** Twice within each interval after which systemd would take the server for hung, as sd_watchdog_enabled(3) advises. */
const PINGS_PER_INTERVAL = 2;
const MICROSECONDS_PER_MS = 1000;

export async function supervisorOf({
  environment,
  realTime,
  log,
  manager,
}: SupervisorParts): Promise<Supervisor> {
  if (manager !== undefined)
    return {
      ready: () => manager.tell('running'),
      reloading: (work) => work(),
      stopping: () => manager.tell('stopping', STOP_HINT_MS),
    };
  const address = environment['NOTIFY_SOCKET'];
  if (process.platform !== 'linux' || address === undefined || address === '') return NOBODY;
  const tell = await lineTo(address, log);
  let status = '';
  const pingMs = watchdogMs(environment) / PINGS_PER_INTERVAL;
  const watch = (): void => {
    realTime.after(pingMs, () => {
      tell('WATCHDOG=1');
      watch();
    });
  };
  return {
    ready: (text) => {
      status = text;
      tell(`READY=1\nSTATUS=${text}`);
      if (pingMs > 0) watch();
    },
    reloading: async (work) => {
      tell(`RELOADING=1\nSTATUS=lendo outra vez os arquivos de tls.*`);
      try {
        await work();
      } finally {
        tell(`READY=1\nSTATUS=${status}`);
      }
    },
    // Pinged on until the end: what is left to do has its own deadline.
    stopping: () => tell('STOPPING=1\nSTATUS=terminando o que foi aceito'),
  };
}

/** `0`: no watchdog, or one for another process. */
function watchdogMs({ WATCHDOG_USEC, WATCHDOG_PID }: SupervisorParts['environment']): number {
  const isOurs = WATCHDOG_PID === undefined || WATCHDOG_PID === String(process.pid);
  const microseconds = isOurs ? Number(WATCHDOG_USEC ?? 0) : 0;
  return Number.isFinite(microseconds) && microseconds > 0 ? microseconds / MICROSECONDS_PER_MS : 0;
}

/** A server that cannot tell serves all the same; systemd will say that it heard nothing. */
async function lineTo(address: string, log: Logger): Promise<(state: string) => void> {
  try {
    const { lineToSystemd } = await import('./notify.ts');
    const tell = lineToSystemd(address);
    return (state) => {
      if (!tell(state)) log.debug('O systemd não recebeu {state}.', { state });
    };
  } catch (error) {
    log.warning('Não é possível avisar o systemd em NOTIFY_SOCKET ({reason}).', { reason: reasonOf(error) });
    return () => undefined;
  }
}
