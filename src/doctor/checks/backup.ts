import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { backupFolder } from '../../backup/files.ts';
import { lastPath, stateOf } from '../../backup/marks.ts';
import { DAY_MS } from '../../clock.ts';
import { FolderMarks } from '../../db/folder-mark.ts';
import { refusalOfFolder } from '../../db/needed-folders.ts';
import { error, notice, ok, warning } from '../model.ts';
import { onOwnDatabase } from '../diagnosis-target.ts';
import { momentText } from '../../validation/calendar.ts';
import { quoted } from '../../system/shell.ts';

/** Contract section 16: “none, or older than two days”. */
const OLD_DAYS = 2;

const isOld = (at: number, now: number): boolean => now - at > OLD_DAYS * DAY_MS;

export const backup = onOwnDatabase((db, { clock, folder, settings, state }) => {
  const to = backupFolder(folder.path, settings['backup.pasta']);
  const refusal = refusalOfFolder(to);
  if (refusal !== undefined)
    return error(
      `Nenhuma cópia de segurança pode ser gravada em ${to} (${refusal}).`,
      'Corrija a pasta ou o que ela permite ao usuário do servidor, ou indique outra em backup.pasta.',
    );
  const marks = new FolderMarks(db);
  const { last } = stateOf(marks);
  const remedy = `Faça uma com catp backup --data ${quoted(folder.path)}, e confira backup.horario e o log do servidor.`;
  if (last === null)
    return state.isMadeByDev
      ? notice(
          'Nenhuma cópia de segurança foi feita: catp dev só as faz quando se pede.',
          `Se quiser uma, catp backup --data ${quoted(folder.path)}.`,
        )
      : warning('Nenhuma cópia de segurança foi feita.', remedy);
  const when = momentText(last.at);
  if (![join(to, last.file), lastPath(marks)].some((path) => path !== undefined && existsSync(path)))
    return warning(`A última cópia de segurança, de ${when}, não está mais em ${to} (${last.file}).`, remedy);
  return isOld(last.at, clock.now())
    ? warning(`A última cópia de segurança é de ${when}: mais de ${OLD_DAYS} dias.`, remedy)
    : ok(`A última cópia de segurança é de ${when} (${last.file}).`);
});

export const drill = onOwnDatabase((db, { clock, folder, state }) => {
  const { drill: last, last: copy } = stateOf(new FolderMarks(db));
  const again = `catp job run teste-de-restauracao --data ${quoted(folder.path)}`;
  if (copy === null && state.isMadeByDev)
    return notice(
      'Não há cópia de segurança para testar: catp dev só as faz quando se pede.',
      `Se quiser uma, catp backup --data ${quoted(folder.path)}.`,
    );
  if (last === null)
    return warning('Nenhuma cópia de segurança foi testada por uma restauração.', `Teste-a com ${again}.`);
  const when = momentText(last.at);
  if (!last.ok)
    return error(
      `O teste de restauração de ${when} falhou: ${last.message ?? last.file}`,
      `Faça outra cópia com catp backup --data ${quoted(folder.path)} e teste-a com ${again}.`,
    );
  return isOld(last.at, clock.now())
    ? warning(
        `O último teste de restauração é de ${when}: mais de ${OLD_DAYS} dias.`,
        `Teste de novo com ${again}.`,
      )
    : ok(`A cópia ${last.file} foi restaurada inteira em ${when}.`);
});
