/** One request at a time to a remote, whichever process asks: a command beside the server has its turn like everybody else. */
import type { Clock } from '../../clock.ts';
import type { FolderLock } from '../../db/lock.ts';

/** Whoever has no turn asks for it again so much later. */
const AGAIN_MS = 100;

/** `undefined`: this process ends, and asks nothing more. */
export async function ownTurn(
  take: () => FolderLock | undefined,
  clock: Clock,
  stopping: AbortSignal,
): Promise<FolderLock | undefined> {
  while (!stopping.aborted) {
    const turn = take();
    if (turn !== undefined) return turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.at(clock.now() + AGAIN_MS, resolve);
    const isOver = (): void => resolve();
    stopping.addEventListener('abort', isOver);
    await promise;
    timer.cancel();
    stopping.removeEventListener('abort', isOver);
  }
  return undefined;
}
