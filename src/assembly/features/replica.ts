/**
 * Replica on another machine (contract section 26). Litestream copies the write-ahead log and confirms when the
 * copy holds all commits.
 */
import type { Clock, RealTime } from '../../clock.ts';
import { type DataFolder, withUsableFolder } from '../../db/folder.ts';
import type { Db } from '../../db/open.ts';
import type { Replication } from '../../db/replication.ts';
import { OperatorError } from '../../errors.ts';
import type { Logger } from '../../log/log.ts';
import { Epochs, storeReport, storedReportIn } from '../../replica/epoch.ts';
import { Partner, askEpoch } from '../../replica/partner.ts';
import { Replica } from '../../replica/replica.ts';
import { syncBy } from '../../replica/socket.ts';
import type { Settings } from '../../settings/config.ts';
import { reasonOf } from '../../system/errors.ts';
import type { Feature } from '../feature.ts';

interface ReplicaContext {
  readonly folder: DataFolder;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly realTime: RealTime;
  readonly log: Logger;
}

/** Opens the replica. `undefined`: no replica is configured. */
export function openReplica({ folder, settings, clock, realTime, log }: ReplicaContext): Replica | undefined {
  const socket = settings['replica.socket'];
  if (socket === '') return undefined;
  const waitMs = settings['replica.espera'];
  return new Replica({
    mode: settings['replica.confirmar'],
    lack: settings['replica.falta'],
    waitMs,
    clock,
    realTime,
    sync: () => syncBy({ socketPath: socket, database: folder.database, waitMs, time: realTime }),
    onLack: (reason) =>
      reason === undefined
        ? log.warning('A réplica está em dia outra vez.')
        : log.error('A réplica não recebe o que é gravado: {reason}', { reason }),
  });
}

/** Opens the partner: the other machine, which may have taken over. `undefined`: no partner is configured. */
export function openPartner(
  { folder, settings, realTime, log }: ReplicaContext,
  db: Db,
): Partner | undefined {
  const address = settings['replica.par'];
  if (address === '') return undefined;
  const epochs = new Epochs(db);
  return new Partner({
    pollOnce: () => askEpoch(address, realTime),
    ownEpoch: () => epochs.current,
    realTime,
    storedReport: withUsableFolder(folder.path, () => storedReportIn(folder.path)),
    onSuperseded: (reason) => log.error('{reason} Daqui em diante só consultas são atendidas.', { reason }),
    storeReport: (report) => {
      try {
        storeReport(folder.path, report);
      } catch (error) {
        log.error('Isso não pôde ser guardado para o próximo início ({reason}): não inicie esta instância.', {
          reason: reasonOf(error),
        });
      }
    },
    onSilence: (reason) =>
      reason === undefined
        ? log.warning('A outra máquina ({address}) responde outra vez.', { address })
        : log.warning(
            'A outra máquina ({address}) não diz em que época está ({reason}): ninguém sabe daqui se ela tomou o lugar desta.',
            { address, reason },
          ),
  });
}

/** Combines replica and partner: a write is refused if either refuses it, and waits for the replica to confirm it. */
export const fenceOf = (
  replica: Replica | undefined,
  partner: Partner | undefined,
): Replication & Pick<Replica, 'caughtUp'> => ({
  get refusal() {
    return partner?.refusal ?? replica?.refusal;
  },
  committed: () => replica?.committed(),
  caughtUp: () => partner?.untilStopped?.then(() => false) ?? replica?.caughtUp(),
});

export const replicaFeature = (replica: Replica | undefined, partner: Partner | undefined): Feature => ({
  prepare: async () => {
    const reason = await partner?.checkBeforeStart();
    if (reason !== undefined) throw new OperatorError(reason);
  },
  start: () => {
    replica?.start();
    partner?.start();
  },
  stop: () => {
    replica?.stop();
    partner?.stop();
    return Promise.resolve();
  },
});
