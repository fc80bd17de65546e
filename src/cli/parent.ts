/** For test suites: a server that does not outlive the process that started it, however that one ended. */
import type { RealTime } from '../clock.ts';
import { isAlive } from '../system/gone.ts';

/** What an orphan may go on for. */
const LOOK_EVERY_MS = 250;

/** Resolves when the process that started us is gone: the system then gives us another parent, or (Windows) none. */
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
