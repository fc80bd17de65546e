/** Whether the process lives, whether it takes what is sent, and what it counts. */
import { type BackupState, backupNotices } from '../backup/model.ts';
import { TROUBLE_NOTICES } from '../db/trouble.ts';
import type { Feature } from '../feature.ts';
import type { Ground } from '../ground.ts';
import { VERSION } from '../version.ts';
import { type Readiness, healthRoutes } from './routes.ts';

export function openHealth(
  { writer, settings, metrics }: Ground,
  tableInForce: () => { readonly versao: string } | undefined,
  backups: { readonly state: () => BackupState },
): Feature {
  const readiness = (): Readiness => {
    const table = tableInForce();
    const backup = backups.state();
    return {
      ready: writer.trouble === undefined,
      version: VERSION,
      ambiente: settings.ambiente,
      perfil: settings.perfil,
      attributeTable: table === undefined ? null : { versao: table.versao },
      notices: [
        ...(writer.trouble === undefined ? [] : [TROUBLE_NOTICES[writer.trouble]]),
        ...(table === undefined
          ? ['Nenhuma tabela de atributos em vigor: os atributos dos produtos não são conferidos.']
          : []),
        ...backupNotices(backup),
      ],
      backup,
    };
  };
  // A command counts nothing, and nobody asks it.
  return { operations: () => (metrics === undefined ? [] : healthRoutes(metrics, readiness)) };
}
