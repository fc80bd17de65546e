/**
 * The supervisor that started the server: systemd with `Type=notify` (contract section 16), the Windows
 * service manager, or none.
 */
import type { RealTime } from '../clock.ts';
import type { Logger } from '../log/log.ts';
import { reasonOf } from '../system/errors.ts';
import type { ServiceControl } from '../windows/service-control.ts';

export interface Supervisor {
  /** Reports that the server listens. From now on the watchdog is pinged while the main loop runs. */
  ready(status: string): void;
  /** Wraps a reload of the settings. */
  reloading(work: () => Promise<void>): Promise<void>;
  stopping(): void;
}

export interface SupervisorParts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly realTime: RealTime;
  readonly log: Logger;
  /** The Windows service manager, if it started this process. */
  readonly manager?: ServiceControl | undefined;
}

const NOBODY: Supervisor = {
  ready: () => undefined,
  reloading: (work) => work(),
  stopping: () => undefined,
};

/** Longer than a shutdown takes. */
const STOP_HINT_MS = 10_000;

/** Two pings per watchdog interval, as sd_watchdog_enabled(3) advises. */
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
      ready: () => manager.report('running'),
      reloading: (work) => work(),
      stopping: () => manager.report('stopping', STOP_HINT_MS),
    };
  const address = environment['NOTIFY_SOCKET'];
  if (process.platform !== 'linux' || address === undefined || address === '') return NOBODY;
  const sendState = await lineTo(address, log);
  let status = '';
  const pingMs = watchdogMs(environment) / PINGS_PER_INTERVAL;
  const watch = (): void => {
    realTime.after(pingMs, () => {
      sendState('WATCHDOG=1');
      watch();
    });
  };
  return {
    ready: (text) => {
      status = text;
      sendState(`READY=1\nSTATUS=${text}`);
      if (pingMs > 0) watch();
    },
    reloading: async (work) => {
      sendState(`RELOADING=1\nSTATUS=lendo outra vez os arquivos de tls.*`);
      try {
        await work();
      } finally {
        sendState(`READY=1\nSTATUS=${status}`);
      }
    },
    // Pings continue until the end: the remaining work has its own deadline.
    stopping: () => sendState('STOPPING=1\nSTATUS=terminando o que foi aceito'),
  };
}

/** Returns `0` without a watchdog, or for one of another process. */
function watchdogMs({ WATCHDOG_USEC, WATCHDOG_PID }: SupervisorParts['environment']): number {
  const isOurs = WATCHDOG_PID === undefined || WATCHDOG_PID === String(process.pid);
  const microseconds = isOurs ? Number(WATCHDOG_USEC ?? 0) : 0;
  return Number.isFinite(microseconds) && microseconds > 0 ? microseconds / MICROSECONDS_PER_MS : 0;
}

/**
 * Opens the socket to systemd. On failure the server still runs; systemd then reports a missing notification.
 */
async function lineTo(address: string, log: Logger): Promise<(state: string) => void> {
  try {
    const { lineToSystemd } = await import('./notify.ts');
    const sendState = lineToSystemd(address);
    return (state) => {
      if (!sendState(state)) log.debug('O systemd não recebeu {state}.', { state });
    };
  } catch (error) {
    log.warning('Não é possível avisar o systemd em NOTIFY_SOCKET ({reason}).', { reason: reasonOf(error) });
    return () => undefined;
  }
}
