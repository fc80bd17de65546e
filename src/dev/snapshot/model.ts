/** What a snapshot is called, and what is told of one (contract section 15). */
import type { EpochMs } from '../../clock.ts';

export const NAME_LONGEST = 40;
export const NAME_PATTERN = `^[a-z0-9-]{1,${NAME_LONGEST}}$`;

export interface Snapshot {
  readonly name: string;
  /** When it was kept, by the clock of the instance. */
  readonly at: EpochMs;
  /** What it takes on the disk. */
  readonly bytes: number;
  /** Where the test clock stood; `null`: it was kept on the machine's clock. */
  readonly testClock: EpochMs | null;
}
