/** Another machine that follows (contract section 26): Litestream carries the log there, and tells when it is there. */
import type { Clock, RealTime } from '../../clock.ts';
import type { DataFolder } from '../../db/folder.ts';
import type { Logger } from '../../log/log.ts';
import { Replica } from '../../replica/replica.ts';
import { syncBy } from '../../replica/socket.ts';
import type { Settings } from '../../settings/config.ts';
import type { Feature } from '../feature.ts';

interface ReplicaGround {
  readonly folder: DataFolder;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly realTime: RealTime;
  readonly log: Logger;
}

/** `undefined`: nothing follows. */
export function openReplica({ folder, settings, clock, realTime, log }: ReplicaGround): Replica | undefined {
  const socket = settings['replica.socket'];
  if (socket === '') return undefined;
  const waitMs = settings['replica.espera'];
  return new Replica({
    ...{ mode: settings['replica.confirmar'], lack: settings['replica.falta'], waitMs, clock, realTime },
    sync: () => syncBy(socket, folder.database, waitMs),
    onLack: (reason) =>
      reason === undefined
        ? log.warning('A réplica está em dia outra vez.')
        : log.error('A réplica não recebe o que é gravado: {reason}', { reason }),
  });
}

export const replicaFeature = (replica: Replica | undefined): Feature => ({
  start: () => replica?.start(),
  stop: () => {
    replica?.stop();
    return Promise.resolve();
  },
});
