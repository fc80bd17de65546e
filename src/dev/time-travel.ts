/** Moves a test clock and stops at each due instant, so that no due work is skipped. */
import type { EpochMs, TestClock } from '../clock.ts';
import type { DueWork } from '../jobs/model.ts';

/** Moves the clock to `target`. A move backwards runs no due work. */
export async function travel(clock: TestClock, target: EpochMs, dueWork: readonly DueWork[]): Promise<void> {
  const runDueWork = async (): Promise<void> => {
    for (const work of dueWork) await work.runDue();
  };
  // Running or overdue work belongs to the old instant: its retries are counted from the old instant.
  if (clock.now() < target) await runDueWork();
  while (clock.now() < target) {
    const due = dueWork.flatMap((work) => work.nextDueAt() ?? []);
    // Work that is due again runs at the next ms, so that the loop ends.
    const next = Math.min(target, ...due.map((at) => Math.max(at, clock.now() + 1)));
    clock.moveTo(next);
    await runDueWork();
  }
  clock.moveTo(target);
}
