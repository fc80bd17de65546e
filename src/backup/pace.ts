/** Work beside a server: as long as it takes, times a share, it rests, so that a GET finds a free core. */
import { monotonicMs } from '../clock.ts';

/** Two thirds of the time the machine is the server's. */
export const REST_BESIDE_A_SERVER = 2;
/** Nobody waits beside it. */
export const NO_REST = 0;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

export class Pace {
  readonly #share: number;
  #since = monotonicMs();

  constructor(share: number) {
    this.#share = share;
  }

  /** Rests for the work since the last rest. Holds the thread up: only for a Worker, or where nothing else goes on. */
  rest(): void {
    const ms = (monotonicMs() - this.#since) * this.#share;
    if (ms > 0) Atomics.wait(sleeper, 0, 0, ms);
    this.#since = monotonicMs();
  }
}
