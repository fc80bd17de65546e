/** `catp serve` where the service manager of Windows has started it: nobody sees its terminal, and stopping is asked of it otherwise. */
import { join, resolve } from 'node:path';
import { MINUTE_MS } from '../clock.ts';
import { LogFile } from '../log/log-file.ts';
import { jsonLinesTo, startLog } from '../log/log.ts';
import { SETTINGS } from '../settings/settings.ts';
import type { ServiceControl } from '../windows/service-control.ts';
import { told } from './ending.ts';
import type { FolderFlags } from './options.ts';

/** In the data folder, where `log.arquivo` names no other. */
export const SERVICE_LOG_FILE = 'catp.log';

/** A new schema: first the backup, then the migration. */
const START_HINT_MS = 30 * MINUTE_MS;

export interface ServiceFlags extends FolderFlags {
  readonly windowsService: string;
}

/** What it takes where nothing else is said. */
export const serviceDefaults = (data: string) => ({ 'log.arquivo': join(resolve(data), SERVICE_LOG_FILE) });

/** Greets the manager, then does `work`; what ends it is told to the manager and stands in the log. */
export async function asWindowsService(
  { windowsService, data }: ServiceFlags,
  work: (control: ServiceControl) => Promise<void>,
): Promise<void> {
  const { answerServiceManager } = await import('../windows/service-control.ts');
  const control = await answerServiceManager(windowsService);
  control.tell('starting', START_HINT_MS);
  // However it ends: by itself, refused, fallen, or cut after its time.
  process.on('exit', (code) => control.tell('stopped', 0, code));
  try {
    await work(control);
  } catch (error) {
    const file = new LogFile({
      path: serviceDefaults(data)['log.arquivo'],
      maxBytes: Number(SETTINGS['log.tamanho'].default),
      kept: Number(SETTINGS['log.manter'].default),
    });
    startLog('error', jsonLinesTo(file)).error('O servidor não iniciou: {reason}', { reason: told(error) });
    throw error;
  }
}
