/** The name and the properties of a snapshot (contract section 15). */
import type { EpochMs } from '../../clock.ts';

export const NAME_LONGEST = 40;
export const NAME_PATTERN = `^[a-z0-9-]{1,${NAME_LONGEST}}$`;

export interface Snapshot {
  readonly name: string;
  /** The time of the snapshot, by the clock of the instance. */
  readonly at: EpochMs;
  /** The size on disk, in bytes. */
  readonly bytes: number;
  /** The instant of the test clock; `null` when the instance used the machine's clock. */
  readonly testClock: EpochMs | null;
}
