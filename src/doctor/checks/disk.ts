import { fileSize } from '../../db/folder.ts';
import { error, ok, warning } from '../model.ts';
import type { Check } from '../patient.ts';

const MIB = 1024 * 1024;
/** Below it the next hours of writing may fill it. */
const LEAST_BYTES = 100 * MIB;
const WANTED_BYTES = 1024 * MIB;

const shown = (bytes: number): string => `${Math.floor(bytes / MIB).toLocaleString('pt-BR')} MiB`;

/** Room for the log, for the next backup, and for the restore that tries it. */
export const disk: Check = ({ folder, diskOf }) => {
  const { freeBytes } = diskOf(folder.path);
  const wanted = Math.max(WANTED_BYTES, 2 * fileSize(folder.database));
  if (freeBytes >= wanted) return ok(`O disco tem ${shown(freeBytes)} livres.`);
  const remedy =
    'Libere espaço, ou ponha as cópias em outro disco (backup.pasta) e mantenha menos delas (backup.manter).';
  const message = `O disco tem só ${shown(freeBytes)} livres; convêm ${shown(wanted)}.`;
  return freeBytes < LEAST_BYTES ? error(message, remedy) : warning(message, remedy);
};
