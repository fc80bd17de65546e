/** Serialises the requests to a remote among all processes, also those of a command next to the server. */
import type { Clock } from '../../clock.ts';
import type { FolderLock } from '../../db/lock.ts';

/** Time until the next attempt to get the turn, in ms. */
const RETRY_MS = 100;

/** Waits for the turn. `undefined`: this process ends and sends no more requests. */
export async function waitForTurn(
  take: () => FolderLock | undefined,
  clock: Clock,
  stopping: AbortSignal,
): Promise<FolderLock | undefined> {
  while (!stopping.aborted) {
    const turn = take();
    if (turn !== undefined) return turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.at(clock.now() + RETRY_MS, resolve);
    const isOver = (): void => resolve();
    stopping.addEventListener('abort', isOver);
    await promise;
    timer.cancel();
    stopping.removeEventListener('abort', isOver);
  }
  return undefined;
}
