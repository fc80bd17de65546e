/** Worker processes that a test observes, or replaces by ones whose work never ends. */
import { fileURLToPath } from 'node:url';
import { SECOND_MS } from '../../src/clock.ts';
import type { AnyReadRequest } from '../../src/assembly/reading/texts.ts';
import { WorkProcess, WorkProcesses } from '../../src/reading/work-process.ts';
import type { HandTime } from '../support/real-time.ts';

/** The command of a process that accepts every work and finishes none. */
export const ENDLESS: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL('../support/endless-work.ts', import.meta.url)),
];

/** Reports each process that is taken, and each that is returned and has ended. */
export class WatchedProcesses extends WorkProcesses<AnyReadRequest> {
  startedWork = 0;
  ended = 0;
  /** Number of further works that end. Each later one is accepted and never ends. */
  further = Number.POSITIVE_INFINITY;
  readonly #listeners = new Set<() => void>();

  override take(): WorkProcess<AnyReadRequest> {
    this.startedWork += 1;
    this.#report();
    this.further -= 1;
    return this.further < 0 ? new WorkProcess<AnyReadRequest>(ENDLESS) : super.take();
  }

  override async giveBack(one: WorkProcess<AnyReadRequest>): Promise<void> {
    await super.giveBack(one);
    if (!one.isUsable) this.ended += 1;
    this.#report();
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#listeners.add(resolve));
  }

  #report(): void {
    for (const listener of this.#listeners) if (this.#listeners.delete(listener)) listener();
  }
}

/** Resolves when the work under way has its deadline. */
export async function armed(time: HandTime): Promise<void> {
  while (!time.waits.includes(30 * SECOND_MS)) await time.armed(30 * SECOND_MS);
}
