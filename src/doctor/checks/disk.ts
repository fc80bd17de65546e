import { fileSize } from '../../db/folder.ts';
import { bytesText } from '../../validation/text.ts';
import { error, ok, warning } from '../model.ts';
import type { Check } from '../diagnosis-target.ts';

const MIB = 1024 * 1024;
/** Free space below which some hours of writing may fill the disk. */
const LEAST_BYTES = 100 * MIB;
const WANTED_BYTES = 1024 * MIB;

/** Checks the free space for the log, the next backup and the restore that tests it. */
export const disk: Check = ({ folder, diskOf }) => {
  const { freeBytes } = diskOf(folder.path);
  const wanted = Math.max(WANTED_BYTES, 2 * fileSize(folder.database));
  if (freeBytes >= wanted) return ok(`O disco tem ${bytesText(freeBytes)} livres.`);
  const remedy =
    'Libere espaço, ou ponha as cópias em outro disco (backup.pasta) e mantenha menos delas (backup.manter).';
  const message = `O disco tem só ${bytesText(freeBytes)} livres; convêm ${bytesText(wanted)}.`;
  return freeBytes < LEAST_BYTES ? error(message, remedy) : warning(message, remedy);
};
