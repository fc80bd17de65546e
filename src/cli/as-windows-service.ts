/**
 * `catp serve` under the service manager of Windows, which has no visible terminal and its own stop request.
 */
import { join, resolve } from 'node:path';
import { MINUTE_MS } from '../clock.ts';
import { LogFile } from '../log/log-file.ts';
import { jsonLinesTo, startLog } from '../log/log.ts';
import { SETTINGS } from '../settings/settings.ts';
import type { ServiceControl } from '../windows/service-control.ts';
import { errorText } from './failure.ts';
import type { FolderFlags } from './options.ts';

/** The log file in the data folder, unless `log.arquivo` names another. */
export const SERVICE_LOG_FILE = 'catp.log';

/** The longest expected start, one that upgrades the schema: first the backup, then the migration. */
const START_HINT_MS = 30 * MINUTE_MS;

export interface ServiceFlags extends FolderFlags {
  readonly windowsService: string;
}

/** Returns the default settings of a service. */
export const serviceDefaults = (data: string) => ({ 'log.arquivo': join(resolve(data), SERVICE_LOG_FILE) });

/** Registers with the manager, then does `work`. A failure is reported to the manager and logged. */
export async function asWindowsService(
  { windowsService, data }: ServiceFlags,
  work: (control: ServiceControl) => Promise<void>,
): Promise<void> {
  const { answerServiceManager } = await import('../windows/service-control.ts');
  const control = await answerServiceManager(windowsService);
  control.report('starting', START_HINT_MS);
  // Runs for every kind of end: normal, refused, failed, or after the deadline.
  process.on('exit', (code) => control.report('stopped', 0, code));
  try {
    await work(control);
  } catch (error) {
    const file = new LogFile(
      serviceDefaults(data)['log.arquivo'],
      Number(SETTINGS['log.tamanho'].default),
      Number(SETTINGS['log.manter'].default),
    );
    startLog('error', jsonLinesTo(file)).error('O servidor não iniciou: {reason}', {
      reason: errorText(error),
    });
    throw error;
  }
}
