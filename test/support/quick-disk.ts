/**
 * Folders for servers in process. A test that cuts no power needs no disk: in memory a start takes half the
 * time, because nothing waits for `fsync`.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Disk, diskOf } from '../../src/system/disk.ts';

const MEMORY = '/dev/shm';
/** Free space below which the memory is not used, because parallel tests could fill it. */
const LEAST_FREE_BYTES = 4 * 2 ** 30;

const place = ((): string => {
  try {
    const { isVolatile, freeBytes } = diskOf(MEMORY);
    return isVolatile && freeBytes > LEAST_FREE_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir(); // only Linux has that folder
  }
})();

/** Creates a folder whose name begins with `prefix`. */
export const quickFolder = (prefix: string): string => mkdtempSync(join(place, prefix));

/** Returns the disk of a folder, described as one that keeps its data in a power failure. */
export const lastingDiskOf = (folder: string): Disk => ({ ...diskOf(folder), isVolatile: false });
