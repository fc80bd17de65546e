import { REAL_TIME } from '../../clock.ts';
import { syncBy } from '../../replica/socket.ts';
import type { DiagnosisTarget } from '../diagnosis-target.ts';
import { type Verdict, error, ok, warning } from '../model.ts';

/**
 * Checks that the replica holds everything on this disk (contract section 26). Without a replica there is
 * no finding.
 */
export async function replica({ folder, settings }: DiagnosisTarget): Promise<Verdict | undefined> {
  const socket = settings['replica.socket'];
  if (socket === '') return undefined;
  const synced = await syncBy({
    socketPath: socket,
    database: folder.database,
    waitMs: settings['replica.espera'],
    time: REAL_TIME,
  });
  if (synced.ok) return ok(`A réplica tem tudo o que está neste disco (${socket}).`);
  const remedy = `Verifique se o Litestream está em execução, com socket.path: ${socket}, e se alcança o destino da réplica.`;
  const message = `A réplica não recebe o que é gravado: ${synced.message}.`;
  return settings['replica.confirmar'] === 'sempre' ? error(message, remedy) : warning(message, remedy);
}
