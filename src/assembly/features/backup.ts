/** Backups, and the drills that prove them usable (contract section 16). */
import type { EpochMs } from '../../clock.ts';
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import { COMMAND_LINE, SYSTEM } from '../../session/model.ts';
import { momentText } from '../../validation/calendar.ts';
import { refusalToMake } from '../../backup/files.ts';
import { Backups } from '../../backup/service.ts';

export function openBackup({
  folder,
  db,
  writer,
  clock,
  settings,
  log,
}: AppContext): Feature & { readonly backups: Backups } {
  const backups = new Backups({
    folder,
    db,
    writer,
    clock,
    system: SYSTEM,
    place: settings['backup.pasta'],
    kept: settings['backup.manter'],
    time: settings['backup.horario'],
  });
  return {
    backups,
    jobs: [
      {
        name: 'backup',
        about: 'Faz a cópia de segurança do dia, e apaga as que passam de backup.manter.',
        pattern: backups.patterns.backup,
        atStart: () => backups.isOverdue,
        runOnce: () => backups.runOnce().then(withMomentText),
      },
      {
        name: 'teste-de-restauracao',
        about: 'Restaura a cópia de segurança mais nova em uma pasta temporária, e confere o que restaurou.',
        pattern: backups.patterns.drill,
        atStart: () => backups.isDrillOverdue,
        runOnce: () => backups.drill().then(withMomentText),
      },
    ],
    prepare: () => {
      const refusal = refusalToMake(backups.folder);
      if (refusal !== undefined)
        log.warning(
          'Nenhuma cópia de segurança pode ser gravada em {folder} ({refusal}). Corrija a pasta ou o que ela permite a este usuário, ou indique outra em backup.pasta.',
          { folder: backups.folder, refusal },
        );
      return backups.recordOpening(COMMAND_LINE);
    },
    close: () => backups.stop(),
  };
}

/** Returns the form for people, in the log and in `catp job run`. */
const withMomentText = <R extends { readonly at: EpochMs }>(result: R) => ({
  ...result,
  at: momentText(result.at),
});
