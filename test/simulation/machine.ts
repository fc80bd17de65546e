/** The view of the machine for the people, the jobs and the network of a simulation. */
import type { ProductProcess } from './product-process.ts';
import type { Ledger } from './ledger.ts';
import type { Host } from './network.ts';
import type { Random } from './random.ts';
import type { Traffic } from './traffic.ts';
import type { Lifecycle, VirtualTime } from './virtual-time.ts';

export interface Machine {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly hosts: readonly Host[];
  readonly ledger: Ledger;
  readonly traffic: Traffic;
  /** The parts of the running process; throws while the machine is off. */
  readonly product: ProductProcess;
  readonly lifecycle: Lifecycle;
  readonly isOff: boolean;
  readonly isUp: boolean;
  note(what: string): void;
  switchOn(): void;
  crashSoon(): void;
  stop(): void;
  stepClock(ms: number): void;
  plan(ms: number, work: () => void): void;
  guarded(work: () => void): void;
  readonly stir: () => void;
  readonly fault: (error: unknown) => void;
}
