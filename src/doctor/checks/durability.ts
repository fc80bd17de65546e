import { error, ok, warning } from '../model.ts';
import type { Check } from '../patient.ts';

/** A 200 is on stable storage: the database keeps a write-ahead log, on a disk that outlives a power cut. */
export const durability: Check = ({ db, folder, diskOf }) => {
  if (diskOf(folder.path).isVolatile)
    return error(
      `A pasta ${folder.path} está em memória (tmpfs): um reinício da máquina perde tudo.`,
      'Mova a pasta, com o servidor parado, para um disco, e indique-a com --data.',
    );
  if ('message' in db) return undefined;
  const journal = String(db.pragma('journal_mode', { simple: true }));
  return journal === 'wal'
    ? ok('Toda gravação está no disco antes da resposta (WAL, synchronous=FULL).')
    : warning(
        `O banco de dados foi posto por outro programa no modo ${journal}, e não WAL.`,
        'O próximo início do catp volta ao WAL. Não abra o banco com outros programas.',
      );
};
