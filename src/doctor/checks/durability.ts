import { error, notice, ok, warning } from '../model.ts';
import { openForWriting, storagePragmas, tryWrite } from '../../db/open.ts';
import { isLocked } from '../../db/trouble.ts';
import { reasonOf, systemCode } from '../../system/errors.ts';
import { type Check, writesElsewhere } from '../diagnosis-target.ts';

/**
 * Tries a write and rolls it back. It leaves nothing behind, with or without a server, and waits for a
 * server that writes. Returns the reason of a refusal.
 */
function refusalToWrite(file: string): string | undefined {
  try {
    using db = openForWriting(file);
    db.exec('BEGIN IMMEDIATE');
    tryWrite(db);
    db.exec('ROLLBACK');
    return undefined;
  } catch (problem) {
    if (systemCode(problem) === undefined) throw problem;
    return isLocked(problem) ? undefined : reasonOf(problem);
  }
}

/**
 * Checks that a 200 is on stable storage: the database has a write-ahead log, on a disk that survives a
 * power failure.
 */
export const durability: Check = ({ db, folder, diskOf, state }) => {
  if (diskOf(folder.path).isVolatile)
    return error(
      `A pasta ${folder.path} está em memória (tmpfs): um reinício da máquina perde tudo.`,
      'Mova a pasta, com o servidor parado, para um disco, e indique-a com --data.',
    );
  if ('message' in db) return undefined;
  if (writesElsewhere({ state }))
    return notice(
      'Não se sabe daqui: é outra máquina que grava nesta pasta, e nada é tentado nela.',
      'Rode catp doctor na máquina que grava.',
    );
  const journal = String(db.pragma('journal_mode', { simple: true }));
  if (journal !== 'wal')
    return warning(
      `O banco de dados foi posto por outro programa no modo ${journal}, e não WAL.`,
      'O próximo início do catp volta ao WAL. Não abra o banco com outros programas.',
    );
  const refusal = refusalToWrite(folder.database);
  if (refusal !== undefined)
    return error(
      `O banco de dados não aceita gravações (${refusal}).`,
      `Verifique o disco, e as permissões de ${folder.database} e dos arquivos -wal e -shm ao lado: são do usuário que roda o servidor.`,
    );
  const means = ['WAL', 'synchronous=FULL', ...storagePragmas(process.platform)].join(', ');
  return ok(`Toda gravação está no disco antes da resposta (${means}).`);
};
