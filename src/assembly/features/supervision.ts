/** Supervision: the state of the instance for administrators. */
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import { lateFaultOf } from '../../http/kept-alive.ts';
import { type BackupOperations, Supervision } from '../../supervision/service.ts';

export function openSupervision(appContext: AppContext, backups: BackupOperations): Feature {
  const { settings, folder, clock, reads, diskOf, realTime, log } = appContext;
  const supervision = new Supervision({ settings, folder, clock, reads, diskOf, backups });
  return {
    lateOperations: ({ supervisionRoutes }) =>
      supervisionRoutes({ supervision, realTime, onLateFault: lateFaultOf(log) }),
  };
}
