/** Reads the properties of the disk of a folder. */
import { statfsSync } from 'node:fs';

export interface Disk {
  readonly freeBytes: number;
  /** True if the file system keeps its files in memory only. */
  readonly isVolatile: boolean;
}

/** Linux numbers of tmpfs and ramfs. */
const VOLATILE: ReadonlySet<number> = new Set([0x0102_1994, 0x8584_58f6]);

export function diskOf(folder: string): Disk {
  const { bavail, bsize, type } = statfsSync(folder);
  return { freeBytes: bavail * bsize, isVolatile: process.platform === 'linux' && VOLATILE.has(type) };
}
