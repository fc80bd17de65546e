/** Moves a test clock, stopping wherever something falls due, so that nothing on the way is skipped. */
import type { EpochMs, TestClock } from '../clock.ts';
import type { Dated } from '../jobs/model.ts';

/** Moves to `target`; backwards, nothing runs. */
export async function travel(clock: TestClock, target: EpochMs, dated: readonly Dated[]): Promise<void> {
  const doWhatIsDue = async (): Promise<void> => {
    for (const one of dated) await one.runDue();
  };
  // What is under way, or overdue, still belongs to the instant that is left: a repeat is counted from there.
  if (clock.now() < target) await doWhatIsDue();
  while (clock.now() < target) {
    const due = dated.flatMap((one) => one.nextDueAt() ?? []);
    // What is overdue again is done at the next instant, so that the journey goes on.
    const next = Math.min(target, ...due.map((at) => Math.max(at, clock.now() + 1)));
    clock.moveTo(next);
    await doWhatIsDue();
  }
  clock.moveTo(target);
}
