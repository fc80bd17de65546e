/** Lists folders and checks processes that may no longer exist. */
import { readdirSync } from 'node:fs';
import { systemCode } from './errors.ts';

/** Returns the names in a folder, or none if the folder does not exist. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) !== 'ESRCH'; // a process of another user exists too
  }
}
