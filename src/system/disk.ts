/** What the operating system says of the disk of a folder. */
import { statfsSync } from 'node:fs';

export interface Disk {
  readonly freeBytes: number;
  /** Keeps its files in memory alone. */
  readonly isVolatile: boolean;
}

/** tmpfs and ramfs, as Linux numbers file systems. */
const VOLATILE: ReadonlySet<number> = new Set([0x0102_1994, 0x8584_58f6]);

export function diskOf(folder: string): Disk {
  const { bavail, bsize, type } = statfsSync(folder);
  return { freeBytes: bavail * bsize, isVolatile: process.platform === 'linux' && VOLATILE.has(type) };
}
