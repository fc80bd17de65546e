/** Folders and processes that may be gone when they are asked for. */
import { readdirSync } from 'node:fs';
import { systemCode } from './errors.ts';

/** The names in a folder; none where there is no such folder. */
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
    return systemCode(error) !== 'ESRCH'; // another user's process is one too
  }
}
