/** Whether the process lives, whether it takes what is sent, and what it counts. */
import { type BackupState, backupNotices } from '../../backup/model.ts';
import { SECOND_MS, waited } from '../../clock.ts';
import { TROUBLE_NOTICES } from '../../db/trouble.ts';
import type { Feature } from '../feature.ts';
import type { Ground } from '../ground.ts';
import { reasonOf } from '../../system/errors.ts';
import { VERSION } from '../../version.ts';
import { type Readiness, healthRoutes } from '../../health/routes.ts';

/** One write tells of so long. */
const TRIED_FOR_MS = SECOND_MS;

export function openHealth(
  { writer, trail, settings, metrics, realTime }: Ground,
  tableInForce: () => { readonly versao: string } | undefined,
  backups: { readonly state: () => BackupState },
): Feature {
  let triedAt = Number.NEGATIVE_INFINITY;
  let refusal: string | undefined;
  /** What is ready has just written; many who ask share one write. Whoever has the database for himself is waited for a little. */
  const tryWrite = async (): Promise<void> => {
    if (realTime.now() - triedAt < TRIED_FOR_MS) return;
    triedAt = realTime.now();
    const trying = writer.touch().then(
      () => (refusal = undefined),
      // A trouble that the writer knows of is over when the writer says so.
      (error: unknown) => (refusal = writer.trouble === undefined ? reasonOf(error) : undefined),
    );
    await waited(
      realTime,
      TRIED_FOR_MS,
      trying.then(() => undefined),
    );
  };
  const readiness = async (): Promise<Readiness> => {
    await tryWrite();
    const trouble = writer.trouble === undefined ? refusal : TROUBLE_NOTICES[writer.trouble];
    const table = tableInForce();
    const backup = backups.state();
    return {
      ready: trouble === undefined,
      version: VERSION,
      ambiente: settings.ambiente,
      perfil: settings.perfil,
      attributeTable: table === undefined ? null : { versao: table.versao },
      notices: [
        ...(trouble === undefined ? [] : [trouble]),
        ...(table === undefined
          ? ['Nenhuma tabela de atributos em vigor: os atributos dos produtos não são conferidos.']
          : []),
        ...(trail.fault === undefined
          ? []
          : [
              `A trilha de auditoria não está inteira. ${trail.fault.message} Confira com catp audit verify.`,
            ]),
        ...backupNotices(backup),
      ],
      backup,
    };
  };
  // A command counts nothing, and nobody asks it.
  return { operations: () => (metrics === undefined ? [] : healthRoutes(metrics, readiness)) };
}
