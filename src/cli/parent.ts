/** Ends a server with the process that started it, however that process ended. For test suites. */
import type { RealTime } from '../clock.ts';
import { isAlive } from '../system/gone.ts';

/** The check interval: the most time that an orphan runs on. */
const LOOK_EVERY_MS = 250;

/** Resolves when the parent process is gone: the system then assigns another parent, or (Windows) none. */
export function parentEnded(realTime: RealTime): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const look = (): void => {
      if (process.ppid === parent && isAlive(parent)) realTime.after(LOOK_EVERY_MS, look);
      else resolve();
    };
    look();
  });
}
