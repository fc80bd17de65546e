/** Ends a server with the process that started it, however that process ended. For test suites. */
import type { RealTime } from '../clock.ts';
import { isAlive } from '../system/gone.ts';

/** The check interval: a server outlives its parent by at most this time. */
const CHECK_INTERVAL_MS = 250;

/** Resolves when the parent process is gone: the system then assigns another parent, or (Windows) none. */
export function parentEnded(realTime: RealTime): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const check = (): void => {
      if (process.ppid === parent && isAlive(parent)) realTime.after(CHECK_INTERVAL_MS, check);
      else resolve();
    };
    check();
  });
}
